"""Draws and sketches by keyboard, in JupyterLab, Notebook and Voila."""

import nbformat
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

DRAWS = "from dpwidgets import Draws, LossExplorer\nDraws(LossExplorer(), seed=3)"


@pytest.fixture
def drawing(page, notebooks):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(DRAWS)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, notebooks / "drawing.ipynb")
    page.landmark = "Compositions"
    page.open("drawing.ipynb")
    page.run_all()
    page.picture.wait_for()
    return page


def test_draws_by_keyboard_stand_on_the_picture_and_are_told(drawing):
    page = drawing.page
    said = page.get_by_role("status").filter(has_text="drawn")
    expect(said).to_have_text("Nothing is drawn yet.")
    still, moving = drawing.lines()
    button = page.get_by_role("button", name="Draw 10", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    told = page.get_by_role("status").filter(has_text="on average")
    expect(told).to_contain_text("10 draws: the loss is")
    expect(button).to_be_focused()
    assert drawing.lines()[0] == still  # the frame stands
    assert drawing.lines()[1] != moving
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("1,010 draws")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(told).to_contain_text("After one answer about the same people the loss is")
    drawing.slider("Epsilon (ε)").press("ArrowRight")
    expect(page.get_by_text("1,011 drawn before are cleared")).to_be_visible()
