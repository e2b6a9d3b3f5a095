"""The slider alone, in JupyterLab, Notebook and Voila: how it is moved, and what it sends."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

# Each says what it was given. `busy` takes its time for it, `slow` waits for the release.
CELL = """
import time
from ipywidgets import HTML, Layout, VBox
from dpwidgets.widgets.slider import Slider

def told(label, pause, **traits):
    slider = Slider(label=label, layout=Layout(overflow="visible"), **traits)
    said, given = HTML(), []
    def take(change):
        time.sleep(pause)
        given.append(change["new"])
        slider.words = said.value = f"{label}: {given}"
    slider.observe(take, "value")
    return [slider, said]

VBox([*told("busy", 0.3), *told("quick", 0), *told("slow", 0, continuous_update=False)])
"""


@pytest.fixture
def sliders(page):
    page.show(CELL)
    page.page.get_by_role("slider", name="quick").wait_for()
    return page


def slider(page, label):
    return page.page.get_by_role("slider", name=label, exact=True)


def given(page, label, last=None):
    """Return the places that the kernel was given, once the last is this one, or the slider's."""
    if last is None:
        last = slider(page, label).input_value()
    said = page.page.locator(".widget-html-content", has_text=f"{label}: [")
    expect(said).to_have_text(re.compile(rf"\b{last}\]$"))
    return [int(part) for part in said.text_content().partition("[")[2].rstrip("]").split(", ")]


def test_a_drag_sends_what_the_kernel_can_take_and_always_the_last(sliders):
    """Of 50 steps. While the kernel is busy one message is in flight, and a newer step waits."""
    for label, fewest, most in (("quick", 6, 51), ("busy", 2, 10), ("slow", 1, 1)):
        sliders.drag(slider(sliders, label), 0.1, 0.9)
        places = given(sliders, label)
        assert fewest <= len(places) <= most
        assert places == sorted(places)
        assert places[-1] == pytest.approx(91, abs=2)
        expect(slider(sliders, label)).to_have_attribute("aria-valuetext", f"{label}: {places}")
    slider(sliders, "slow").press("ArrowLeft")  # by key there is no release
    assert len(given(sliders, "slow")) == 2


def test_fingers_have_room_keys_move_what_was_touched_and_the_focus_is_seen(sliders):
    one = slider(sliders, "quick")
    place = one.bounding_box()
    assert place["height"] >= 44
    assert one.locator("..").bounding_box()["height"] <= 33  # no more than a box for typing
    for height in (place["y"] + 1, place["y"] + place["height"] - 1):
        sliders.page.mouse.click(place["x"] + place["width"] / 4, height)
        expect(one).to_be_focused()
        before = int(one.input_value())
        assert before == pytest.approx(24, abs=2)
        for key, after in (("ArrowRight", 1), ("PageUp", 11), ("ArrowLeft", 10)):
            sliders.page.keyboard.press(key)
            expect(one).to_have_value(str(before + after))
        given(sliders, "quick", last=before + 10)
        expect(one).to_have_value(str(before + 10))
        focused = one.screenshot()
        one.blur()
        assert one.screenshot() != focused
