"""One step of a slider goes as CONTRIBUTING says, line by line."""

import inspect
import re
import sys

import pytest

from dpwidgets import IntervalExplorer, LossExplorer
from dpwidgets.page.parameters import Number
from dpwidgets.page.state import State
from dpwidgets.plots.base import Plot
from dpwidgets.plots.handle import Handle
from tools import ROOT, ask

HOUSE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEP = HOUSE.partition("One step of a slider")[2].partition("What is refused")[
    0
]
#: The first line happens in the browser.
IN_THE_BROWSER, *IN_PYTHON = re.split(r"\n\d\. ", STEP)[1:]
KINDS = {
    kind.__name__: kind
    for kind in (*IntervalExplorer.mro(), *Number.mro(), Handle, Plot, State)
}


def named(line):
    return re.findall("`([^`]+)`", line)


def code_of(name):
    """Return what runs where a name in the text is called."""
    kind, _, method = name.rpartition(".")
    function = getattr(KINDS.get(kind, IntervalExplorer), method, None)
    if function is None:
        function = KINDS[name].__init__
    return inspect.unwrap(function).__code__


def calls_of(explorer, name, **event):
    """Return in order what runs in Python where a reader moves something."""
    calls = []

    def note(frame, kind, _):
        if kind == "call":
            calls.append(frame.f_code)

    sys.setprofile(note)
    try:
        ask(explorer, name, **event)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    ("event", "other"),
    [
        ({"place": 40}, "Handle.nearest"),
        ({"share": 0.3, "handle": 0}, "Number.heard"),
    ],
)
def test_a_step_calls_what_the_lines_name_in_their_order(event, other):
    names = [name for line in IN_PYTHON for name in named(line)]
    assert len(names) == 13
    names.remove(other)
    calls = calls_of(IntervalExplorer(), "half_width", **event)
    first = [calls.index(code_of(name)) for name in names]
    assert first == sorted(first)
    assert code_of(other) not in calls


def test_the_browser_sends_what_it_asks():
    _, script, trait = named(IN_THE_BROWSER)
    page = (ROOT / "dpwidgets/page" / script).read_text(encoding="utf-8")
    assert f'"{trait}"' in page


def test_what_a_parameter_refuses_leaves_the_values():
    explorer = IntervalExplorer()
    before, result = explorer.state, explorer.result
    ask(explorer, "half_width", text="wide")
    assert explorer.state.values == before.values
    assert explorer.state.typed == {"half_width": "wide"}
    assert explorer.messages.keys() == {"half_width"}
    assert explorer.result is result


def test_what_only_the_calculator_refuses_keeps_the_state():
    explorer = LossExplorer(mechanism="finite")
    result = explorer.result
    calls = calls_of(explorer, "p", text="0.5 0.25 0.25")
    assert code_of("Explorer._refuse") in calls
    assert explorer.p == explorer.state.values["p"] == (0.5, 0.25, 0.25)
    assert explorer.messages
    assert explorer.result is result
