"""Two doors of calculators: `door` for what takes numbers or arrays, `takes` for single numbers.

Each raises a `TypeError` for what is no number, and for a number outside its
argument's domain a `DomainError`, which is a `ValueError` and names the
argument; `door` a `ValueError` where arrays do not broadcast. The docstring of
a function behind a door says only what else it refuses.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import (
    Any,
    Concatenate,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.inputs.domain import Domain, FloatArray, check, silent

#: What a function returns that takes numbers or arrays: a float for numbers,
#: else an array.
Floats: TypeAlias = FloatArray | Any

_Arguments = ParamSpec("_Arguments")
_Others = ParamSpec("_Others")
_Result = TypeVar("_Result")


class Door(Protocol[_Arguments]):
    """A function behind `door`, as type checkers see it; a method is one too."""

    @overload
    def __call__(
        self, *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> float: ...
    @overload
    def __call__(
        self, *args: ArrayLike, **kwargs: ArrayLike
    ) -> FloatArray: ...
    def __get__(
        self: Door[Concatenate[Any, _Others]], instance: object, owner: type
    ) -> Door[_Others]: ...


def door(
    **domains: Domain,
) -> Callable[[Callable[_Arguments, Any]], Door[_Arguments]]:
    """Let a function take numbers or arrays that broadcast, each checked against its domain.

    The function gets arrays of floats and returns one. Whoever calls it with
    numbers gets a float. Its own signature is that for numbers.

    Parameters
    ----------
    **domains : Domain
        Under each argument's name its domain. Other arguments go through as
        they are.

    Returns
    -------
    callable
        The decorator. What it makes raises as `check` does.

    Examples
    --------
    >>> from dpwidgets.inputs.domain import POSITIVE
    >>> @door(length=POSITIVE, width=POSITIVE)
    ... def area(length: float, width: float = 1.0) -> Floats:
    ...     return length * width
    >>> area(2), area([1, 2], width=3)
    (2.0, array([3., 6.]))
    >>> area(-2)
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: length must be a finite number above 0; got -2
    """
    return lambda function: _behind(domains, function, single=False)


def plain(result: Any) -> Floats:
    """Return a float for a result without dimensions, and any other result as it is.

    Examples
    --------
    >>> plain(np.array(0.5)), plain(np.array([0.5]))
    (0.5, array([0.5]))
    """
    return float(result) if np.ndim(result) == 0 else result


def each(function: Callable[[float], float], numbers: Floats) -> Floats:
    """Apply a function of one number to each number of an array; one number gives a float.

    Examples
    --------
    >>> each(lambda number: number + 1, 2.0), each(lambda number: number + 1, [[1], [2]])
    (3.0, array([[2],
           [3]]))
    """
    found = [function(number) for number in np.ravel(numbers)]
    return plain(np.array(found).reshape(np.shape(numbers)))


def takes(
    **domains: Domain,
) -> Callable[[Callable[_Arguments, _Result]], Callable[_Arguments, _Result]]:
    """Let a function take one number for each of these arguments, checked against its domain.

    The function gets a float, or an int where the domain has only whole
    numbers. What is left at its default is not checked.

    Parameters
    ----------
    **domains : Domain
        Under each argument's name its domain. Other arguments go through as
        they are.

    Returns
    -------
    callable
        The decorator. What it makes raises as `Domain.check_one` does.

    Examples
    --------
    >>> from dpwidgets.inputs.domain import POSITIVE, whole
    >>> @takes(sides=whole(3), length=POSITIVE)
    ... def around(sides: int, length: float) -> str:
    ...     return f"{sides} times {length}"
    >>> around(4.0, 2)
    '4 times 2.0'
    """
    return lambda function: _behind(domains, function, single=True)


def _behind(
    domains: dict[str, Domain], function: Callable[..., Any], *, single: bool
) -> Any:
    """Return the function behind a door: for single numbers, or for numbers and arrays."""
    signature = inspect.signature(function)
    parameters = signature.parameters

    @functools.wraps(function)
    @silent
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        values = given.arguments
        asked: dict[str, tuple[Any, Domain]] = {}
        for name, domain in domains.items():
            # What is left at its default is not among the values, nor checked.
            default = parameters[name].default
            if values.get(name, default) is not default:
                asked[name] = values[name], domain
        if single:
            for name, (value, domain) in asked.items():
                values[name] = domain.check_one(name, value)
            return function(*given.args, **given.kwargs)
        values |= zip(asked, check(**asked), strict=True)
        return plain(function(*given.args, **given.kwargs))

    # Tests try each door at the ends of its domains.
    vars(checked)["domains"] = domains | vars(checked).get("domains", {})
    return checked
