"""The hand on the thing: what has its place in a picture is moved there, by pointer and by key."""

import math
import re

import pytest
from playwright.sync_api import expect
from scipy.special import logit

import dpwidgets
from dpwidgets.calculators.meanings import ENDS
from pages import draw_living

NEAR = 2  # pixels from the mark
LAID = ".dpw-handle:not([hidden])"


def log_share(low, high, value):
    """Return where a number stands on a logarithmic axis."""
    return math.log(value / low) / math.log(high / low)


# Of each explorer's first view, how far from the left its handle stands by what it shows: a share
# of the picture's width. The frames' ends and places are those that the picture's axes write.
FIRST = {
    "IntervalExplorer": (
        "half_width",
        lambda r: 0.135 + 0.815 * ((1 + r.half_width) + 0.5) / 3,
    ),
    "LossExplorer": ("outcome", lambda r: 0.135 + 0.815 * (r.answer - 0.5 + 10) / 20),
    "BayesExplorer": ("answer", lambda r: 0.135 + 0.815 * (r.answer + 8) / 116),
    "WorldsExplorer": (
        "answer",
        lambda r: 0.075 + 0.42 * (r.answer - r.frame[0]) / (r.frame[1] - r.frame[0]),
    ),
    "BreachExplorer": (
        "prior",
        lambda r: 0.155 + 0.57 * (logit(r.prior) / (1.1 * math.log(1000)) + 1) / 2,
    ),
    "ChoiceExplorer": ("epsilon", lambda r: 0.34 + 0.63 * log_share(1e-3, 30, r.epsilon)),
    # The error on average is one over ε: its logarithm falls evenly.
    "MeaningsExplorer": ("epsilon", lambda r: 0.69 + 0.295 * log_share(*ENDS, r.epsilon)),
    "PlanExplorer": ("factor", lambda r: 0.58 + 0.38 * log_share(0.01, 10, r.factor)),
}
WIDE = pytest.mark.parametrize("name", FIRST)


@pytest.fixture
def drawn(browser):
    """Draw a widget that answers at once; an error in the browser fails the test."""
    context, errors = browser.new_context(viewport={"width": 1366, "height": 1000}), []

    def draw(widget):
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(error))
        draw_living(page, widget)
        return page

    yield draw
    context.close()
    assert errors == []


def middle(handle):
    """Return where the middle of a handle's thumb is on the page."""
    return handle.evaluate("""(node) => {
        const box = node.getBoundingClientRect(), share = node.value / node.max;
        const upright = node.ariaOrientation === "vertical";
        const thumb = upright ? box.width : box.height;
        return upright
            ? [box.x + thumb / 2, box.bottom - thumb / 2 - share * (box.height - thumb)]
            : [box.x + thumb / 2 + share * (box.width - thumb), box.y + thumb / 2];
    }""")


def settled(page):
    """Wait until all is answered."""
    expect(page.locator(".dpw").first).to_have_attribute("aria-busy", "false")


def drag(page, handle, across=0, up=0):
    """Take a handle in its middle and move it; return where the pointer let it go."""
    x, y = middle(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y - up, steps=5)
    page.mouse.up()
    settled(page)
    return x + across, y - up


@WIDE
def test_the_first_view_of_each_explorer_is_moved_in_the_picture(drawn, name):
    explorer = getattr(dpwidgets, name)()
    parameter, share = FIRST[name]
    page = drawn(explorer)
    handle = page.locator(f"[data-name={parameter}] > {LAID}").first
    label = explorer.parameters()[parameter].label
    expect(handle).to_have_accessible_name(re.compile(re.escape(label)))
    slider = page.locator(f"[data-name={parameter}] .dpwidgets-slider")
    picture = page.locator(".dpw-picture")
    sentence = page.locator(".dpw-sentence")

    def stands_on_the_mark():
        box = picture.bounding_box()
        across = box["x"] + share(explorer.result) * box["width"]
        assert middle(handle)[0] == pytest.approx(across, abs=NEAR)

    stands_on_the_mark()
    before, said = getattr(explorer, parameter), sentence.text_content()
    let_go, _ = drag(page, handle, across=50)
    assert getattr(explorer, parameter) != before
    assert sentence.text_content() == explorer.sentence != said
    assert middle(handle)[0] == pytest.approx(let_go, abs=12)  # the nearest stop
    stands_on_the_mark()
    assert slider.input_value() == str(explorer._shown[parameter]["place"])
    place = int(slider.input_value())
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        handle.press(key)
        settled(page)
        assert int(slider.input_value()) == place + step
        expect(handle).to_have_attribute("aria-valuetext", slider.get_attribute("aria-valuetext"))
    expect(handle).to_be_focused()
    stands_on_the_mark()
    page.set_viewport_size({"width": 420, "height": 1000})
    stands_on_the_mark()
    assert min(handle.bounding_box()[side] for side in ("width", "height")) >= 24
