"""The line of Python that calls an explorer's calculator: whole, and as a page shows it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpwidgets.page.parameters import Parameter

_LONG = 60  # letters of a call's arguments in one line
_FIRST = 3  # arguments that a folded call shows at least
_SHORTENED = "  # shortened here; the explorer's attribute code is whole"


def whole(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    parameters: Mapping[str, Parameter[Any, Any]],
) -> str:
    """Return the Python that calls a calculator with arguments, under their names."""
    given = [
        f"{name}={parameters[name].code(value)}"
        for name, value in arguments.items()
    ]
    return f"{_called(function)}({', '.join(given)})"


def folded(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    parameters: Mapping[str, Parameter[Any, Any]],
) -> dict[str, str]:
    """Return a call as a page shows it, and the rest of it, which is folded there.

    First stands what is otherwise than where the explorer starts by itself,
    and ε; a long value is shortened.
    """
    changed: list[str] = []
    others: list[str] = []
    remark = ""
    for name in sorted(arguments, key=lambda name: name != "epsilon"):
        value = arguments[name]
        parameter = parameters[name]
        brief = parameter.brief(value)
        if brief != parameter.code(value):
            remark = _SHORTENED
        kept = others if value == parameter.default_value else changed
        kept.append(f"{name}={brief}")
    written = changed + others
    called = _called(function)
    line = f"{', '.join(written)}){remark}"
    if len(line) <= _LONG:
        return {"text": f"{called}({line}"}
    at_least = max(len(changed), _FIRST)
    rest = written[at_least:]
    if len(rest) < 3:  # not worth a fold
        return {"text": f"{called}(\n{_lines(written)}\n){remark}"}
    return {
        "text": f"{called}(\n{_lines(written[:at_least])}",
        "label": f"{len(rest)} more arguments",
        "rest": f"{_lines(rest)}\n){remark}",
    }


def _lines(arguments: Sequence[str]) -> str:
    return "    " + ",\n    ".join(arguments) + ","


def _called(function: Callable[..., Any]) -> str:
    """Return how a calculator is called, below what imports its room.

    It is imported from where it is: a back room, whose name begins with an
    underscore, has no readers, and a notebook's own function needs no import.
    """
    package, _, room = function.__module__.partition("._")[0].rpartition(".")
    if room == "__main__":
        return function.__name__
    start = f"from {package} import {room}" if package else f"import {room}"
    return f"{start}\n{room}.{function.__name__}"
