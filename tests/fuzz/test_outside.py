"""Whatever comes from outside: a list is a column, and JSON a record, or gets a message."""

import copy
import json

import numpy as np
from hypothesis import given, strategies as st

from dpwidgets.decisions import choice
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import (
    BeliefGoal,
    BudgetGoal,
    ErrorGoal,
    IntervalGoal,
)
from dpwidgets.decisions.record import CaseRecord, of_case
from dpwidgets.inputs.column import records
from strategies import odd as objects
from tools import Series, or_message

CASE = Case(
    published="mean",
    n=4,
    low=0,
    high=10,
    prior=0.1,
    releases=2,
    reference=3,
    confidence=0.8,
)
GOALS = [
    IntervalGoal(0.2),
    ErrorGoal(2),
    choice.risk_goal(CASE, [1, 2, 3, 10], 0.4),
    BeliefGoal(0.2),
    BudgetGoal(2),
]
MADE = json.loads(of_case(CASE, GOALS, 0.3, about="patients").json())
REFUSED = json.loads(of_case(CASE, GOALS, None).json())
odd = st.sampled_from(
    [0, 1, -1, 0.5, 1e-320, 1e308, 1e400, 10**20, 10**400, 10**4000]
)
text = (
    st.text()
    | st.text(st.characters(categories=["Cc", "Cs", "Zs"]))
    | st.sampled_from("|<#$")
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | odd | text
values = st.recursive(
    scalars,
    lambda some: (
        st.lists(some, max_size=4) | st.dictionaries(text, some, max_size=4)
    ),
)


def places(value, path=()):
    """Yield the path to every value in a piece of JSON."""
    yield path
    if isinstance(value, (dict, list)):
        for name in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[name], (*path, name))


@st.composite
def nearly_records(draw):
    """Draw a of_case's JSON in which a few values are replaced, added or taken away."""
    content = copy.deepcopy(draw(st.sampled_from([MADE, REFUSED])))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(
            st.sampled_from([path for path in places(content) if path])
        )
        inside = content
        for step in path[:-1]:
            inside = inside[step]
        match draw(st.sampled_from(["replace", "replace", "drop", "add"])):
            case "replace":
                inside[path[-1]] = draw(values)
            case "drop":
                del inside[path[-1]]
            case "add" if isinstance(inside, dict):
                inside[draw(text)] = draw(values)
            case "add":
                inside.append(draw(values))
    return content


@given(nearly_records().map(json.dumps))
def test_anything_is_a_record_or_gets_a_message(source):
    """It is shown, written and loaded again. What is no JSON: tests/inputs/test_outside.py."""
    loaded = or_message(CaseRecord.load, source)
    if loaded is None:
        return
    assert loaded.markdown().encode()
    assert loaded.html().encode()
    assert loaded.public().json()
    assert (
        CaseRecord.load(loaded.json())
        == loaded
        == CaseRecord.load(loaded.json().encode())
    )
    assert "\x00" not in repr(loaded)


plain = st.integers() | st.floats() | st.complex_numbers() | st.fractions()
cells = (
    objects
    | plain
    | st.text(max_size=3)
    | st.sampled_from([5e-324, np.float32(0.5), np.bool_(1)])
)
shapes = st.sampled_from([
    list,
    iter,
    Series,
    lambda some: {f"n{place}": cell for place, cell in enumerate(some)},
    lambda some: Series(some, [f"n{place}" for place in range(len(some))]),
    lambda some: [some, some],
    lambda some: np.array(some, dtype=object),
])  # fmt: skip
lists = st.lists(cells, max_size=6) | st.lists(
    st.floats(-1e9, 1e9), min_size=3
)


@given(cells | st.builds(lambda shape, some: shape(some), shapes, lists))
def test_anything_is_a_column_or_gets_a_message(values):
    column = or_message(records, values, says=["values must be "])
    if column is None:
        return
    numbers = column.values() if isinstance(column, dict) else column
    assert len(numbers) >= 3
    assert all(
        type(number) is float and np.isfinite(number) for number in numbers
    )
    assert records(column) == column
