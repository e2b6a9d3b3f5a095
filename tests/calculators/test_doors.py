"""Every function behind a door refuses by name what its arguments do not allow."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

from dpwidgets import calculators, decisions, inputs
from dpwidgets.inputs.domain import POSITIVE, DomainError, whole
from dpwidgets.inputs.door import takes


def doors():
    """Return the functions and methods behind a door, under their names."""
    found = {}
    for room in (calculators, decisions, inputs):
        for one in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(one.name)
            classes = [
                thing
                for thing in vars(module).values()
                if isinstance(thing, type)
            ]
            things = [
                thing
                for holder in (module, *classes)
                for thing in vars(holder).values()
            ]
            for function in things:
                if getattr(function, "domains", None) and not hasattr(
                    function, "cache_info"
                ):
                    found[f"{function.__module__}.{function.__qualname__}"] = (
                        function
                    )
    return found


DOORS = doors()


def split(domain, *more):
    """Return the ends of a domain and other numbers: those that it allows, and all others."""
    numbers = np.array([domain.low, domain.high, *more])
    inside = domain.contains(numbers)
    return numbers[inside].tolist(), numbers[~inside].tolist()


def test_no_number_goes_past_a_door_unchecked():
    kinds = ("float", "int", "float | None", "int | None")
    unchecked = {
        f"{name.rpartition('.')[2]}: {argument}"
        for name, door in DOORS.items()
        for argument, one in inspect.signature(door).parameters.items()
        if inspect.formatannotation(one.annotation).strip("'") in kinds
        and argument not in door.domains
    }
    assert len(DOORS) > 20
    # These are checked inside: what two allow depends on n, and two must be
    # one number.
    inside = {"out_of_range: count", "mean_error: true_count"}
    assert unchecked <= inside | {
        "confidence: epsilon",
        "certified: confidence",
        # Of how many digits a scale is: what an older file says, and no reader.
        "scale: digits",
    }


@pytest.mark.parametrize("name", DOORS)
def test_a_door_names_the_argument_that_it_refuses(name):
    """It looks at them before anything else: what the others and `self` are does not matter."""
    door = DOORS[name]
    parameters = inspect.signature(door).parameters
    given = dict.fromkeys(parameters)
    for argument, domain in door.domains.items():
        given[argument] = split(domain, 1.0, 0.5, 2.0, 10.0)[0][-1]
    for argument, domain in door.domains.items():
        beyond = np.nextafter([domain.low, domain.high], [-np.inf, np.inf])
        allowed, refused = split(
            domain, *beyond, -1, 0, 1.5, np.inf, -np.inf, np.nan
        )
        for value in allowed:
            assert domain.check_one(argument, value) == value
        odd = ["0.5", True, 1j, [1, [2]]] + [None] * (
            parameters[argument].default is not None
        )
        bad = [
            (DomainError, [value, [given[argument], value]])
            for value in refused
        ]
        for error, values in [*bad, (TypeError, odd)]:
            for value in values:
                with pytest.raises(error) as caught:
                    door(**given | {argument: value})
                assert getattr(caught.value, "argument", argument) == argument
                assert str(caught.value).startswith(
                    f"{argument} must be {domain.allowed}; got "
                )


def test_a_door_for_single_numbers():
    @takes(n=whole(1, 9), p=POSITIVE, q=POSITIVE)
    def three(n, p=0, q=None, word=""):
        return n, p, q, word

    assert three(3.0, word="w") == (3, 0, None, "w")
    assert type(three(np.float64(3))[0]) is int
    assert three(1, q=2)[2] == 2.0
    for given, shape in (
        ({"n": [3]}, r"\(1,\)"),
        ({"n": 3, "q": [[1, 2]]}, r"\(1, 2\)"),
    ):
        with pytest.raises(
            DomainError, match=f"got an array of shape {shape}"
        ):
            three(**given)
