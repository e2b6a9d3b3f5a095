"""Draws and sketches by keyboard, in JupyterLab, Notebook and Voila."""

import pytest
from playwright.sync_api import expect

from pages import opened

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

DRAWS = "dpwidgets.Draws(dpwidgets.LossExplorer(), seed=3)"
SKETCH = """
from dpwidgets import Sketch
from dpwidgets.calculators import interval
from dpwidgets.plots.interval import IsoEpsilon
known = interval.precision(half_width=0.2, confidence=0.8, count=100)
Sketch("How does it grow?", IsoEpsilon, known, "present", then="It bends.")
"""


@pytest.fixture(scope="module")
def shown(browser, server, notebooks, kind):
    """A page with one of each."""
    with opened(browser, server, notebooks, kind) as page:
        page.landmark = "Compositions"
        page.show(DRAWS, SKETCH)
        page.picture.wait_for()
        yield page


@pytest.fixture
def drawing(shown):
    shown.landmark = "Compositions"
    return shown


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


def test_handles_stand_where_the_sketch_has_its_corners(drawing):
    drawing.landmark = "Height at the left end"
    for width in (480, 1200):
        drawing.page.set_viewport_size({"width": width, "height": 1000})
        drawing.picture.scroll_into_view_if_needed()
        frame = drawing.picture.bounding_box()
        for name, share in (("at the left end", 0.1), ("in the middle", 0.5)):
            place = drawing.slider(f"Height {name}").bounding_box()
            across = frame["x"] + (0.135 + share * (0.95 - 0.135)) * frame["width"]
            assert place["x"] + place["width"] / 2 == pytest.approx(across, abs=1.5)
            top, bottom = (frame["y"] + at * frame["height"] for at in (0.04, 0.86))
            assert place["y"] + 12 == pytest.approx(top, abs=1.5)
            assert place["y"] + place["height"] - 12 == pytest.approx(bottom, abs=1.5)


def test_a_sketch_is_drawn_by_keyboard_and_by_hand_and_then_compared(drawing):
    drawing.landmark = "Height at the left end"
    page = drawing.page
    left = drawing.slider("Height at the left end")
    left.scroll_into_view_if_needed()
    expect(left).to_have_attribute("aria-valuetext", "51%")
    still, moving = drawing.lines()
    page.get_by_role("button", name="Show", exact=True).press("Enter")
    expect(drawing.alert).to_contain_text("move the handles first")
    left.focus()
    for key, share in (("ArrowUp", "52%"), ("ArrowDown", "51%"), ("PageUp", "61%"), ("Home", "0%")):
        page.keyboard.press(key)
        expect(left).to_have_attribute("aria-valuetext", share)
    page.keyboard.press("Tab")
    second = drawing.slider("Height left of the middle")
    expect(second).to_be_focused()
    place = second.bounding_box()
    assert place["width"] >= 44
    middle = place["x"] + place["width"] / 2
    page.mouse.move(middle, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(middle, place["y"] + 12 + 0.25 * (place["height"] - 24), steps=5)
    page.mouse.up()
    expect(second).to_have_attribute("aria-valuetext", "76%")  # 75% of the frame's 102%
    assert drawing.lines()[0] == still
    assert drawing.lines()[1] != moving
    expect(page.get_by_text("It bends.", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Show", exact=True).press("Enter")
    expect(drawing.sentence).to_contain_text("Your sketch rises, then falls from 30% on")
    expect(page.get_by_text("It bends.", exact=True)).to_be_visible()
