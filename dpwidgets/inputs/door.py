"""The door of functions that take single numbers; `domain.door` is for those that take arrays."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from dpwidgets.inputs.domain import Domain, silent

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def takes(
    **domains: Domain,
) -> Callable[[Callable[_Arguments, _Result]], Callable[_Arguments, _Result]]:
    """Let a function take one number for each of these arguments, checked against its domain.

    The function gets a float, or an int where the domain has only whole numbers. What is left at
    its default is not checked.

    Parameters
    ----------
    **domains : Domain
        Under each argument's name its domain. Other arguments go through as they are.

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

    def decorate(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        @silent
        def checked(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
            given = signature.bind(*args, **kwargs)
            for name, domain in domains.items():
                default = signature.parameters[name].default
                value = given.arguments.get(name, default)
                if value is not default:
                    number = domain.check_one(name, value)
                    given.arguments[name] = int(number) if domain.whole else number
            return function(*given.args, **given.kwargs)

        vars(checked)["domains"] = domains | vars(checked).get("domains", {})  # for who asks
        return checked

    return decorate
