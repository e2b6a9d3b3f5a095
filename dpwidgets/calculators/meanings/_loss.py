"""What the noise of a case means for the privacy loss."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import times

_meaning = partial(Meaning, text="loss", gets=ATTACKER)


def meanings(case: Case) -> tuple[Meaning, ...]:
    """Say what the noise means in this text: what all releases lose together, and one of them.

    Parameters
    ----------
    case : Case
        The case.

    Returns
    -------
    tuple of Meaning
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
    made = [
        _meaning(
            name="ε of everything",
            equation="composition",
            says=_everything(case),
            computes=lambda scale: case.total(scale, "all releases"),
        ),
        _meaning(
            name="Expected loss of one release",
            equation="the expected loss, sharper than 2ε²",
            says="The privacy loss of one release is at most {value} on average.",
            computes=partial(_expected, case),
            first=False,
        ),
    ]
    if case.mechanism != "Gaussian":
        step = {
            "add/remove": "with a person as without",
            "replace": "with one record of a person as with another",
        }[str(case.neighbours)]
        made.insert(
            1,
            _meaning(
                name="Largest ratio of an answer’s probabilities",
                equation="definition of ε-differential privacy",
                says=f"No answer is more than {{value}} times as likely {step}, nor the other way "
                "round.",
                computes=lambda scale: float(np.exp(case.epsilon(scale))),
                shown=_ratio,
                first=False,
            ),
        )
    return tuple(made)


def _everything(case: Case) -> str:
    """Say which ε all releases have, with {value} for it."""
    many = case.releases > 1
    who = f"All {case.releases:,} releases" if many else "The release"
    others = case.besides("all releases")
    who += f",{others}" if others else ""
    who += " have" if many else " has"
    together = " together" if many or others else ""
    return f"{who} ε = {{value}}{case.at('all releases')}{together}."


def _ratio(ratio: float) -> str:
    # Above e^709 no float holds it; ε is at most 1000.
    return times(ratio, up=True) if math.isfinite(ratio) else "e^1,000"


def _expected(case: Case, scale: float) -> float:
    moved, _ = case.moved()
    return case.law(max(scale, moved / EPSILON.high), "one release").mean()
