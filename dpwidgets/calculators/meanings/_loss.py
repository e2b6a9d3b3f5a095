"""What the noise of a case means for the privacy loss."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpwidgets.calculators.case import ALL, ONE, Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import times

_meaning = partial(Meaning, gets=ATTACKER)


def meanings(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in this text: what all releases lose together, and one of them.

    Parameters
    ----------
    case : Case
        The case.

    Yields
    ------
    Meaning
        The ε of all releases with what others have used up, the largest ratio of an answer's
        probabilities where Laplace noise limits it, and the expected loss of one release.

    Examples
    --------
    >>> for meaning in meanings(Case(published="count", releases=4, used=0.1)):
    ...     print(meaning.sentence(scale=5))
    All 4 releases, with ε = 0.1 used up by others, have ε = 0.9 together.
    No answer is more than 1.23 times as likely with a person as without, nor the other way round.
    The privacy loss of one release is at most 0.0188 on average.
    """
    others = case.besides(ALL)
    together = " together" if case.releases > 1 or others else ""
    yield _meaning(
        name="ε of everything",
        says=f"{everything(case, 'has', 'have')} ε = {{value}}{case.at(ALL)}{together}.",
        computes=lambda scale: case.total(scale, ALL),
    )
    if case.mechanism != "Gaussian":
        step = "with a person as without"
        if case.neighbours == "replace":
            step = "with one record of a person as with another"
        yield _meaning(
            name="Largest ratio of an answer’s probabilities",
            says=f"No answer is more than {{value}} times as likely {step}, nor the other way "
            "round.",
            computes=lambda scale: float(np.exp(case.epsilon(scale))),
            shown=_ratio,
            first=False,
        )
    moved, _ = case.moved()
    yield _meaning(
        name="Expected loss of one release",
        says="The privacy loss of one release is at most {value} on average.",
        computes=lambda scale: case.told(max(scale, moved / EPSILON.high), ONE).law().mean(),
        first=False,
    )


def everything(case: Case, has: str, have: str) -> str:
    """Return the beginning of a sentence about all releases, with what others have used up."""
    several, others = case.releases > 1, case.besides(ALL)
    who = f"All {case.releases:,} releases" if several else "The release"
    return f"{who}{',' if others else ''}{others} {have if several else has}"


def _ratio(ratio: float) -> str:
    # Above e^709 no float holds it; ε is at most 1000.
    return times(ratio, up=True) if math.isfinite(ratio) else "e^1,000"
