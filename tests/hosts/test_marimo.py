"""marimo: its own server and its own page, with an app that shows an explorer and a question."""

import subprocess

import pytest
from playwright.sync_api import expect

import tools
from pages import expect_ink, violations
from server import free_port, wait_until_up

#: Two cells show a widget, one by what marimo reacts to and one as it is; one follows the first.
APP = """
import marimo

app = marimo.App()

@app.cell
def _():
    import dpwidgets
    import marimo
    return dpwidgets, marimo

@app.cell
def _(dpwidgets, marimo):
    explorer = marimo.ui.anywidget(dpwidgets.IntervalExplorer())
    explorer
    return (explorer,)

@app.cell
def _(explorer, marimo):
    marimo.md(f"Below it: {explorer.half_width}, {explorer.value['sentence']}")
    return

@app.cell
def _(dpwidgets):
    dpwidgets.Question("Three and three?", answer=6, then=dpwidgets.LossExplorer())
    return
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory, wheel):
    """An environment with marimo and dpwidgets."""
    environment = tools.Environment(tmp_path_factory.mktemp("marimo"))
    environment.install("marimo>=0.25", wheel)
    return environment


@pytest.fixture(scope="module")
def address(tmp_path_factory, environment):
    """Where marimo serves the app."""
    home, port = tmp_path_factory.mktemp("home"), free_port()
    (home / "app.py").write_text(APP, encoding="utf-8")
    options = ("--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port))
    with (home / "server.log").open("w") as log:
        server = subprocess.Popen(
            [environment.folder / "bin" / "marimo", "run", home / "app.py", *options],
            env=environment.variables | {"HOME": str(home)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_up(server, f"http://127.0.0.1:{port}/health", home / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


def test_widgets_are_legible_in_both_themes_move_are_followed_and_judge(browser, address):
    errors = []
    for theme in ("dark", "light"):  # the second page is the one that is moved
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.on("pageerror", lambda error: errors.append(error))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}/?theme={theme}")
        half_width = page.get_by_role("slider", name="Half-width (w)")
        half_width.wait_for(timeout=60_000)
        field = page.get_by_label("Your answer")
        field.wait_for(timeout=60_000)
        widgets = {"fromShadowDom": ["marimo-anywidget", ".dpw"]}
        assert violations(page, widgets, runOnly=["color-contrast"]) == []
        expect_ink(page.locator(".dpw-picture text").first, dark=theme == "dark")
    below = page.get_by_text("Below it:")
    expect(below).to_contain_text("0.2, With ε = 0.0805")
    half_width.press("ArrowRight")
    sentence = page.get_by_role("status").first
    expect(sentence).to_contain_text("With ε = 0.0766, the noisy answer to a count of 100")
    expect(below).to_contain_text("0.21, With ε = 0.0766")
    box = page.get_by_role("textbox", name="Half-width (w)")
    box.fill("abc")
    box.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="“abc” is not a number")).to_be_visible()
    expect(below).to_contain_text("0.21, With ε = 0.0766")
    held = page.get_by_role("slider", name="Compositions")
    for answer, said in (("33", "✗ Not yet: it is too large."), ("3+3", "✓ Right. See below.")):
        expect(held).to_have_count(0)
        field.fill(answer)
        field.press("Enter")
        expect(page.get_by_text(said)).to_be_visible()
    held.press("End")
    expect(page.get_by_text("For 1,000 releases together")).to_be_visible()
    page.context.close()
    assert errors == []


def test_a_lesson_that_the_command_converts_runs_from_top_to_bottom(environment, tmp_path):
    """One, for time; nothing is converted that is there already."""
    lesson = "01_interval_estimation"
    names = {path.stem for path in (tools.ROOT / "notebooks").glob("*.ipynb")}
    for name in names - {lesson}:
        (tmp_path / f"{name}.py").touch()
    program = "from pathlib import Path; from dpwidgets import __main__ as opening; "
    program += f"print(len(opening.convert(Path({str(tmp_path)!r}))))"
    assert int(environment.run("python", "-c", program)) == len(names) - 1
    converted = tmp_path / f"{lesson}.py"
    assert "IntervalExplorer" in converted.read_text(encoding="utf-8")
    assert "belief in 10 and 11" in environment.run("python", converted)
