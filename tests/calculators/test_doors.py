"""Every function behind a door refuses by name what its arguments do not allow."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

from dpwidgets import calculators, inputs
from dpwidgets.inputs.domain import POSITIVE, DomainError, whole
from dpwidgets.inputs.door import takes


def modules():
    for room in (calculators, inputs):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            yield importlib.import_module(found.name)


def doors():
    """Return the functions and methods behind a door, under their names."""
    found = {}
    for module in modules():
        for holder in (module, *vars(module).values()):
            if holder is module or isinstance(holder, type):
                for function in list(vars(holder).values()):
                    if getattr(function, "domains", None):
                        found[f"{function.__module__}.{function.__qualname__}"] = function
    return found


DOORS = doors()


def some(domain):
    """Return a number that a domain allows."""
    return next(x for x in (1.0, 0.5, 2.0, 10.0, domain.high) if domain.contains(np.array(x)))


def refused(domain):
    """Return numbers that a domain does not allow: just beyond its ends, and what is no place."""
    ends = [np.nextafter(domain.low, -np.inf), np.nextafter(domain.high, np.inf)]
    numbers = np.array([*ends, domain.low, domain.high, -1, 0, 1.5, np.inf, -np.inf, np.nan])
    return numbers[~domain.contains(numbers)].tolist()


def allowed(domain):
    """Return the ends that belong to a domain: they can be typed."""
    ends = np.array([domain.low, domain.high])
    return ends[np.isfinite(ends) & domain.contains(ends)].tolist()


def test_there_are_doors():
    names = " ".join(DOORS)
    assert len(DOORS) > 20
    assert all(word in names for word in ("interval.", "loss.", "bayes.", "LossDistribution.tail"))


def test_no_number_goes_past_a_door_unchecked():
    kinds = ("float", "int", "float | None", "int | None")
    unchecked = {
        f"{name.rpartition('.')[2]}: {argument}"
        for name, door in DOORS.items()
        for argument, one in inspect.signature(door).parameters.items()
        if inspect.formatannotation(one.annotation).strip("'") in kinds
        and argument not in door.domains
    }
    # These are checked inside: what two allow depends on n, and two must be one number.
    inside = {"out_of_range: count", "mean_error: true_count"}
    assert unchecked <= inside | {"confidence: epsilon", "certified: confidence"}


@pytest.mark.parametrize("name", DOORS)
def test_a_door_names_the_argument_that_it_refuses(name):
    """It looks at them before anything else: what the others and `self` are does not matter."""
    door = DOORS[name]
    parameters = inspect.signature(door).parameters
    given = dict.fromkeys(parameters)
    given |= {argument: some(domain) for argument, domain in door.domains.items()}
    for argument, domain in door.domains.items():
        for value in allowed(domain):
            assert domain.check_one(argument, value) == value
        for value in refused(domain):
            for bad in (value, [given[argument], value]):
                with pytest.raises(DomainError) as caught:
                    door(**given | {argument: bad})
                assert caught.value.argument == argument
                assert str(caught.value).startswith(f"{argument} must be {domain.allowed}; got ")
        odd = ["0.5", True, 1j, [1, [2]]] + [None] * (parameters[argument].default is not None)
        for value in odd:
            with pytest.raises(TypeError) as error:
                door(**given | {argument: value})
            assert str(error.value).startswith(f"{argument} must be {domain.allowed}; got ")


def test_a_door_for_single_numbers():
    @takes(n=whole(1, 9), p=POSITIVE, q=POSITIVE)
    def three(n, p=0, q=None, word=""):
        return n, p, q, word

    assert three(3.0, word="w") == (3, 0, None, "w")
    assert type(three(np.float64(3))[0]) is int
    assert three(1, q=2)[2] == 2.0
    for given, shape in (({"n": [3]}, r"\(1,\)"), ({"n": 3, "q": [[1, 2]]}, r"\(1, 2\)")):
        with pytest.raises(DomainError, match=f"got an array of shape {shape}"):
            three(**given)
