"""What `accessibility.yaml` promises of the widgets, on pages without a kernel."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from execute import NOTEBOOKS
from here import cells_of, run
from pages import (
    COLORS,
    WCAG,
    WRONG,
    blank,
    draw_alone,
    violations,
)
from test_every_view import luminance
from test_layout import questions
from tools import EXPLORERS

#: What is told of a lesson to whoever begins it, kept for people to judge.
LESSON = Path(__file__).with_name("02_interval_estimation.txt")
#: What can be operated and has no name, in what a screen reader is told.
NAMELESS = re.compile(
    r'^ *- (?:button|checkbox|link|radio|slider|textbox)(?! ")', re.M
)
#: Sliders that tell a place and no value.
UNTOLD = """() => [...document.querySelectorAll("#place [type=range]")]
  .filter((one) => one.checkVisibility() && !one.ariaValueText).length"""
#: What WCAG's criterion 1.4.12 lets a reader set, and nothing may be lost by.
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }"""
#: How a page is seen, in the few colors that a reader has set, dark and light, and what may be
#: wrong of it there alone.
MEDIA = [
    ({"color_scheme": "dark", "forced_colors": "active"}, COLORS),
    ({"color_scheme": "dark", "forced_colors": "none"}, COLORS),
    ({"color_scheme": "light", "forced_colors": "none"}, WCAG),
]
STYLE = """text => document.head.append(
  Object.assign(document.createElement("style"), { className: "test", textContent: text }))"""
BELOW = "text => place.insertAdjacentHTML('beforeend', text)"
#: What readers did: the page itself asks for a picture of its width.
DONE = "sent.filter((one) => one.name !== 'picture')"
#: What can have the focus, in the order of the page; of radio buttons one is a
#: stop.
STOPS = """() => [...document.querySelectorAll(
    "button, input, textarea, select, summary, a[href], [tabindex]")]
  .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)
  .filter((one) => one.type !== "radio" || one.checked || !one.form && !document.querySelector(
    `input[name="${one.name}"]:checked`) && one === document.querySelector(
    `input[name="${one.name}"]`))
  .map((one, at) => (one.dataset.stop = at)).length"""
#: What has the focus: which stop it is, whether that is seen, and whether
#: something lies over it.
FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const shares = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y]));
  const uncovered = one.matches(".dpw-handle") || shares.some(([x, y]) => {
    const there = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    return there && (there === one || there.contains(one) || one.contains(there));
  });
  // The thumb of a handle has a ring in place of an outline around its whole way.
  const ring = getComputedStyle(one).getPropertyValue("--ring");
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 || Boolean(ring);
  return { stop: Number(one.dataset.stop ?? -1), seen, uncovered };
}"""
#: The colors of the edges of boxes and buttons and of what lies around them,
#: in bytes. A program's lines are known as buttons by their numbers and need
#: no edge.
EDGES = """() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const bytes = (color) => {
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const around = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return color === "rgba(0, 0, 0, 0)" ? around(node.parentElement) : color;
  };
  const boxes = document.querySelectorAll(
    ".dpw-field:not(:disabled), .dpw-button:not([aria-disabled=true])");
  return [...boxes].filter((one) => one.checkVisibility()).map((one) => [
    bytes(getComputedStyle(one).borderTopColor), bytes(around(one.parentElement)), one.className]);
}"""
MADE = {kind.__name__: kind for kind in EXPLORERS} | {"asked": questions}


@pytest.fixture(scope="module", params=MADE.values(), ids=MADE)
def drawn(request, browser):
    """A page with an explorer or the questions, all open, between two buttons of the host's."""
    made = request.param()
    # A theme's colors come at once then, before they are measured.
    with blank(browser, reduced_motion="reduce") as page:
        page.set_content(
            "<html lang=en style='background: Canvas; color-scheme: light dark'><title>One</title>"
            "<main><button>before</button><div id=place></div><button>after</button></main>"
        )
        for widget in made if isinstance(made, Iterator) else (made,):
            draw_alone(page, widget)
        page.evaluate(
            "document.querySelectorAll('details').forEach((one) => (one.open = true))"
        )
        yield page


@pytest.fixture
def page(drawn):
    """That page, as wide as it was and without what another test has told it."""
    drawn.set_viewport_size({"width": 900, "height": 700})
    drawn.evaluate(
        "document.querySelectorAll('style.test').forEach((one) => one.remove())"
    )
    drawn.evaluate("scrollTo(0, 0)")
    return drawn


def test_tab_comes_to_every_control_in_the_order_of_the_page_and_leaves_it_by_both_ends(
    page,
):
    stops = page.evaluate(STOPS)
    page.get_by_role("button", name="before", exact=True).focus()
    met = [page.evaluate(FOCUSED)]
    for _ in range(stops - 1):
        page.keyboard.press("Tab")
        met.append(page.evaluate(FOCUSED))
    assert [one["stop"] for one in met] == list(range(stops))
    assert [one["stop"] for one in met[1:-1] if not one["seen"]] == []
    assert [one["stop"] for one in met if not one["uncovered"]] == []
    back = []
    for _ in range(stops - 1):
        page.keyboard.press("Shift+Tab")
        back.append(page.evaluate(FOCUSED))
    assert [one["stop"] for one in back] == list(reversed(range(stops - 1)))
    assert [one["stop"] for one in back if not one["uncovered"]] == []
    assert page.evaluate(DONE) == []  # nothing moves because it was visited


def test_every_control_is_told_with_a_name_and_no_slider_without_its_unit(
    page,
):
    told = page.locator("#place").aria_snapshot()
    assert "- button " in told
    assert not NAMELESS.search(told)
    assert page.evaluate(UNTOLD) == 0
    # And every picture by a sentence.
    assert all(len(words) > 20 for words in re.findall('- img "(.*)"', told))


def test_axe_finds_nothing_by_the_rules_of_wcag_2_2_nor_targets_that_are_too_small(
    page,
):
    for media, rules in MEDIA:
        page.emulate_media(**media)
        assert violations(page, "#place", runOnly=rules) == [], media


def test_nothing_overlaps_or_is_cut_off_where_a_reader_spaces_the_text(page):
    page.evaluate(STYLE, SPACED)
    for width in (900, 420):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(WRONG) == [], width


def test_nothing_overlaps_or_is_cut_off_where_the_text_is_twice_as_large(page):
    page.set_viewport_size({"width": 1366, "height": 900})
    page.evaluate(STYLE, "body { zoom: 2 }")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366


def contrast(*colors):
    """Return WCAG's contrast of two colors in bytes."""
    dark, light = sorted(luminance(np.array(color) / 255) for color in colors)
    return (light + 0.05) / (dark + 0.05)


def test_edges_of_boxes_and_buttons_are_seen_on_light_and_dark(page):
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        faint = [
            one
            for *colors, one in page.evaluate(EDGES)
            if contrast(*colors) < 3
        ]
        assert faint == [], scheme
    page.emulate_media(color_scheme="light")


def test_a_button_that_is_left_before_it_is_let_go_does_nothing(page):
    for button in page.locator(
        "#place button:not([aria-disabled=true])"
    ).all()[:2]:
        button.hover()
        page.mouse.down()
        page.mouse.move(1, 1)
        page.mouse.up()
    assert page.evaluate(DONE) == []


def test_a_lesson_is_told_as_it_was_judged(bare, data_directory):
    """DPWIDGETS_HEARD=1 writes what is told anew, to be read again."""
    path = NOTEBOOKS / LESSON.with_suffix(".ipynb").name
    bare.set_content(
        "<html lang=en><title>A lesson</title><main id=place></main>"
    )
    shown = run(path)
    for cell in cells_of(path):
        if cell.cell_type == "markdown":
            bare.evaluate(BELOW, markdown2html_mistune(cell.source))
            continue
        bare.evaluate(BELOW, "<p>A cell of Python.</p>")
        widget = next(shown)
        if widget is not None:
            draw_alone(bare, widget)
    told = bare.locator("main").aria_snapshot() + "\n"
    # In this process other questions were asked, and what is kept has a folder
    # of its own.
    told = re.sub(r"of \d+ asked", "of … asked", told)
    told = re.sub(r"/\S+(?=dpwidgets-progress)", "", told)
    told = re.sub(r"blob:\S+", "blob:", told)
    if "DPWIDGETS_HEARD" in os.environ:
        LESSON.write_text(told, encoding="utf-8")
    assert told == LESSON.read_text(encoding="utf-8")
