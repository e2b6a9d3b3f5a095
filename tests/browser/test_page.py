"""The front end alone, with a model that answers when the test says so."""

import pytest
from playwright.sync_api import expect

from dpwidgets import (
    ChoiceExplorer,
    IntervalExplorer,
    LossExplorer,
)
from dpwidgets.page.page import Page, button
from dpwidgets.teaching.by_hand import BayesTable
from pages import draw_alone, drawing


@pytest.fixture
def drawn(browser):
    """Draw a page of ours alone; an error in the browser fails the test."""
    with drawing(browser, draw_alone, 900, 800) as draw:
        yield draw


def sent(page, *names):
    return [tuple(map(one.get, names)) for one in page.evaluate("sent")]


def test_each_press_is_sent_once_the_one_before_is_answered_or_long_silent(
    drawn,
):
    page = drawn(Page("plain", [button("one", "One"), button("two", "Two")]))
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
    page.get_by_role("button", name="One").click()
    page.evaluate(
        "(now) => { Date.now = () => now + 11000; }",
        page.evaluate("Date.now()"),
    )
    page.get_by_role("button", name="Two").click()
    assert sent(page, "name")[4:] == [("one",), ("two",)]


def test_of_a_slider_only_the_newest_place_waits_and_it_is_not_set_back(drawn):
    page = drawn(LossExplorer())
    slider = page.get_by_role("slider", name="Compositions")
    for _ in range(5):
        slider.press("ArrowRight")
    page.get_by_role("radio", name="Q, without you").check(force=True)
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
    drawn,
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
        page = drawn(widget)
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


def test_the_handles_of_a_picture_by_hand_stand_where_it_has_its_bars(drawn):
    page = drawn(BayesTable(n=5, p=0.3, epsilon=1, answer=4))
    for width in (900, 420):
        page.set_viewport_size({"width": width, "height": 800})
        frame = page.get_by_role("img").bounding_box()
        for count in (0, 3):
            place = page.get_by_role(
                "slider", name=f"Count {count}"
            ).bounding_box()
            share = 0.09 + 0.88 * (count + 0.5) / 6
            across = frame["x"] + share * frame["width"]
            thumb = place["width"]
            assert thumb >= 24
            assert place["x"] + thumb / 2 == pytest.approx(across, abs=1.5)
            top, bottom = (
                frame["y"] + at * frame["height"] for at in (0.38, 0.59)
            )
            assert place["y"] + thumb / 2 == pytest.approx(top, abs=1.5)
            assert place["y"] + place["height"] - thumb / 2 == pytest.approx(
                bottom, abs=1.5
            )


def test_the_code_is_copied_or_where_a_page_may_not_selected(drawn):
    page = drawn(IntervalExplorer())
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


def test_a_goal_folds_to_its_switch_where_it_is_left_out(drawn):
    page = drawn(ChoiceExplorer())
    left_out = page.get_by_role("group", name="error")
    for width in (900, 420):
        page.set_viewport_size({"width": width, "height": 800})
        assert left_out.bounding_box()["height"] <= 28
        expect(left_out.get_by_role("textbox")).to_be_hidden()
