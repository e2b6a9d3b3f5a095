"""The worker's end of a page says what a kernel's comms carry, in the same order."""

import json
import runpy

import comm
import pytest

from dpwidgets import IntervalExplorer
from tools import ROOT


class Worker:
    """An end, and what it has posted since it was last asked for something."""

    def __init__(self, kind):
        self.posted = []
        self.end = kind(lambda text: self.posted.append(json.loads(text)))

    def take(self, **message):
        self.posted.clear()
        self.end.take(json.dumps(message))
        return self.posted

    def tell(self, model, asked):
        """Tell a model what a reader did."""
        data = {
            "method": "update",
            "state": {"_asked": asked},
            "buffer_paths": [],
        }
        return self.take(model=model, data=data)

    def open(self, link, **before):
        """Open a link; return which model it is, and the messages before that answer."""
        *said, last = self.take(open=link, asked=7, **before)
        assert (last["kind"], last["asked"]) == ("answered", 7)
        return last["answer"], said


@pytest.fixture(scope="module")
def worker():
    with pytest.MonkeyPatch.context() as patch:
        # Given back afterwards.
        patch.setattr(comm, "create_comm", comm.create_comm)
        yield Worker(
            runpy.run_path(str(ROOT / "website" / "live" / "end.py"))["End"]
        )


def test_a_widget_says_at_once_what_it_is_and_answers_what_it_is_told(worker):
    """In the order of a kernel: the models that others hold come before those."""
    link = "#interval?count=200"
    model, said = worker.open(link)
    assert {one["kind"] for one in said} == {"comm_open"}
    *_, explorer = (one for one in said if "_shown" in one["data"]["state"])
    assert explorer["model"] == model
    asked = {"name": "half_width", "turn": "1", "text": "1/8"}
    told = worker.tell(model, asked)
    assert {one["kind"] for one in told} == {"comm_msg"}
    shown = {}
    for one in told:
        if one["model"] == model:
            shown |= one["data"]["state"].get("_shown", {})
    here = IntervalExplorer(count=200, half_width=0.125)
    assert shown["sentence"]["text"] == here.sentence
    assert worker.take(close=model)[0]["kind"] == "comm_close"


def test_start_over_and_undo_lead_to_where_the_page_was_before_python_came(
    worker,
):
    start, between = "#interval?count=200", "#interval?count=500"
    now = "#interval?half_width=1/8"
    model, _ = worker.open(now, past=[start, start, between])

    def goes_to(name, turn):
        asked = {"name": name, "turn": turn, "move": turn, "pressed": True}
        worker.tell(model, asked)
        (answer,) = worker.take(link=model, asked=3)
        return answer["answer"]

    shown = worker.end.open[model]._shown
    assert [shown[name]["disabled"] for name in ("undo", "over")] == [0, 0]
    assert goes_to("undo", "1") == between
    assert goes_to("undo", "2") == start
    shown = worker.end.open[model]._shown
    assert [shown[name]["disabled"] for name in ("undo", "over")] == [1, 1]
    model, _ = worker.open(now, past=[start])
    assert goes_to("over", "1") == start


def test_it_answers_with_the_link_to_where_a_reader_has_gone(worker):
    model, _ = worker.open("#interval?count=200")
    asked = {"name": "half_width", "turn": "1", "text": "1/8"}
    worker.tell(model, asked)
    (answer,) = worker.take(link=model, asked=3)
    link = "#interval?half_width=0.125&count=200"
    assert answer == {"kind": "answered", "answer": link, "asked": 3}
    model, _ = worker.open("#choice")
    asked = {
        "name": "values",
        "turn": "2",
        "text": " ".join(map(str, range(2500))),
    }
    worker.tell(model, asked)
    (answer,) = worker.take(link=model, asked=4)
    assert answer["kind"] == "refused"
    assert "values" in answer["why"] or "link" in answer["why"]


@pytest.mark.parametrize(
    "link",
    [
        *(
            "",
            "#",
            "#oops",
            "#explorer",
            "interval?count",
            "#interval?oops=1",
            "#interval?count=0",
        ),
        *(
            "#interval?count=<b>",
            "#interval?count=1&count=2",
            "#interval?view=oops",
            "#question",
        ),
        "#interval?half_width=0.1&confidence=0.8&epsilon=1&count=100",
        "#choice?values=" + "1," * 200_000,
    ],
    ids=lambda link: link[:30],
)
def test_a_link_that_is_none_is_refused_and_no_explorer_is_made(worker, link):
    before = dict(worker.end.open)
    *said, answer = worker.take(open=link, asked=9)
    # A layout may be.
    assert not [one for one in said if "_about" in one["data"]["state"]]
    assert 10 < len(answer.pop("why")) < 400
    assert answer == {"kind": "refused", "asked": 9}
    assert worker.end.open == before
