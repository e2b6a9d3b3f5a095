"""What pages state of everything together: its ε and δ, and what happens where they fail."""

import math

from dpwidgets.calculators import breach
from dpwidgets.decisions.case._limits import Limits
from dpwidgets.decisions.case._past import in_words, stated_of
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import percent, several, up


def stated(whole: Limits, scale: float) -> tuple[float, float]:
    """Return the ε of everything and the δ at which it holds, as a page states them.

    Of noise that needs no δ it is the ε at 0 where that is written with the
    same digits.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> quarters = Case(published="count", releases=4, delta=1e-6)
    >>> epsilon, delta = stated(quarters, 20 / 3)
    >>> round(epsilon, 9), delta
    (0.6, 0.0)
    """
    return stated_of(whole.privacy_loss(scale), whole.past.epsilon())


def in_all(whole: Limits, scale: float) -> str:
    """Return the same in words: the ε of everything, and its δ if there is one."""
    return in_words(*stated(whole, scale))


def in_title(whole: Limits, scale: float) -> str:
    """Return the same as a title has it: for how many releases and people, and beside what.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> months = Case(published="count", releases=12, delta=1e-6, household=4)
    >>> in_title(months, 50)
    'ε = 0.956 and δ = 1e-6 for 12 releases, for 4 people with dependent records'
    """
    releases = several(whole.releases_of_all, "release")
    return f"{in_all(whole, scale)} for {releases}{whole.dependent_clause}{whole.beside_clause}"


def always_clause(whole: Limits, scale: float, prior: float) -> str:
    """Return what a sentence about a belief adds that may fail: above what no answer leads."""
    own = whole.privacy_loss(scale, attribute=True)
    if not own.failure_probability:
        return ""
    worst = own.worst_case + whole.past.epsilon(attribute=True)
    moved = min(max(worst, EPSILON.low), EPSILON.high)
    limit = up(breach.posterior(prior, moved), percent)
    return "" if limit == "100%" else f"; it is never above {limit}"


def failing(whole: Limits, scale: float) -> str:
    """Say how often the loss of everything is above the ε that is stated, where there is a δ.

    δ is not that probability. Of what others have used up only bounds are
    known, and no law: then it is said above what the loss never is, if
    anything limits it.
    """
    epsilon, delta = stated(whole, scale)
    if not delta:
        return ""
    sentence = (
        f"Where δ = {up(delta)} is named, a probability may exceed what ε "
        "allows by up to δ."
    )
    own = whole.privacy_loss(scale)
    worst = own.worst_case + whole.past.epsilon()
    if any(not one.published for one in whole.before) or not own.has_law:
        if math.isinf(worst):
            return sentence
        return f"{sentence} The loss of everything is never above {up(worst)}."
    # On a grid it is right to a step or a few.
    how_often = up(own.law().tail((1 - 1e-4) * epsilon))
    limit = (
        "nothing limits it"
        if math.isinf(worst)
        else f"never above {up(worst)}"
    )
    return (
        f"{sentence} The loss of everything is above ε = {up(epsilon)} with a "
        f"probability of at most {how_often}, and {limit}."
    )
