"""Every meaning of a case's noise: those of each text, and those that belong to none."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import GETS, Meaning
from dpwidgets.calculators.meanings import _bayes, _breach, _interval, _loss, _tests

# In the order in which an explorer shows them: what is about all releases together comes last.
_MAKERS: tuple[Callable[[Case], Iterable[Meaning]], ...] = (
    _tests.meanings,
    _breach.meanings,
    _bayes.meanings,
    _loss.meanings,
    _interval.meanings,
)


@lru_cache(maxsize=8)  # the same ones each time, so that their numbers are found again
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
        The meanings, of each group those first that are shown at once: at most eight of all.

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
    Success of an attack after the release
    Largest belief after one release
    ε of everything
    """
    if not isinstance(case, Case):
        raise TypeError(f"case must be a Case; got one of type {type(case).__name__}")
    every = [meaning for maker in _MAKERS for meaning in maker(case)]
    return tuple(sorted(every, key=lambda one: (GETS.index(one.gets), not one.first)))
