"""What the three attacks share: the noise of a number, the law of many, how a rule is played."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from dpwidgets.calculators import loss
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.outside import described

#: The noise that may be added, by the name of its law of the privacy loss.
NOISES = ("laplace", "geometric")
#: A rule's guess about what an attacker has seen.
Rule = Callable[..., Any]


def noise(
    mechanism: str,
    epsilon: float,
    rng: np.random.Generator,
    shape: tuple[int, ...],
) -> FloatArray:
    """Draw the noise that makes each number ε-private where one person moves it by 1.

    Parameters
    ----------
    mechanism : {"laplace", "geometric"}
        The noise, of scale 1/ε.
    epsilon : float
        ε, from 1e-8 to 1000.
    rng : numpy.random.Generator
        Where the randomness comes from.
    shape : tuple of int
        How many numbers.

    Returns
    -------
    array of this shape
        The noise of each.
    """
    if mechanism == "laplace":
        return rng.laplace(scale=1 / epsilon, size=shape)
    # Exponential variables, rounded down, are geometric; rng.geometric
    # overflows at a small ε.
    up = np.floor(rng.exponential(1 / epsilon, shape))
    down = np.floor(rng.exponential(1 / epsilon, shape))
    return up - down


@lru_cache(maxsize=512)
def law(
    mechanism: str, epsilon: float, releases: int
) -> loss.LossDistribution:
    """Return the law of the privacy loss of several such numbers about the same person.

    Parameters
    ----------
    mechanism, epsilon : str, float
        As in `noise`.
    releases : int
        How many numbers, from 1 to 10⁵.
    """
    if mechanism == "laplace":
        return loss.laplace(epsilon).compose(releases)
    return loss.geometric(epsilon).compose(releases)


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
