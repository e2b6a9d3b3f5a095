"""Whatever happens to an explorer, it shows one state that holds together, and raises nothing."""

from functools import partial

import numpy as np
from hypothesis import given, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import dpwidgets
from dpwidgets.widgets.controls import ChoiceControl, NumberControl
from dpwidgets.widgets.parameters import Choice, InvalidValueError, Number, Numbers, Words
from strategies import beyond, numbers, odd
from tools import assert_readable, at_once

KINDS = [getattr(dpwidgets, name) for name in dpwidgets.__all__ if name.endswith("Explorer")]
COLUMNS = (
    [1, 2, 3, 10],
    [0, 0, 0],
    {"Ann": 1, "Bob": 2.5, "Cy": -3},
    [1e-300, 0, 1e-300],
    [1e12, -1e12, 3],
    [0.1, 0.2, 0.3, 0.4, 0.5],
    [0.5, 0.25, 0.25],
    [0.1, 0.0, 0.9],
)
TEXTS = ("", " ", "abc", "1/0", "0,08", "80%", "ln 3", "1e400", "-1", "0", "9^9^9", "1,000", "½")


def evaluate(code: str):
    """Execute the lines of the code and return the value of the last."""
    names = {}
    *lines, last = code.splitlines()
    exec("\n".join(lines), names)
    return eval(last, names)


def values(trait):
    """Draw what may be assigned to a parameter, allowed or not."""
    if isinstance(trait, Number):
        nothing = st.none() if trait.follows or trait.optional else st.nothing()
        stops = st.sampled_from(trait.grid.tolist())
        return stops | numbers(trait.domain) | beyond(trait.domain) | odd | nothing
    if isinstance(trait, Numbers):
        return st.sampled_from(COLUMNS) | odd
    if isinstance(trait, Words):
        return st.text(max_size=50) | odd
    return st.sampled_from(list(trait.options)) | odd


class Events(RuleBasedStateMachine):
    """An explorer and everything that may happen to it; at the end another one is compared."""

    @initialize(kind=st.sampled_from(KINDS))
    def make(self, kind):
        self.explorer = kind()
        self.linked = None

    def teardown(self):
        if hasattr(self, "explorer"):
            self.another_made_alike_is_alike()
            self.explorer.close()

    def _name(self, data, *kinds):
        traits = self.explorer.parameters()
        return data.draw(st.sampled_from([n for n, t in traits.items() if isinstance(t, kinds)]))

    @rule(data=st.data())
    def assign(self, data):
        name = self._name(data, Number, Numbers, Words, Choice)
        value = data.draw(values(self.explorer.parameters()[name]))
        try:
            setattr(self.explorer, name, value)
        except InvalidValueError as error:
            message = str(error)
            assert name in message

    @rule(data=st.data())
    def assign_two_at_once(self, data):
        try:
            with self.explorer.hold_trait_notifications():
                for _ in range(2):
                    name = self._name(data, Number, Choice)
                    trait = self.explorer.parameters()[name]
                    value = data.draw(values(trait))
                    setattr(self.explorer, name, value)
        except InvalidValueError:
            pass

    @rule(data=st.data())
    def slide(self, data):
        control = self.explorer.controls[self._name(data, Number)]
        assert isinstance(control, NumberControl)
        control.slider.value = data.draw(st.integers(0, control.slider.max))

    @rule(data=st.data(), text=st.sampled_from(TEXTS) | st.text(max_size=8))
    def type_text(self, data, text):
        self.explorer.controls[self._name(data, Number, Numbers)].box.value = text

    @rule(data=st.data())
    def type_number(self, data):
        name = self._name(data, Number)
        number = data.draw(numbers(self.explorer.parameters()[name].domain))
        self.explorer.controls[name].box.value = f"{number:.12g}"

    @rule(data=st.data())
    def press(self, data):
        control = self.explorer.controls[self._name(data, Choice)]
        assert isinstance(control, ChoiceControl)
        control.buttons.value = data.draw(st.sampled_from([v for _, v in control.buttons.options]))

    @rule(data=st.data())
    def two_threads(self, data):
        names = [self._name(data, Number) for _ in range(2)]
        stops = [data.draw(st.integers(0, self.explorer.controls[n].slider.max)) for n in names]

        def move(name, stop):
            self.explorer.controls[name].slider.value = stop

        at_once(*(partial(move, *one) for one in zip(names, stops, strict=True)))

    @invariant()
    def its_code_computes_its_result(self):
        if hasattr(self, "explorer"):
            explorer = self.explorer
            note(f"{type(explorer).__name__} {explorer.settings()} {explorer.messages}")
            result = evaluate(explorer.code)
            assert result == explorer.result or np.array_equal(result, explorer.result)

    def another_made_alike_is_alike(self):
        explorer = self.explorer
        fresh = type(explorer)(**explorer.settings())
        assert fresh.sentence == explorer.sentence
        assert fresh.code == explorer.code
        assert fresh.still == explorer.still
        for name in explorer.parameters():
            assert getattr(fresh, name) == getattr(explorer, name), name
        fresh.close()
        if len(explorer.settings().get("values", ())) <= 50:
            linked = type(explorer).from_link(explorer.link())
            assert linked.settings() == explorer.settings()
            linked.close()


ODD_LINKS = st.text(max_size=40) | st.builds(
    "#{}?{}={}&{}".format,
    st.sampled_from(["interval", "worlds", "bayes", "choice"]),
    st.sampled_from(["count", "values", "epsilon", "view", "solve_for", "layout", "_lock"]),
    st.sampled_from([*TEXTS, "%ff", "%00", "a:1;b:2", "1%0a2", "%EF%BF%BD"]) | st.text(max_size=8),
    st.sampled_from(["", "answer=", "answer=1", "p=%zz", "&", "count=1"]),
)


@given(kind=st.sampled_from(KINDS), link=ODD_LINKS)
def test_any_text_is_a_link_or_gets_a_message(kind, link):
    try:
        explorer = kind.from_link(link)
    except (TypeError, ValueError) as error:
        assert_readable(error)
    else:
        assert kind.from_link(explorer.link()).settings() == explorer.settings()
        explorer.close()


TestEvents = Events.TestCase
TestEvents.settings = settings(stateful_step_count=6)
