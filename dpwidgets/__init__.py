"""See what the epsilon of differential privacy means.

>>> import dpwidgets
>>> explorer = dpwidgets.IntervalExplorer(half_width=0.1)
>>> round(explorer.epsilon, 4)
0.1609
"""

from importlib import import_module

from dpwidgets.texts import TEXTS

TYPE_CHECKING = False  # typing's own would be most of the time that `import dpwidgets` takes
if TYPE_CHECKING:
    from dpwidgets.explorers.choice import ChoiceExplorer as ChoiceExplorer
    from dpwidgets.explorers.meanings import MeaningsExplorer as MeaningsExplorer
    from dpwidgets.explorers.plan import PlanExplorer as PlanExplorer
    from dpwidgets.teaching.ledger import (
        Garbled as Garbled,
        Ledger as Ledger,
        Misprint as Misprint,
        Wrong as Wrong,
    )
    from dpwidgets.teaching.progress import Progress as Progress
    from dpwidgets.teaching.question import Code as Code, Question as Question
    from dpwidgets.teaching.recall import Review as Review
    from dpwidgets.teaching.sampling import Draws as Draws
    from dpwidgets.teaching.sketch import Sketch as Sketch
    from dpwidgets.teaching.task import Task as Task
    from dpwidgets.texts import *  # noqa: F403 — the explorer of each text

__version__ = "0.1.0"

_HOMES = {text.explorer: f"dpwidgets.explorers.{text.word}" for text in TEXTS} | {
    "ChoiceExplorer": "dpwidgets.explorers.choice",
    "MeaningsExplorer": "dpwidgets.explorers.meanings",
    "PlanExplorer": "dpwidgets.explorers.plan",
    "Question": "dpwidgets.teaching.question",
    "Review": "dpwidgets.teaching.recall",
    "Task": "dpwidgets.teaching.task",
    "Code": "dpwidgets.teaching.question",
    "Progress": "dpwidgets.teaching.progress",
    "Draws": "dpwidgets.teaching.sampling",
    "Sketch": "dpwidgets.teaching.sketch",
    "Ledger": "dpwidgets.teaching.ledger",
    "Garbled": "dpwidgets.teaching.ledger",
    "Misprint": "dpwidgets.teaching.ledger",
    "Wrong": "dpwidgets.teaching.ledger",
}
__all__ = ["__version__", *_HOMES]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used: a script that calculates loads no widget."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
