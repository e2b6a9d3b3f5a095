"""What the noise of a case means for a belief about a person."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dpwidgets.calculators.breach import downward, posterior
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import percent

_meaning = partial(Meaning, text="breach", gets=ATTACKER, even=True)


def meanings(case: Case) -> tuple[Meaning, ...]:
    """Say what the noise means in this text: what anybody may believe of a person afterwards.

    Parameters
    ----------
    case : Case
        The case. Without a prior there is nothing to say.

    Returns
    -------
    tuple of Meaning
        The largest posterior after one release, after all of them, and for a household; the
        smallest posterior after one.

    Examples
    --------
    >>> for meaning in meanings(Case(published="count", releases=4, prior=0.2)):
    ...     print(meaning.sentence(scale=5))
    After one release, a belief of 20% is at most 23.4%; such an answer has a probability of at most
    50%.
    After all 4 releases, a belief of 20% is at most 35.8%; answers that raise it so far have a
    probability of at most 6.25%.
    After one release, a belief of 20% is at least 16.9%.
    """
    prior = case.prior
    if prior is None:
        return ()

    def bound(move: Callable[[float, float], float], reach: str) -> Callable[[float], float]:
        def computes(scale: float) -> float:
            moved = case.log_odds(scale, reach)
            return move(prior, min(max(moved, EPSILON.low), EPSILON.high))

        return computes

    before = percent(prior)
    return (
        *(
            _meaning(
                name=f"Largest belief {when}",
                equation="Sec. 2.3, corrected",
                says=f"A{when[1:]},{case.besides(reach)} a belief of {before} is at most {{value}}"
                f"{case.slip(reach)}{_how_likely(case, reach)}.",
                computes=bound(posterior, reach),
                shown=partial(percent, up=True),
            )
            for when, reach in _reaches(case)
        ),
        _meaning(
            name="Smallest belief after one release",
            equation="Evfimievski, Gehrke and Srikant (2003), downward",
            says=f"After one release, a belief of {before} is at least {{value}}"
            f"{case.slip('one release')}.",
            computes=bound(downward, "one release"),
            shown=partial(percent, up=False),
            first=False,
        ),
    )


def _how_likely(case: Case, reach: str) -> str:
    """Return how often the answers come that raise a belief most, where Laplace noise limits it.

    Half of the answers lie beyond the truth, on the side that tells most; of several numbers, all
    must.
    """
    _, count = case.moves(reach, fact=True)
    if case.mechanism != "Laplace" or case.slip(reach):
        return ""
    which = "such an answer has" if count == 1 else "answers that raise it so far have"
    return f"; {which} a probability of at most {percent(0.5**count, up=True)}"


def _reaches(case: Case) -> list[tuple[str, str]]:
    """Return after which releases a belief is asked about, in words, and the reach of each."""
    after = [("after one release", "one release")]
    if case.releases > 1:
        after.append((f"after all {case.releases:,} releases", "all releases"))
    if case.household > 1:
        people = f"of {case.household:,} with dependent records"
        whole = f"{after[-1][0]}, for one {people}"
        after.append((whole, "all releases and a household"))
    return after
