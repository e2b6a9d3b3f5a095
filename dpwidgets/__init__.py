"""See what the epsilon of differential privacy means.

>>> import dpwidgets
>>> explorer = dpwidgets.IntervalExplorer(half_width=0.1)
>>> round(explorer.epsilon, 4)
0.1609
"""

import re
from importlib import import_module
from pathlib import Path

from dpwidgets.texts import TEXTS

__version__ = "0.1.0"

# Of each public name, as the stub beside this file tells type checkers.
_HOMES = {
    name: home
    for home, names in re.findall(
        r"from (\S+) import (\([^)]*\)|.*)",
        Path(f"{__file__}i").read_text(encoding="utf-8"),
    )
    for name in re.findall(r"as (\w+)", names)
}
__all__ = list(
    dict.fromkeys(["__version__", *(text.explorer for text in TEXTS), *_HOMES])
)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: a script that calculates loads no widget."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
