"""What an attacker may guess about a person, and how often the best guess is right."""

from collections.abc import Callable
from typing import NamedTuple

from dpwidgets.decisions.case._limits import Limits
from dpwidgets.inputs.notation import down, percent


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
        How often it is right with them, at most: from the scale of the noise
        and a reach.
    """

    name: str
    what: str
    blind: float
    right: Callable[[float, str], float]

    def sentence(self, often: str, after: str) -> str:
        """Say how often it is right, with and without what is known after so many releases."""
        blind = down(self.blind, percent)
        return (
            f"Whoever guesses {self.what} is right in {blind} of cases without any release, and "
            f"in at most {often} {after}."
        )


def guesses(whole: Limits) -> tuple[Guess, ...]:
    """Return what is guessed about a person: what the prior is about, and one of several values.

    Examples
    --------
    >>> from dpwidgets.decisions.case import ALL, Case
    >>> case = Case(published="count", releases=4, prior=0.2, alternatives=5)
    >>> for guess in guesses(case):
    ...     print(f"{guess.name}: {guess.blind:.1%}, {guess.right(5, ALL):.1%}")
    yes or no (20%): 80.0%, 80.0%
    one of 5: 20.0%, 29.3%
    """
    several = of_several(whole)
    if whole.prior is None:
        return (several,)
    of_prior = _yes_or_no(whole, whole.prior)
    if of_prior.name == several.name:
        return (several,)
    return of_prior, several


def of_several(whole: Limits) -> Guess:
    """Return the guess at one of several values, of which two are a yes and a no."""
    many = whole.alternatives
    if many == 2:
        return _yes_or_no(whole, 0.5)

    def right(scale: float, reach: str) -> float:
        return whole.success(scale, 1 / many, reach)

    what = f"one of {many:,} equally likely values"
    return Guess(f"one of {many:,}", what, 1 / many, right)


def _yes_or_no(whole: Limits, prior: float) -> Guess:
    """Return the guess whether something is true that is so likely without the releases."""
    likely = down(prior, percent)

    def right(scale: float, reach: str) -> float:
        return whole.yes_or_no(scale, prior, reach)

    what = f"a yes or no (“yes” in {likely} of cases)"
    return Guess(f"yes or no ({likely})", what, max(prior, 1 - prior), right)
