"""The site with Python in its pages, from files on this machine; every other address is blocked.

Pyodide's distribution stands in the folder that DPWIDGETS_PYODIDE names.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

from dpwidgets import IntervalExplorer, WorldsExplorer
from live import PINS
from pages import WCAG, expect_each_move_is_answered, violations
from server import served
from walk import bring

PYODIDE = os.environ.get("DPWIDGETS_PYODIDE", "")
pytestmark = pytest.mark.skipif(
    not Path(PYODIDE, "pyodide-lock.json").is_file(),
    reason="DPWIDGETS_PYODIDE names no folder of Pyodide's distribution",
)
COMES = 180_000  # ms, on a busy machine
RULES = [*WCAG, "best-practice"]
#: Asks another address, from the page and from a worker like ours; returns who
#: was refused.
ASK_ELSEWHERE = """async (address) => {
  const ask = `fetch("${address}").then(() => "answered", () => "refused")`;
  const source = `${ask}.then((said) => postMessage(said))`;
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  const there = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  return [await eval(ask), await there];
}"""
#: Runs a program in the Python that the site's worker has.
IN_A_WORKER = """async ([live, program]) => {
  const source = `onmessage = async ({ data }) => {
    const [live, program] = data;
    importScripts(live + "pyodide.js");
    const pyodide = await loadPyodide({ indexURL: live, lighter: true });
    await pyodide.loadPackage("dpwidgets", { messageCallback: () => {} });
    postMessage(pyodide.runPython(program).toJs());
  }`;
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  const result = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage([live, program]);
  return result;
}"""


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


def come(figure):
    """Wait until Python is here."""
    expect(figure.get_by_role("button", name="Copy link")).to_be_visible(
        timeout=COMES
    )


def test_a_strip_comes_alive_in_the_state_that_it_has_and_so_do_all_of_the_page(
    page, site
):
    page.open("notebooks/parts.html")
    first, *_ = page.locator("figure.dpwidgets-strip").all()
    said = first.locator(".dpw-sentence")
    slider = first.get_by_role("slider", name="Epsilon")
    start = said.text_content()
    slider.press("End")
    expect(said).not_to_have_text(start)
    before, coarse = said.text_content(), int(slider.get_attribute("max"))
    button = first.get_by_role(
        "button", name=f"Compute here (about {PINS['lighter']} MB)"
    )
    button.click()
    expect(
        first.get_by_role("progressbar", name="Python is coming")
    ).to_be_visible()
    expect(first.locator(".dpwidgets-told")).to_contain_text(
        "Python is coming"
    )
    come(first)
    expect(said).to_have_text(before)
    expect(first.locator(".dpwidgets-told")).to_have_text("")
    assert int(slider.get_attribute("max")) > 2 * coarse
    left = page.url
    slider.press("ArrowLeft")
    expect(said).not_to_have_text(before)
    page.wait_for_url(lambda url: url != left)
    expect(said).to_have_text(WorldsExplorer.from_link(page.url).sentence)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first.get_by_role("button", name="Copy link").click()
    expect(first.locator(".dpwidgets-told")).to_have_text(
        "The link is copied."
    )
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    # The others follow by themselves.
    choice = page.locator(".dpwidgets-question").nth(1)
    choice.get_by_label("one", exact=True).check()
    choice.get_by_role("button", name="Check").click()
    figure = choice.get_by_role("figure")
    come(figure)
    figure.get_by_role("slider", name="Count").press("End")
    expect(figure.locator(".dpw-sentence")).to_have_text(
        IntervalExplorer(count=1e5).sentence
    )
    loaded = {
        unquote(urlsplit(url).path) for url in page.asked if "/live/" in url
    }
    files = [site / path[1:] for path in loaded]
    size = sum(file.stat().st_size for file in files if file.is_file())
    assert any(path.endswith("pyodide.asm.wasm") for path in loaded)
    assert 0 <= PINS["lighter"] - size / 1e6 < 2


def test_what_frames_cannot_do_brings_python_which_can_be_stopped_and_refuses_links(
    page,
):
    link = "#interval?half_width=0.104&count=500"
    page.open(f"explorers/interval.html{link}")
    figure = page.locator("figure.dpwidgets-strip")
    told = figure.locator(".dpwidgets-told")
    said = figure.locator(".dpw-sentence")
    box = figure.get_by_role("textbox", name="Half-width")

    def type_(text):
        box.fill(text)
        box.press("Enter")

    expect(told).to_have_text(
        "Not shown here, from the link: count = 500. Python is coming …"
    )
    figure.get_by_role("button", name="Stop").click()
    expect(told).to_have_text("Stopped.")
    type_("0.1234")
    figure.get_by_role("button", name="Stop").click()
    expect(told).to_have_text("Stopped.")
    expect(figure.get_by_role("progressbar")).to_be_hidden()
    near = said.text_content()  # the nearest stop
    assert near != IntervalExplorer(half_width=0.1234).sentence
    expect(figure.get_by_role("button", name="Compute here")).to_be_visible()
    type_("0.2345")
    come(figure)
    expect(said).to_have_text(IntervalExplorer(half_width=0.2345).sentence)
    # Has no frame.
    page.evaluate("location.hash = '#interval?half_width=0.3&count=77'")
    expect(said).to_have_text(
        IntervalExplorer(half_width=0.3, count=77).sentence
    )
    page.evaluate("location.hash = '#interval?count=0'")
    expect(told).to_contain_text("count must be a number")
    expect(said).to_have_text(
        IntervalExplorer(half_width=0.3, count=77).sentence
    )
    assert violations(page, "figure", runOnly=RULES) == []


def test_a_second_control_brings_python_with_both_and_each_key_is_answered_then(
    page, figure
):
    told = figure.locator(".dpwidgets-told")
    said = figure.locator(".dpw-sentence")
    bar = figure.get_by_role("progressbar")
    figure.locator("[data-name=count] .dpwidgets-slider").press("Home")
    figure.locator("[data-name=confidence] .dpwidgets-slider").press("End")
    waits = figure.get_by_text("Not in the picture yet: this takes Python")
    expect(waits).to_be_visible()
    values = {
        name: float(
            figure.locator(f"[data-name={name}] input").first.input_value()
        )
        for name in ("count", "confidence")
    }
    expect(told).to_have_text(
        re.compile(r"^\d\d MB came · starting Python …$"), timeout=COMES
    )
    share = float(bar.get_attribute("value"))
    assert 0.3 < share < 1
    come(figure)
    expect(waits).to_have_count(0)
    expect(said).to_have_text(IntervalExplorer(**values).sentence)
    # And with the way back to where the page began.
    figure.get_by_role("button", name="Undo").press("Enter")
    count = IntervalExplorer(count=values["count"])
    expect(said).to_have_text(count.sentence)
    figure.get_by_role("button", name="Start over").press("Enter")
    expect(said).to_have_text(IntervalExplorer().sentence)
    expect_each_move_is_answered(page, figure.locator(".dpw-explorer"))


def test_a_file_that_does_not_come_is_said_and_the_strip_stays(page, figure):
    page.context.route(
        "**/pyodide-lock.json", lambda route: route.fulfill(status=404)
    )
    before = figure.locator(".dpw-sentence").text_content()
    figure.get_by_role("button", name="Compute here").click()
    expect(figure.get_by_role("button", name="Compute here")).to_be_visible(
        timeout=COMES
    )
    expect(figure.locator(".dpwidgets-told")).to_contain_text(
        "pyodide-lock.json"
    )
    expect(figure.locator(".dpw-sentence")).to_have_text(before)
    figure.get_by_role("slider", name="Count").press("End")
    expect(figure.locator(".dpw-sentence")).to_have_text(
        IntervalExplorer(count=1e5).sentence
    )


def test_no_explorer_needs_what_was_left_out_which_comes_once_it_is_asked_for(
    page, address
):
    program = Path(__file__).parents[1] / "live" / "every.py"
    page.open("explorers/interval.html")
    moved, waits, half = page.evaluate(
        IN_A_WORKER,
        [f"{address}/live/", program.read_text(encoding="utf-8")],
    )
    assert moved > 60
    assert waits  # nobody had asked for it
    assert half == 0.5
    late = [url for url in page.asked if url.endswith("left-out.zip")]
    assert len(late) == 1


def test_at_the_desk_a_column_becomes_a_record_and_nothing_leaves_the_page(
    page,
):
    page.emulate_media(reduced_motion="reduce")
    page.open("desk.html")
    assert page.evaluate(ASK_ELSEWHERE, "http://127.0.0.1:9/") == [
        "refused",
        "refused",
    ]
    page.errors.clear()  # which say so
    desk, plan, meanings = page.locator("figure.dpwidgets-strip").all()
    expect(desk.get_by_role("slider")).to_have_count(0)
    desk.get_by_role("button", name="Compute here").click()
    for figure in (desk, plan, meanings):
        come(figure)
    bring(page, desk)
    desk.get_by_role("button", name="Copy link").click()
    expect(desk.locator(".dpwidgets-told")).to_contain_text("for a link")
    names = desk.locator("[data-name=files] a").all_text_contents()
    assert {"decision.html", "decision.md", "label.html"} <= {*names}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page, "html", runOnly=RULES) == []
    page.set_viewport_size({"width": 420, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == 420
