"""Whatever happens to an explorer, it shows one state that holds together, and raises nothing."""

from contextlib import suppress
from functools import partial

import numpy as np
from hypothesis import given, note, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from dpwidgets.page.parameters import (
    Choice,
    Column,
    InvalidValueError,
    Number,
    TextBox,
)
from strategies import beyond, numbers, odd
from tools import (
    EXPLORERS as KINDS,
    ask,
    assert_readable,
    assert_whole,
    at_once,
    or_message,
    shown,
)

COLUMNS = (
    [1, 2, 3, 10], [0, 0, 0], {"Ann": 1, "Bob": 2.5, "Cy": -3}, [1e-300, 0, 1e-300],
    [1e12, -1e12, 3], [0.1, 0.2, 0.3, 0.4, 0.5], [0.5, 0.25, 0.25], [0.1, 0.0, 0.9],
)  # fmt: skip
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
    "1,000",
    "½",
)


def evaluate(code: str):
    """Execute the lines of the code and return the value of the last."""
    names = {}
    *lines, last = code.splitlines()
    exec("\n".join(lines), names)
    return eval(last, names)


def values(trait):
    """Draw what may be assigned to a parameter, allowed or not."""
    if isinstance(trait, Number):
        may_be_none = trait.follows or trait.optional
        nothing = st.none() if may_be_none else st.nothing()
        stops = st.sampled_from(trait.grid.tolist())
        return (
            stops
            | numbers(trait.domain)
            | beyond(trait.domain)
            | odd
            | nothing
        )
    if isinstance(trait, Column):
        return st.sampled_from(COLUMNS) | odd
    if isinstance(trait, TextBox):
        return st.text(max_size=50) | odd
    return st.sampled_from(list(trait.options)) | odd


class Events(RuleBasedStateMachine):
    """An explorer of any kind and everything that may happen to it."""

    explorer = None

    @initialize(kind=st.sampled_from(KINDS))
    def make(self, kind):
        self.explorer = kind()

    def _name(self, data, *kinds):
        traits = self.explorer.parameters()
        return data.draw(
            st.sampled_from(
                [n for n, t in traits.items() if isinstance(t, kinds)]
            )
        )

    def _place(self, data, name):
        return data.draw(st.integers(0, shown(self.explorer, name)["max"]))

    def teardown(self):
        if self.explorer is not None:
            if not self.explorer.messages:
                assert_whole(self.explorer)
                self.its_link_leads_back()
            self.explorer.close()

    @rule(data=st.data())
    def assign(self, data):
        name = self._name(data, Number, Column, TextBox, Choice)
        value = data.draw(values(self.explorer.parameters()[name]))
        try:
            setattr(self.explorer, name, value)
        except InvalidValueError as error:
            assert_readable(error, name)

    @rule(data=st.data())
    def assign_two_at_once(self, data):
        with (
            suppress(InvalidValueError),
            self.explorer.hold_trait_notifications(),
        ):
            for _ in range(2):
                name = self._name(data, Number, Choice)
                trait = self.explorer.parameters()[name]
                setattr(self.explorer, name, data.draw(values(trait)))

    @rule(data=st.data())
    def slide(self, data):
        name = self._name(data, Number)
        ask(self.explorer, name, place=self._place(data, name))

    @rule(
        data=st.data(),
        text=st.none() | st.sampled_from(TEXTS) | st.text(max_size=8),
    )
    def type_text(self, data, text):
        name = self._name(
            data, Number, *([Column] if text is not None else [])
        )
        if text is None:
            text = f"{data.draw(numbers(self.explorer.parameters()[name].domain)):.12g}"
        ask(self.explorer, name, text=text)
        if name in self.explorer.state.typed:
            assert shown(self.explorer, name)["text"] == text

    @rule(data=st.data())
    def press(self, data):
        name = self._name(data, Choice)
        many = len(self.explorer.parameters()[name].options)
        ask(self.explorer, name, place=data.draw(st.integers(0, many - 1)))

    @rule(data=st.data())
    def send_from_a_page(self, data):
        name = self._name(data, Number, Choice)
        value = data.draw(values(self.explorer.parameters()[name]))
        self.explorer.set_state({name: value})

    @rule(data=st.data())
    def two_threads(self, data):
        names = [self._name(data, Number) for _ in range(2)]
        moves = [
            partial(ask, self.explorer, name, place=self._place(data, name))
            for name in names
        ]
        at_once(*moves)

    @invariant()
    def its_code_computes_its_result(self):
        explorer = self.explorer
        note(
            f"{type(explorer).__name__} {explorer.settings()} {explorer.messages}"
        )
        result = evaluate(explorer.code)
        assert result == explorer.result or np.array_equal(
            result, explorer.result
        )
        again = explorer._seen(explorer.state_at())
        # Nobody changes where it began.
        assert again.state.values == explorer._start.values
        assert (
            explorer.sentence
            == shown(explorer, "sentence")["text"]
            == explorer.still.alt
        )
        assert shown(explorer, "picture")["stale"] == bool(explorer.messages)
        for name, value in explorer.state.values.items():
            assert getattr(explorer, name) == value, name
        for message in explorer.messages.values():
            assert message in str(explorer._shown) or repr(message)[
                1:-1
            ] in str(explorer._shown)

    def its_link_leads_back(self):
        explorer = self.explorer
        if len(explorer.settings().get("values", ())) <= 50:
            linked = type(explorer).from_link(explorer.link())
            assert linked.settings() == explorer.settings()
            linked.close()


ODD_LINKS = st.text(max_size=40) | st.builds(
    "#{}?{}={}&{}".format,
    st.sampled_from(["interval", "worlds", "bayes", "choice"]),
    st.sampled_from(
        ["count", "values", "epsilon", "view", "solve_for", "layout", "_lock"]
    ),
    st.sampled_from([*TEXTS, "%ff", "%00", "a:1;b:2", "1%0a2", "%EF%BF%BD"])
    | st.text(max_size=8),
    st.sampled_from(["", "answer=", "answer=1", "p=%zz", "&", "count=1"]),
)


@given(kind=st.sampled_from(KINDS), link=ODD_LINKS)
def test_any_text_is_a_link_or_gets_a_message(kind, link):
    explorer = or_message(kind.from_link, link)
    if explorer:
        again = kind.from_link(explorer.link())
        assert again.settings() == explorer.settings()


TestEvents = Events.TestCase  # they draw, which takes most of the time
TestEvents.settings = settings(
    stateful_step_count=8,
    max_examples=max(1, settings.default.max_examples // 4),
)
