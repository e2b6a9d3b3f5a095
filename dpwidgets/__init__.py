"""See what the epsilon of differential privacy means.

>>> import dpwidgets
>>> dpwidgets.IntervalExplorer(half_width=0.1)
With ε = 0.161, the noisy answer to a count of 100 lies within ±10%, from 90 to 110, with a probability of 80%.
"""

from importlib import import_module

from dpwidgets.texts import TEXTS

__version__ = "0.1.0"

_HOMES = {text.explorer: f"dpwidgets.explorers.{text.word}" for text in TEXTS} | {
    "ChoiceExplorer": "dpwidgets.explorers.choice",
    "MeaningsExplorer": "dpwidgets.explorers.meanings",
    "Question": "dpwidgets.question",
    "Progress": "dpwidgets.progress",
    "Ledger": "dpwidgets.ledger",
    "Misprint": "dpwidgets.ledger",
    "Wrong": "dpwidgets.ledger",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that a script that only calculates loads no widgets."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
