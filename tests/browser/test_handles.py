"""The hand on the thing: what has its place in a picture is moved there, by pointer and by key."""

import re

import pytest
from playwright.sync_api import expect

import dpwidgets
import pages
from pages import blank, draw_alone, draw_living, middle, swipe

NEAR = 2  # pixels from the mark
LAID = ".dpw-handle:not([hidden])"


#: A handle that is moved to the right, and one that is moved upwards; that those of all views
#: stand on their marks, and where they go to, is tested where they are placed.
HELD = {"IntervalExplorer": "half_width", "BayesExplorer": "answer"}
# How far from the left marks are drawn, and where the band of the interval
# ends.
MARKS = r"""(picture) => {
  const box = (node) => node.getBoundingClientRect();
  const marks = [...picture.querySelectorAll("[role=img] [style^=marker]")];
  const band = box(picture.querySelector("[role=img] path")).right;
  const middles = marks.flatMap((marks) => {
    const places = [...marks.getAttribute("d").matchAll(/([\d.-]+) ([\d.-]+)/g)];
    const seen = marks.getScreenCTM();
    const points = places.map(([, x, y]) => new DOMPoint(x, y).matrixTransform(seen));
    return points.map(({ x, y }) => [x, y]);
  });
  return [[band, 0], ...middles];
}"""


# What stands in the picture moves with its mark; all else stays where it is.
WATCH_SHIFTS = """window.shift = 0; new PerformanceObserver(list => list.getEntries()
    .filter(entry => entry.sources.some(({ node }) => !node?.matches?.(".dpw-handle")))
    .forEach(entry => window.shift += entry.value)
).observe({type: 'layout-shift'})"""


def settled(page):
    """Wait until all is answered."""
    expect(page.locator(".dpw").first).to_have_attribute("aria-busy", "false")


def drag(page, handle, across=0, up=0):
    """Drag a handle, and wait until that is answered; return where it was let go."""
    let_go = pages.drag(page, handle, across, up)
    settled(page)
    return let_go


@pytest.mark.parametrize(("name", "parameter"), HELD.items())
def test_a_handle_is_moved_in_the_picture_by_hand_and_by_key(
    bare, name, parameter
):
    explorer = getattr(dpwidgets, name)()
    page = draw_living(bare, explorer)
    handle = page.locator(f"[data-name={parameter}] > {LAID}").first
    label = explorer.parameters()[parameter].label
    expect(handle).to_have_accessible_name(re.compile(re.escape(label)))
    slider = page.locator(f"[data-name={parameter}] .dpwidgets-slider")

    upright = handle.get_attribute("aria-orientation") == "vertical"
    way = int(upright)

    def stands_on_the_mark():
        place = middle(handle)[way]
        marks = page.locator(".dpw-picture").evaluate(MARKS)
        assert min(abs(mark[way] - place) for mark in marks) <= NEAR

    stands_on_the_mark()
    before, said = getattr(explorer, parameter), explorer.sentence
    let_go = drag(page, handle, **{"up" if upright else "across": 50})
    assert getattr(explorer, parameter) != before
    assert explorer.sentence != said
    expect(page.locator(".dpw-sentence")).to_have_text(explorer.sentence)
    dots = page.locator(".dpw-trace [style^=marker]:visible")
    expect(dots).to_have_count(0)
    # The nearest stop.
    assert middle(handle)[way] == pytest.approx(let_go[way], abs=12)
    stands_on_the_mark()
    assert slider.input_value() == str(explorer._shown[parameter]["place"])
    place = int(slider.input_value())
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        handle.press(key)
        settled(page)
        assert int(slider.input_value()) == place + step
        expect(handle).to_have_attribute(
            "aria-valuetext", slider.get_attribute("aria-valuetext")
        )
    expect(handle).to_be_focused()
    stands_on_the_mark()
    page.set_viewport_size({"width": 420, "height": 1000})
    expect(page.locator(".dpw-narrow")).to_be_visible()
    settled(page)
    stands_on_the_mark()
    assert (
        min(handle.bounding_box()[side] for side in ("width", "height")) >= 24
    )


def test_what_a_move_changed_is_seen_and_it_is_taken_back_by_key(bare):
    page = draw_living(bare, explorer := dpwidgets.IntervalExplorer())
    handle = page.locator(LAID)
    sentence, trace = page.locator(".dpw-sentence"), page.locator(".dpw-trace")
    said = sentence.text_content()
    lines = page.get_by_role("img").inner_html()
    drag(page, handle, across=50)
    new = sentence.locator(".dpw-new")
    assert new.all_text_contents() == ["0.0329", "51", "149"]
    assert (
        new.first.evaluate("one => getComputedStyle(one).animationName")
        == "dpw-new"
    )
    assert trace.locator("path").count() == lines.count("<path")
    ids = page.evaluate(
        "[...document.querySelectorAll('[id]')].map(one => one.id)"
    )
    assert len(ids) == len(set(ids))
    changed = explorer.sentence
    handle.press("Control+z")
    expect(sentence).to_have_text(said)
    drag(page, handle, across=50)
    box = page.get_by_role("textbox", name="Count")
    box.fill("500")
    box.press("Control+z")  # the box's own, while one types in it
    assert explorer.sentence == changed
    box.fill("500")
    box.press("Enter")
    expect(sentence).to_contain_text("count of 500")
    assert trace.locator("path").count() == 0  # another frame
    box.press("Control+z")
    expect(sentence).to_have_text(changed)
    page.emulate_media(reduced_motion="reduce")
    drag(page, handle, across=20)
    assert (
        new.first.evaluate("one => getComputedStyle(one).animationName")
        == "none"
    )


def test_a_move_lasts_until_the_hand_leaves_the_control(bare):
    page = draw_living(bare, explorer := dpwidgets.IntervalExplorer())
    page.clock.install()
    handle = page.locator(LAID)
    undo = page.get_by_role("button", name="Undo")
    count = page.get_by_role("slider", name="Count")
    states = [explorer.state]

    def done():
        settled(page)
        states.append(explorer.state)

    x, y = middle(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(5):  # a hand that holds still, and goes on
        page.clock.fast_forward(60_000)
        page.mouse.move(x + 10 * step, y)
    page.mouse.up()
    done()
    drag(page, handle, across=20)  # at once
    done()
    count.focus()
    for _ in range(5):  # a key that is held
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    done()
    count.press("ArrowRight")
    done()
    page.set_viewport_size({"width": 420, "height": 1000})  # no hand's doing
    expect(page.locator(".dpw-narrow")).to_be_visible()
    settled(page)
    box = page.get_by_role("textbox", name=re.compile("^Confidence"))
    for text in ("abc", "200%", "0,5"):  # the last is one
        box.fill(text)
        box.press("Enter")
        settled(page)
    undo.focus()
    for state in reversed(states):
        page.keyboard.press("Enter")
        settled(page)
        assert explorer.state.values == state.values
        expect(undo).to_be_focused()
    expect(undo).to_be_disabled()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    expect(undo).to_be_focused()
    assert explorer.state.values == states[0].values


#: A finger, as the browser itself knows one.
SCROLLED = "[scrollX, scrollY]"


@pytest.fixture
def page(browser):
    """An empty page that a finger touches."""
    with blank(browser, 420, 700, has_touch=True) as page:
        yield page


@pytest.mark.parametrize("name", HELD)
def test_a_finger_moves_a_handle_or_the_page_and_what_it_leaves_is_let_go(
    page, name
):
    page.set_content(
        "<div id=place></div><div style='width:3000px;height:3000px'></div>"
    )
    explorer = getattr(dpwidgets, name)()
    draw_living(page, explorer)
    expect(page.locator(".dpw-narrow")).to_be_visible()
    settled(page)
    handle = page.locator(f"[data-name={HELD[name]}] > {LAID}").first
    handle.scroll_into_view_if_needed()
    page.evaluate("document.fonts.ready")
    upright = handle.get_attribute("aria-orientation") == "vertical"
    # Chromium knows by itself what is along a slider; other browsers are told.
    the_page_pans = "pan-x" if upright else "pan-y"
    expect(handle).to_have_css("touch-action", the_page_pans)
    along, aside = ((0, 60), (-60, 0)) if upright else ((60, 0), (0, 60))
    at, before = page.evaluate(SCROLLED), getattr(explorer, HELD[name])
    swipe(page, middle(handle), *along)
    settled(page)
    assert getattr(explorer, HELD[name]) > before
    assert page.evaluate(SCROLLED) == at
    # What goes across it is the page's, which takes it from the handle.
    swipe(page, middle(handle), *aside)
    page.wait_for_function(
        "at => scrollX !== at[0] || scrollY !== at[1]", arg=at
    )
    settled(page)
    # So is what the system takes away: its end is never told.
    swipe(page, middle(handle), *along, ends="touchCancel")
    settled(page)
    # Where a finger goes that scrolls nothing moves, not even a slider.
    slider = page.locator(f"[data-name={HELD[name]}] .dpwidgets-slider")
    slider.scroll_into_view_if_needed()
    box, before = slider.bounding_box(), explorer.settings()
    swipe(page, (box["x"] + 12, box["y"] + 22), up=60)
    settled(page)
    assert explorer.settings() == before
    page.get_by_role("button", name="Start over").press("Enter")
    settled(page)
    place = explorer._shown[HELD[name]]["handles"][0]["at"]
    assert float(handle.input_value()) == pytest.approx(10_000 * place, abs=1)


def test_no_answer_moves_a_handle_that_is_held_or_has_gone_on(bare):
    page, explorer = bare, dpwidgets.IntervalExplorer()
    draw_alone(page, explorer)
    handle, says = page.locator(LAID), explorer._shown["half_width"]

    def answer(at):
        held = [{**says["handles"][0], "at": at}]
        page.evaluate(
            "shown => answer(shown)", {"half_width": {**says, "handles": held}}
        )

    x, y = middle(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y)
    page.mouse.move(x + 80, y)
    assert len(page.evaluate("sent")) == 1  # the newest waits
    answer(0.6)
    assert middle(handle)[0] == pytest.approx(x + 80, abs=1)
    answer(0.65)  # all is answered, and yet it is held
    assert middle(handle)[0] == pytest.approx(x + 80, abs=1)
    page.mouse.move(x + 90, y)
    page.mouse.up()
    assert middle(handle)[0] == pytest.approx(x + 90, abs=1)
    shares = [one["share"] for one in page.evaluate("sent")]
    assert shares == sorted(shares)
    assert len(shares) == 3
    answer(0.75)  # the stop that is nearest
    assert page.locator(LAID).input_value() == "7500"


def test_epsilon_moves_by_keyboard_and_nothing_else_on_the_page_does(bare):
    page = draw_living(bare, explorer := dpwidgets.IntervalExplorer())
    slider = page.get_by_role("slider", name="Epsilon (ε)").first
    box = page.get_by_role("textbox", name="Epsilon (ε)")
    sentence = page.locator(".dpw-sentence")
    picture = page.locator(".dpw-picture")
    expect(slider).to_be_disabled()  # it follows from the others
    expect(slider).to_have_attribute("aria-valuetext", "ε = 0.080472")
    page.get_by_role("radio", name="confidence").press("Space")
    expect(slider).to_be_enabled()
    slider.focus()
    assert slider.bounding_box()["height"] >= 44  # for a finger
    place = picture.bounding_box()
    page.evaluate(WATCH_SHIFTS)
    for key, number, confidence in (
        ("ArrowRight", "0.09", "83.4%"),
        ("PageUp", "0.18", "97.2%"),
        ("Home", "0.001", "1.98%"),
    ):
        page.keyboard.press(key)
        expect(sentence).to_contain_text(f"ε = {number} and")
        expect(sentence).to_contain_text(confidence)
        expect(picture.get_by_role("img")).to_have_attribute(
            "aria-label", explorer.sentence
        )
        expect(slider).to_have_attribute("aria-valuetext", f"ε = {number}")
        expect(box).to_have_value(number)
        expect(slider).to_be_focused()
    assert picture.bounding_box() == place
    assert page.evaluate("window.shift") == 0
