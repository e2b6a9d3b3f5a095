"""What the three attacks share: the law of many noisy numbers, and how a rule is played."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from dpwidgets.calculators import loss
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


def called(name: str, function: Rule, seen: tuple[Any, ...]) -> Any:
    """Return what somebody's function makes of what it is told, or say that it fails."""
    try:
        return function(*seen)
    except Exception as error:
        raise ValueError(
            f"{name} must take {described(seen)}; "
            f"it raises {type(error).__name__}: {error}"
        ) from error


def guess(rule: Rule, seen: tuple[Any, ...]) -> bool:
    """Return what somebody's rule guesses, or say what else it does."""
    says = called("rule", rule, seen)
    if not (np.ndim(says) == 0 and says in (0, 1)):
        raise ValueError(
            f"rule must return True or False; for {described(seen)} it returned {described(says)}"
        )
    return bool(says)
