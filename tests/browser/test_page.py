"""The front end alone, with a model that answers when the test says so."""

import pytest
from playwright.sync_api import expect

from dpwidgets import Draws, LossExplorer, Sketch
from dpwidgets.calculators import interval
from dpwidgets.page.page import Page, button
from dpwidgets.plots.interval import IsoEpsilon
from pages import draw_alone


@pytest.fixture
def drawn(browser):
    """Draw a page of ours alone; an error in the browser fails the test."""
    context, errors = browser.new_context(viewport={"width": 900, "height": 800}), []

    def draw(widget):
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(error))
        draw_alone(page, widget)
        return page

    yield draw
    context.close()
    assert errors == []


def sent(page, *names):
    return [tuple(map(one.get, names)) for one in page.evaluate("sent")]


def test_each_press_is_sent_once_the_one_before_is_answered(drawn):
    page = drawn(Page("plain", [button("one", "One"), button("two", "Two")]))
    for label in ("One", "One", "Two", "One"):
        page.get_by_role("button", name=label).click()
    assert sent(page, "name") == [("one",)]  # the others wait, and none replaces another
    for _ in range(4):
        expect(page.locator(".dpw")).to_have_attribute("aria-busy", "true")
        page.evaluate("answer()")
    expect(page.locator(".dpw")).to_have_attribute("aria-busy", "false")
    assert sent(page, "name") == [("one",), ("one",), ("two",), ("one",)]
    assert len(set(sent(page, "turn"))) == 4


def test_of_a_slider_only_the_newest_place_waits_and_it_is_not_set_back(drawn):
    page = drawn(LossExplorer())
    slider = page.get_by_role("slider", name="Compositions")
    for _ in range(5):
        slider.press("ArrowRight")
    page.get_by_role("radio", name="Q, without you").check(force=True)
    slider.press("ArrowRight")
    assert sent(page, "name", "place") == [("compositions", 1)]
    before = page.evaluate("sent.length")
    page.evaluate("answer({ compositions: { place: 1, max: 99, text: '2', spoken: '2' } })")
    expect(slider).to_have_value("6")
    page.evaluate("answer()")
    page.evaluate("answer({ compositions: { place: 6, max: 99, text: '7', spoken: '7' } })")
    expect(slider).to_have_value("6")
    assert sent(page, "name", "place")[before:] == [("swapped", 1), ("compositions", 6)]


def test_after_a_long_silence_the_next_event_is_sent_all_the_same(drawn):
    page = drawn(Page("plain", [button("one", "One"), button("two", "Two")]))
    page.get_by_role("button", name="One").click()
    page.evaluate("(now) => { Date.now = () => now + 11000; }", page.evaluate("Date.now()"))
    page.get_by_role("button", name="Two").click()
    assert sent(page, "name") == [("one",), ("two",)]


def test_handles_say_which_of_them_was_moved_and_stand_where_the_sketch_has_its_corners(drawn):
    known = interval.precision(half_width=0.2, confidence=0.8, count=100)
    page = drawn(Sketch("How does it grow?", IsoEpsilon, known, "present"))
    first = page.get_by_role("slider", name="Height at the left end")
    assert first.get_attribute("aria-valuetext") == "51%"
    first.press("PageUp")
    page.get_by_role("slider", name="Height in the middle").press("ArrowDown")
    first.press("ArrowUp")
    page.evaluate("answer()")
    page.evaluate("answer()")
    assert sent(page, "name", "at", "place") == [
        ("handles", 0, 60),
        ("handles", 2, 49),
        ("handles", 0, 61),
    ]
    for width in (900, 420):
        page.set_viewport_size({"width": width, "height": 800})
        frame = page.get_by_role("img").bounding_box()
        for name, share in (("at the left end", 0.1), ("in the middle", 0.5)):
            place = page.get_by_role("slider", name=f"Height {name}").bounding_box()
            across = frame["x"] + (0.135 + share * (0.95 - 0.135)) * frame["width"]
            assert place["width"] == 44
            assert place["x"] + place["width"] / 2 == pytest.approx(across, abs=1.5)
            top, bottom = (frame["y"] + at * frame["height"] for at in (0.04, 0.86))
            assert place["y"] + 12 == pytest.approx(top, abs=1.5)
            assert place["y"] + place["height"] - 12 == pytest.approx(bottom, abs=1.5)


def test_draws_hold_their_explorer_as_a_child_above_the_buttons(drawn):
    page = drawn(Draws(LossExplorer()))
    child = page.get_by_text("child")
    expect(child).to_be_visible()
    button = page.get_by_role("button", name="Draw 1", exact=True)
    assert child.bounding_box()["y"] < button.bounding_box()["y"]
    button.click()
    assert sent(page, "name", "pressed") == [("Draw 1", True)]
    expect(page.get_by_role("status")).to_have_text("Nothing is drawn yet.")
