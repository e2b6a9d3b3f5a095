"""What an attacker may guess about a person, and how often the best guess is right."""

from collections.abc import Callable
from typing import NamedTuple

from dpwidgets.decisions.case._limits import Limits
from dpwidgets.inputs.notation import belief, down, percent


class Guess(NamedTuple):
    """Something that is guessed about a person. Made by `guesses`.

    Attributes
    ----------
    name : str
        What is guessed, in a few words.
    what : str
        The same as a sentence says it.
    blind : float
        How often the best guess is right without the releases.
    right : callable
        How often it is right with them, at most: from the scale of the noise.
    """

    name: str
    what: str
    blind: float
    right: Callable[[float], float]

    def sentence(self, often: str, after: str) -> str:
        """Say how often it is right, with and without what is known after so many releases."""
        blind = down(self.blind, belief)
        return (
            f"Whoever guesses {self.what} is right in {blind} of cases without any release, and "
            f"in at most {often} {after}."
        )


def guesses(whole: Limits) -> tuple[Guess, ...]:
    """Return what is guessed about a person: what the prior is about, and the toss of a coin.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> case = Case(published="count", releases=4, prior=0.2)
    >>> for guess in guesses(case):
    ...     print(f"{guess.name}: {guess.blind:.1%}, {guess.right(5):.1%}")
    yes or no (20%): 80.0%, 80.0%
    yes or no (50%): 50.0%, 57.4%
    """
    coin = of_several(whole, 2)
    if whole.prior is None:
        return (coin,)
    of_prior = _yes_or_no(whole, whole.prior)
    return (coin,) if of_prior.name == coin.name else (of_prior, coin)


def of_several(whole: Limits, many: int) -> Guess:
    """Return the guess at one of so many values, of which two are a yes and a no."""
    if many == 2:
        return _yes_or_no(whole, 0.5)

    def right(scale: float) -> float:
        return whole.success(scale, 1 / many)

    what = f"one of {many:,} equally likely values"
    return Guess(f"one of {many:,}", what, 1 / many, right)


def _yes_or_no(whole: Limits, prior: float) -> Guess:
    """Return the guess whether something is true that is so likely without the releases."""
    likely = down(prior, percent)

    def right(scale: float) -> float:
        return whole.yes_or_no(scale, prior)

    what = f"a yes or no (“yes” in {likely} of cases)"
    return Guess(f"yes or no ({likely})", what, max(prior, 1 - prior), right)
