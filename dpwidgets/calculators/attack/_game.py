"""What the three attacks share: the law of many noisy numbers, and how a rule is played."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from dpwidgets.calculators import loss
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.outside import described

#: A rule's guess about what an attacker has seen.
Rule = Callable[..., Any]


@lru_cache(maxsize=512)
def law(epsilon: float, releases: int) -> loss.LossDistribution:
    """Return the law of the privacy loss of several numbers about the same person.

    Parameters
    ----------
    epsilon : float
        The ε of each, from 1e-8 to 1000: a person moves it by 1, and its
        Laplace noise has the scale 1/ε.
    releases : int
        How many numbers, from 1 to 10⁵.
    """
    return loss.laplace(epsilon).compose(releases)


def play(
    rule: Rule, games: Iterable[tuple[tuple[Any, ...], bool]]
) -> FloatArray:
    """Score a rule in games whose truth is known.

    Parameters
    ----------
    rule : callable
        Takes what the attacker sees, as `games` of a result gives it, and
        returns what it guesses: whether the new pupil gets free meals, or
        whether somebody is in the data.
    games : iterable
        What `games` of a `Divided` or a `Membership` returned.

    Returns
    -------
    array of shape (games,)
        1 for each game in which the guess was right, else 0.

    Raises
    ------
    ValueError
        If the rule fails, or returns neither True nor False.

    Examples
    --------
    >>> from dpwidgets.calculators import attack
    >>> games = attack.divide(epsilon=1).games(np.random.default_rng(1), 1000)
    >>> float(attack.play(lambda before, after: after - before > 0.5, games).mean())
    0.697
    """
    scores = [guess(rule, seen) == truth for seen, truth in games]
    return np.array(scores, float)


def guess(rule: Rule, seen: tuple[Any, ...]) -> bool:
    """Return what somebody's rule guesses, or say what else it does."""
    try:
        says = rule(*seen)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"rule must take {described(seen)}; it raises {what}"
        ) from error
    if not (np.ndim(says) == 0 and says in (0, 1)):
        raise ValueError(
            f"rule must return True or False; for {described(seen)} it returned {described(says)}"
        )
    return bool(says)
