"""The line of Python that computes an explorer's result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpwidgets.page.parameters import Parameter


def lines(
    calculator: Callable[..., Any], arguments: Mapping[str, Any], traits: Mapping[str, Parameter]
) -> tuple[str, str]:
    """Return the Python that calls a calculator, and the same with long lists shortened.

    It imports the calculator's room from where it is: a back room, whose name begins with an
    underscore, has no readers, and a notebook's own function needs no import.
    """
    package, _, room = calculator.__module__.partition("._")[0].rpartition(".")
    call = f"{room}.{calculator.__name__}"
    if room == "__main__":
        imports, call = "", calculator.__name__
    elif package:
        imports = f"from {package} import {room}\n"
    else:
        imports = f"import {room}\n"
    whole = [f"{name}={value!r}" for name, value in arguments.items()]
    brief = [f"{name}={traits[name].brief(value)}" for name, value in arguments.items()]
    return f"{imports}{call}({', '.join(whole)})", f"{imports}{call}({', '.join(brief)})"
