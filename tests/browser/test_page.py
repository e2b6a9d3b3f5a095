"""The front end alone, with a model that answers when the test says so."""

import pytest
from playwright.sync_api import expect

from dpwidgets import (
    ChoiceExplorer,
    IntervalExplorer,
    LossExplorer,
)
from dpwidgets.page.page import Page, button
from pages import draw_alone


def sent(page, *names):
    return [tuple(map(one.get, names)) for one in page.evaluate("sent")]


def test_each_press_is_sent_once_the_one_before_is_answered_or_long_silent(
    bare,
):
    page = draw_alone(
        bare, Page("plain", [button("one", "One"), button("two", "Two")])
    )
    for label in ("One", "One", "Two", "One"):
        page.get_by_role("button", name=label).click()
    # The others wait, and none replaces another.
    assert sent(page, "name") == [("one",)]
    for _ in range(4):
        expect(page.locator(".dpw")).to_have_attribute("aria-busy", "true")
        page.evaluate("answer()")
    expect(page.locator(".dpw")).to_have_attribute("aria-busy", "false")
    assert sent(page, "name") == [("one",), ("one",), ("two",), ("one",)]
    assert len(set(sent(page, "turn"))) == 4
    page.clock.install()
    page.get_by_role("button", name="One").click()
    page.clock.fast_forward(10_000)
    page.get_by_role("button", name="Two").click()
    assert sent(page, "name")[4:] == [("one",), ("two",)]


#: How often a page begins to be dim.
COUNT_DIMS = """window.dims = 0; new MutationObserver((all) => all.forEach((one) =>
    dims += one.target.matches(".dpw-late") && !one.oldValue.includes("dpw-late"))
).observe(document.querySelector(".dpw"), {
    attributeFilter: ["class"], attributeOldValue: true })"""


def test_what_is_old_is_dim_once_and_who_does_not_answer_is_told(bare):
    page = draw_alone(bare, IntervalExplorer())
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    explorer, picture = page.locator(".dpw"), page.locator(".dpw-picture")
    alert = explorer.get_by_role("alert")
    slider = page.get_by_role("slider", name="Count")
    page.evaluate(COUNT_DIMS)

    def move(answered_after=None):
        slider.press("ArrowRight")
        if answered_after:
            page.clock.run_for(answered_after)
            page.evaluate("answer()")

    for _ in range(5):  # a drag where each step takes long
        move(400)
    expect(explorer).to_have_attribute("aria-busy", "false")
    move()
    for _ in range(3):  # and longer
        move(1400)
    assert explorer.get_attribute("aria-busy") == "true"
    expect(picture).to_have_css("opacity", "0.4")
    assert page.evaluate("dims") == 1
    page.evaluate("answer()")
    expect(picture).to_have_css("opacity", "1")
    move()
    page.clock.run_for(9_900)
    expect(alert).to_have_count(0)
    page.clock.run_for(200)
    expect(alert).to_contain_text("Python does not answer.")
    expect(explorer).to_have_attribute("aria-busy", "false")
    expect(picture).to_have_css("opacity", "0.4")  # for it is old
    move()
    expect(explorer).to_have_attribute("aria-busy", "true")
    expect(alert).to_have_count(1)
    page.evaluate("answer()")
    expect(alert).to_have_count(0)
    expect(picture).to_have_css("opacity", "1")
    expect(explorer).to_have_attribute("aria-busy", "false")
    move()
    page.clock.run_for(10_000)
    page.evaluate("answer()")  # that it was slow alone
    expect(alert).to_have_count(0)
    assert page.evaluate("dims") == 3


def test_a_sentence_is_told_once_the_hand_rests_and_stands_once_on_the_page(
    bare,
):
    page = draw_alone(bare, LossExplorer())
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    told, seen = page.locator(".dpw-spoken"), page.locator(".dpw-sentence")
    first = seen.text_content()
    for step in range(20):
        page.evaluate("(text) => answer({ sentence: { text } })", f"{step}.")
        page.clock.run_for(400)
        assert (seen.text_content(), told.text_content()) == (f"{step}.", "")
    page.clock.run_for(100)
    assert told.text_content() == "19."
    assert told.get_attribute("aria-live") == "polite"
    page.clock.run_for(5000)
    assert told.text_content() == ""
    assert first not in page.locator("body").text_content()


#: Hears what its page would pass on to a notebook.
HOST = """<div id="host" tabindex="-1"><div id="place"></div></div><script>
  window.heard = [];
  host.addEventListener("keydown", (event) => {
    if (!event.target.closest("[data-lm-suppress-shortcuts]")) heard.push(event.key);
  });
</script>"""


def test_the_next_key_is_the_pages_wherever_it_was_clicked_or_has_lost_its_control(
    bare,
):
    page, widget = bare, IntervalExplorer()
    page.set_content(HOST)
    draw_alone(page, widget)
    root = page.locator(".dpw")
    follows = page.get_by_role("slider", name="Epsilon (ε)").first
    for place in (
        follows,
        page.get_by_role("textbox", name="Epsilon (ε)"),
        page.get_by_role("img"),
        page.locator(".dpw-sentence"),
        page.get_by_role("button", name="Undo"),
        page.locator(".dpw-controls"),
    ):
        page.locator("#host").focus()
        place.click(force=True)
        page.keyboard.press("x")
    assert page.evaluate("heard") == []
    slider = page.get_by_role("slider", name="Count")
    slider.focus()
    count = widget._shown["count"]
    for lost in ({"solved": True}, {"hidden": True}):
        slider.focus()
        page.evaluate("shown => answer(shown)", {"count": count | lost})
        expect(root).to_be_focused()
        page.evaluate("shown => answer(shown)", {"count": count})


def test_of_a_slider_only_the_newest_place_waits_and_it_is_not_set_back(bare):
    page = draw_alone(bare, LossExplorer())
    slider = page.get_by_role("slider", name="Compositions")
    for _ in range(5):
        slider.press("ArrowRight")
    page.get_by_role("radio", name="Q, without the person").check(force=True)
    slider.press("ArrowRight")
    assert sent(page, "name", "place") == [("compositions", 1)]
    before = page.evaluate("sent.length")
    page.evaluate(
        "answer({ compositions: { place: 1, max: 99, text: '2', spoken: '2' } })"
    )
    expect(slider).to_have_value("6")
    page.evaluate("answer()")
    page.evaluate(
        "answer({ compositions: { place: 6, max: 99, text: '7', spoken: '7' } })"
    )
    expect(slider).to_have_value("6")
    assert sent(page, "name", "place")[before:] == [
        ("swapped", 1),
        ("compositions", 6),
    ]
    slider.focus()
    focused = slider.screenshot()
    slider.blur()
    assert slider.screenshot() != focused


def test_a_drag_sends_each_step_that_is_answered_in_time_and_of_a_slow_one_the_last(
    bare,
):
    number = {
        "kind": "number",
        "name": "number",
        "label": "Place",
        "ends": ["", ""],
    }
    told = {"max": 100, "place": 0, "text": "0", "spoken": "0"}

    def dragged(slow):
        """Take a slider at a tenth of its width and let it go at nine; return the page."""
        widget = Page("told", [number])
        widget.tell(number=told | {"slow": slow})
        bare.goto("about:blank")  # from another one
        page = draw_alone(bare, widget)
        place = page.get_by_role("slider").bounding_box()
        middle = place["y"] + place["height"] / 2
        for step in range(51):
            page.mouse.move(
                place["x"] + (0.1 + 0.8 * step / 50) * place["width"], middle
            )
            if not step:
                page.mouse.down()
            page.evaluate("sent.length && answer()")
        page.mouse.up()
        return page

    at_each = sent(dragged(slow=False), "place")
    assert at_each == sorted(set(at_each))
    assert len(at_each) == 51
    slow = dragged(slow=True)
    ((place,),) = sent(slow, "place")  # none before the release
    assert place == pytest.approx(91, abs=2)
    slow.evaluate("answer()")
    slow.get_by_role("slider").press("ArrowLeft")  # by key there is no release
    assert sent(slow, "place") == [(place,), (place - 1,)]


def test_the_code_is_copied_or_where_a_page_may_not_selected(bare):
    page = draw_alone(bare, IntervalExplorer())
    clipboard = (
        "value => Object.defineProperty(navigator, 'clipboard', { configurable: true, "
        "value: value && { writeText: async (text) => { window.copied = text; } } })"
    )
    line = "interval.precision(half_width=0.2, confidence=0.8, count=100)"
    page.evaluate(clipboard, False)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Selected")).to_be_visible()
    assert line in page.evaluate("String(getSelection())")
    page.evaluate(clipboard, True)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert line in page.evaluate("copied")


def test_a_goal_folds_to_its_switch_where_it_is_left_out(bare):
    page = draw_alone(bare, ChoiceExplorer())
    left_out = page.get_by_role("group", name="error")
    for width in (900, 420):
        page.set_viewport_size({"width": width, "height": 800})
        assert left_out.bounding_box()["height"] <= 28
        expect(left_out.get_by_role("textbox")).to_be_hidden()
