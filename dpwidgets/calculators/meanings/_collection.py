"""Every meaning of a case's noise: those of each text, and those that belong to none."""

from __future__ import annotations

from importlib import import_module

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import GETS, Meaning
from dpwidgets.calculators.meanings._tests import beyond_texts
from dpwidgets.texts import TEXTS

# In the order in which an explorer shows them: the first text is about all releases together.
_ROOMS = tuple(import_module(f"dpwidgets.calculators.{text.word}") for text in reversed(TEXTS))
#: How many are shown at once.
FIRST = 7


def meanings(case: Case) -> tuple[Meaning, ...]:
    """Collect what the noise of a case means: to its readers, then to attackers.

    Only what is about the case has a meaning: what needs a number that the case lacks is left out.

    Parameters
    ----------
    case : Case
        The case.

    Returns
    -------
    tuple of Meaning
        The meanings, of each group those first that are shown at once: at most seven of all.

    Raises
    ------
    TypeError
        If it is no case.

    Examples
    --------
    >>> for meaning in meanings(Case(published="count", prior=0.2)):
    ...     if meaning.first:
    ...         print(meaning.name)
    Error on average
    Odds out of 100, one release
    Largest belief after one release
    ε of everything
    """
    if not isinstance(case, Case):
        raise TypeError(f"case must be a Case; got one of type {type(case).__name__}")
    makers = [room.meanings for room in _ROOMS if hasattr(room, "meanings")]
    every = [meaning for maker in (beyond_texts, *makers) for meaning in maker(case)]
    return tuple(sorted(every, key=lambda one: (GETS.index(one.gets), not one.first)))
