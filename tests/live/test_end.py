"""The worker's end of a page says what a real kernel's comms carry, in the same order."""

import base64
import json
import re
import runpy
import sys

import comm
import pytest
from hypothesis import given, settings, strategies as st

import tools
from dpwidgets.page.link import word
from dpwidgets.page.parameters import Choice, Number
from kernel import started

TEXTS = (
    "",
    " ",
    "abc",
    "1/0",
    "0,08",
    "80%",
    "ln 3",
    "1e400",
    "-1",
    "0",
    "9^9^9",
    "½",
    "1 2 <b>",
)
CSV = base64.b64encode(b"age,kind\n" + b"31,a\n47,b\n" * 40).decode()
#: What a reader does at a desk: a column is brought and taken, a record
#: written.
AT_THE_DESK = (
    ("csv", {"file": CSV}),
    ("column", {"place": 0}),
    ("record about", {"text": "Ages <b>"}),
    ("write", {"pressed": True}),
    ("csv", {"file": base64.b64encode(b"\xff\xfe").decode()}),
    ("nobody", {"pressed": True}),
)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    variables = tools.clean_variables(tmp_path_factory.mktemp("settings"))
    with started(sys.executable, variables) as one:
        one.run("import dpwidgets")
        yield one


class Worker:
    """An end, and what it has posted since it was last asked for something."""

    def __init__(self, kind):
        self.posted = []
        self.end = kind(lambda text: self.posted.append(json.loads(text)))

    def take(self, **message):
        self.posted.clear()
        self.end.take(json.dumps(message))
        return self.posted

    def open(self, link):
        """Open a link; return which model it is, and the messages before that answer."""
        *said, last = self.take(open=link, asked=7)
        assert last["kind"] == "answered"
        assert last["asked"] == 7
        return last["answer"], said


@pytest.fixture(scope="module")
def worker():
    with pytest.MonkeyPatch.context() as patch:
        # Given back afterwards.
        patch.setattr(comm, "create_comm", comm.create_comm)
        yield Worker(
            runpy.run_path(str(tools.ROOT / "website" / "live" / "end.py"))[
                "End"
            ]
        )


def alike(messages):
    """Return messages with what differs by chance named by its order: models and pictures."""
    listed = [
        list(one.values()) if isinstance(one, dict) else one
        for one in messages
    ]
    text = json.dumps(listed, sort_keys=True)
    places = {}

    def place(found):
        return f"name {places.setdefault(found[0], len(places))}"

    return json.loads(
        re.sub(
            r"(?<![0-9A-Za-z])(?:[0-9a-f]{32}|[a-z]?[0-9a-f]{10})\b",
            place,
            text,
        )
    )


class Both:
    """The same explorer in a kernel and at a worker's end, to which the same happens."""

    def __init__(self, kernel, worker, kind, link):
        self.kernel, self.worker = kernel, worker
        kernel.heard.clear()
        kernel.run(f"explorer = dpwidgets.{kind.__name__}.from_link({link!r})")
        self.there, said = worker.open(link)
        assert {kind for kind, *_ in kernel.heard} == {"comm_open"}
        assert alike(kernel.heard) == alike(said)
        self.here = next(
            name
            for opened, name, data in kernel.heard
            if "_shown" in data["state"]
        )

    def shown(self, name):
        return self.kernel.says(self.here, name)

    def ask(self, name, **event):
        self.kernel.heard.clear()
        self.kernel.ask(self.here, name, **event)
        turn = self.shown("")["turn"]
        state = {"_asked": {"name": name, "turn": turn, **event}}
        data = {"method": "update", "state": state, "buffer_paths": []}
        said = self.worker.take(model=self.there, data=data)
        assert self.kernel.heard
        assert alike(self.kernel.heard) == alike(said)

    def close(self):
        self.kernel.heard.clear()
        self.kernel.run("explorer.close()")
        assert alike(self.kernel.heard) == alike(
            self.worker.take(close=self.there)
        )


def drawn(data, both, kind):
    """Draw what a reader may do on a control: its name, and the event."""
    traits = kind.parameters()
    name = data.draw(st.sampled_from(list(traits)))
    texts = {"text": data.draw(st.sampled_from(TEXTS) | st.text(max_size=8))}
    if isinstance(traits[name], Choice):
        return name, {
            "place": data.draw(st.integers(0, len(traits[name].options) - 1))
        }
    if isinstance(traits[name], Number) and data.draw(st.booleans()):
        return name, {
            "place": data.draw(st.integers(0, both.shown(name)["max"]))
        }
    return name, texts


@tools.every
@settings(max_examples=max(1, settings.default.max_examples // 20))
@given(data=st.data())
def test_it_says_what_a_kernel_says(kernel, worker, kind, data):
    both = Both(kernel, worker, kind, f"#{word(kind)}")
    for _ in range(4):
        name, event = drawn(data, both, kind)
        both.ask(name, **event)
    both.close()


def test_at_the_desk_too(kernel, worker):
    kind = next(one for one in tools.EXPLORERS if word(one) == "choice")
    both = Both(kernel, worker, kind, "#choice?epsilon=0.5")
    for name, event in AT_THE_DESK:
        both.ask(name, **event)
    # The last deed was another.
    assert [name for name, *_ in both.shown("files")["files"]] == []
    both.close()


def test_it_answers_with_the_link_to_where_a_reader_has_gone(worker):
    model, _ = worker.open("#interval?count=200")
    asked = {"name": "half_width", "turn": "1", "text": "1/8"}
    data = {"method": "update", "state": {"_asked": asked}, "buffer_paths": []}
    worker.take(model=model, data=data)
    (answer,) = worker.take(link=model, asked=3)
    link = "#interval?half_width=0.125&count=200"
    assert answer == {"kind": "answered", "answer": link, "asked": 3}
    model, _ = worker.open("#choice")
    asked = {
        "name": "values",
        "turn": "2",
        "text": " ".join(map(str, range(2500))),
    }
    data = {"method": "update", "state": {"_asked": asked}, "buffer_paths": []}
    worker.take(model=model, data=data)
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
    assert answer.keys() == {"kind", "why", "asked"}
    assert answer["kind"] == "refused"
    assert answer["asked"] == 9
    assert 10 < len(answer["why"]) < 400
    assert worker.end.open == before
