"""What the noise of a case means for the privacy loss."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dpwidgets.calculators.domain import EPSILON
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.calculators.loss._distribution import gaussian, laplace
from dpwidgets.notation import show

if TYPE_CHECKING:
    from dpwidgets.calculators.case import Case


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
    >>> from dpwidgets.calculators.case import Case
    >>> for meaning in meanings(Case(published="count", releases=4, used=0.1)):
    ...     print(meaning.sentence(scale=5))
    All 4 releases together have ε = 0.9, 0.1 of it used up by others.
    No answer is more than 1.22 times as likely with a person as without, nor the other way round.
    One release loses 0.0187 on average.
    """
    shared: dict[str, Any] = {"text": "loss", "gets": ATTACKER}
    law = laplace if case.mechanism == "Laplace" else gaussian
    who = f"All {case.releases:,} releases together have" if case.releases > 1 else "It has"
    others = f", {show(case.used)} of it used up by others" if case.used else ""
    delta = f" and δ = {show(case.delta)}" if case.delta else ""
    made = [
        Meaning(
            name="ε of everything",
            equation="composition",
            says=f"{who} ε = {{value}}{delta}{others}.",
            computes=lambda scale: case.used + case.total(scale, "all releases"),
            **shared,
        ),
        Meaning(
            name="Expected loss of one release",
            equation="the expected loss, sharper than 2ε²",
            says="One release loses {value} on average.",
            computes=lambda scale: law(_shift(case, scale)).mean(),
            first=False,
            **shared,
        ),
    ]
    if case.mechanism == "Laplace":
        step = {
            "add/remove": "with a person as without",
            "replace": "with one record of a person as with another",
        }[str(case.neighbours)]
        made.insert(
            1,
            Meaning(
                name="Largest ratio of an answer’s probabilities",
                equation="definition of ε-differential privacy",
                says=f"No answer is more than {{value}} times as likely {step}, nor the other way "
                "round.",
                computes=lambda scale: math.exp(min(_shift(case, scale), 700)),
                first=False,
                **shared,
            ),
        )
    return tuple(made)


def _shift(case: Case, scale: float) -> float:
    return min(max(case.sensitivity / scale, EPSILON.low), EPSILON.high)
