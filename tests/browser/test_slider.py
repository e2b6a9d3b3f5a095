"""The slider alone, in JupyterLab, Notebook and Voila: how it is moved, and what it sends."""

import re

import pytest
from playwright.sync_api import expect

from pages import opened

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

# Each says what it was given, as soon as nothing holds the kernel; `slow` waits for the release.
CELL = """
import time
from pathlib import Path
from IPython.display import display
from dpwidgets.page.page import Page, words

class Told(Page):
    def __init__(self, label, slow=False):
        self.label, self.slow, self.given = label, slow, []
        about = {{"kind": "number", "name": "number", "label": label, "ends": ["", ""]}}
        self.say(0)
        super().__init__("told", [about, words("given")])

    def asked(self, name, event):
        while Path({hold!r}).exists():
            time.sleep(0.01)
        self.given.append(event["place"])
        self.say(event["place"])

    def say(self, place):
        text = f"{{self.label}}: {{self.given}}"
        at = {{"max": 100, "place": place, "text": str(place), "spoken": text, "slow": self.slow}}
        self.tell(number=at, given={{"text": text}})

display(Told("slow", slow=True), Told("quick"), Told("busy"), Told("touched"))
"""


@pytest.fixture(scope="module")
def hold(tmp_path_factory):
    """A file: while it is there, the kernel is busy with the first step that it was given."""
    return tmp_path_factory.mktemp("hold") / "hold"


@pytest.fixture(scope="module")
def sliders(browser, server, notebooks, kind, hold):
    """A page of sliders, one or two for each test."""
    with opened(browser, server, notebooks, kind) as page:
        page.show(CELL.format(hold=str(hold)))
        page.page.get_by_role("slider", name="touched").wait_for()
        yield page


def slider(page, label):
    return page.page.get_by_role("slider", name=label, exact=True)


def given(page, label, last=None):
    """Return the places that the kernel was given, once the last is this one, or the slider's."""
    if last is None:
        last = slider(page, label).input_value()
    said = page.page.locator("[data-name=given]", has_text=f"{label}: [")
    expect(said).to_have_text(re.compile(rf"\b{last}\]$"))
    return [int(part) for part in said.text_content().partition("[")[2].rstrip("]").split(", ")]


def test_each_step_of_a_drag_is_sent_while_the_kernel_keeps_up_and_none_before_a_slow_ones_release(
    sliders,
):
    one = slider(sliders, "quick")
    seen = []
    sliders.drag(one, 0.1, 0.9, meanwhile=lambda: seen.append(given(sliders, "quick")[-1]))
    assert given(sliders, "quick") == seen == sorted(set(seen))
    assert len(seen) == 51
    expect(one).to_have_attribute("aria-valuetext", f"quick: {seen}")
    one = slider(sliders, "slow")
    sliders.drag(one, 0.1, 0.9)
    (place,) = given(sliders, "slow")
    assert place == pytest.approx(91, abs=2)
    one.press("ArrowLeft")  # by key there is no release
    assert given(sliders, "slow") == [place, place - 1]


def test_while_the_kernel_is_busy_one_message_is_in_flight_and_of_the_others_the_last_arrives(
    sliders, hold
):
    hold.touch()
    sliders.drag(slider(sliders, "busy"), 0.1, 0.9)
    hold.unlink()
    first, last = given(sliders, "busy")
    assert first == pytest.approx(9, abs=2)
    assert last == pytest.approx(91, abs=2)


def test_fingers_have_room_keys_move_what_was_touched_and_the_focus_is_seen(sliders):
    one = slider(sliders, "touched")
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
        given(sliders, "touched", last=before + 10)
        expect(one).to_have_value(str(before + 10))
        focused = one.screenshot()
        one.blur()
        assert one.screenshot() != focused
