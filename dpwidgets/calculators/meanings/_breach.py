"""What the noise of a case means for a belief about a person."""

from collections.abc import Callable, Iterator
from functools import partial

from dpwidgets.calculators.breach import downward, posterior
from dpwidgets.calculators.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import percent

_meaning = partial(Meaning, gets=ATTACKER, even=True)


def meanings(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in this text: what anybody may believe of a person afterwards.

    Parameters
    ----------
    case : Case
        The case. Without a prior there is nothing to say.

    Yields
    ------
    Meaning
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
        return

    before = percent(prior)
    for when, reach in _reaches(case):
        yield _meaning(
            name=f"Largest belief {when}",
            says=f"A{when[1:]},{case.besides(reach)} a belief of {before} is at most {{value}}"
            f"{case.slip(reach)}{_how_likely(case, reach)}.",
            computes=partial(_believed, case, posterior, prior, reach),  # Sec. 2.3, corrected
            shown=partial(percent, up=True),
        )
    yield _meaning(
        name="Smallest belief after one release",
        says=f"After one release, a belief of {before} is at least {{value}}{case.slip(ONE)}.",
        computes=partial(
            _believed, case, downward, prior, ONE
        ),  # Evfimievski, Gehrke and Srikant (2003)
        shown=partial(percent, up=False),
        first=False,
    )


def _believed(
    case: Case, move: Callable[[float, float], float], prior: float, reach: str, scale: float
) -> float:
    """Return how far a belief moves at most, up or down."""
    moved = case.log_odds(scale, reach)
    return move(prior, min(max(moved, EPSILON.low), EPSILON.high))


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
    after = [("after one release", ONE)]
    if case.releases > 1:
        after.append((f"after all {case.releases:,} releases", ALL))
    if case.household > 1:
        people = f"of {case.household:,} with dependent records"
        after.append((f"{after[-1][0]}, for one {people}", HOUSEHOLD))
    return after
