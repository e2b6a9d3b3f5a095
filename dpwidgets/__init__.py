"""See what the epsilon of differential privacy means.

Explorers draw what the calculators compute, and questions and tasks ask about
it. What a notebook needs is imported from here; each name is loaded
when it is first used. In `dpwidgets.calculators` and `dpwidgets.decisions` are
the functions alone, for a script. Begin with an explorer:

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


def _homes() -> dict[str, str]:
    """Return of each public name its module, as the stub beside this file tells type checkers."""
    homes: dict[str, str] = {}
    stub = Path(f"{__file__}i").read_text(encoding="utf-8")
    for home, names in re.findall(r"from (\S+) import (\([^)]*\)|.*)", stub):
        homes |= dict.fromkeys(re.findall(r"as (\w+)", names), home)
    return homes


_HOMES = _homes()
_EXPLORERS = [text.explorer for text in TEXTS]
__all__ = list(dict.fromkeys(["__version__", *_EXPLORERS, *_HOMES]))


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: a script that calculates loads no widget."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
