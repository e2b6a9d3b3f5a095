"""What noise means for people, with what others have used up, and the noise that keeps a limit."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from scipy.special import expit

from dpwidgets.calculators import loss
from dpwidgets.calculators.case._people import ALL, ONE, People
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, must_be
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import show

#: A scale so large that no larger one is looked for.
FAR = SCALE.high / 10


@dataclass(frozen=True, kw_only=True)
class Limits(People):
    """What a case, or a plan, tells together with what others have used up, and its inverses.

    `reach` is always one of "one release", "all releases" and "all releases and a household"; with
    one release, others are not taken in. Each way back gives the smallest scale at which a number
    is at most a limit, and raises a ValueError where others have used up too much for any noise.
    """

    #: Of a scale that is searched for, relatively: it is larger by so much at most.
    precision: ClassVar[float] = 1e-11

    @takes(scale=SCALE)
    def total(self, scale: float, reach: str = ALL) -> float:
        """Compute the ε of everything that a reach takes in, with what others have used up.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in.

        Returns
        -------
        float
            Others' ε for each of the people, and for the case's own releases: for Laplace and
            geometric noise Δf/b times releases times people, or the ε of the composed law at
            `delta` where that is smaller; for Gaussian noise the ε at `delta`.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        It holds at the sum of `delta_of` and others' δ for so many people, as `at` says it: ε and δ
        add up.
        """
        return self.told(scale, reach).epsilon() + self.others(reach)[0]

    @takes(scale=SCALE)
    def log_odds(self, scale: float, reach: str = ONE) -> float:
        """Compute by how much the logarithm of the odds of a belief about a person may change.

        Never more for noise that is read without a `delta`; else but for a probability of `delta`,
        with which the privacy loss is larger, and of twice others' δ: `slip` says it.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        The tail of the loss, and not δ(ε) = E[(1 − e^(ε−L))₊], says how often a belief moves by
        more. What is believed must depend on this person alone, or on the people of the household.
        Of others only ε and δ are known. Where δ is 0 their loss is at most ε. Else, with t =
        ε + ln 2, δ ≥ P[L > t]·(1 − e^(ε−t)) = P[L > t]/2: their loss is above t with a probability
        of at most 2δ.
        """
        return self.told(scale, reach, fact=True).exceeded() + self.moved_by_others(reach)

    @takes(scale=SCALE)
    def advantage(self, scale: float, reach: str = ONE) -> float:
        """Compute the largest advantage of a test that says whether a person is in the data.

        It is how often it says "with" of those who are, less how often of those who are not.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        Whatever is (ε, δ)-private tells no more than a mechanism that betrays everything with a
        probability of δ, and else is randomized response of ε (Kairouz, Oh and Viswanath 2015).
        Beside it the case's own releases have the advantage tanh(ε/2) + 2·δ(ε)/(1 + e^ε) where
        nothing is betrayed, with δ(ε) of their own loss, whose law is the same in both orders.
        """
        used, delta = self.others(reach)
        own = 2 * expit(-used) * self.told(scale, reach).delta_at(min(used, loss.LOSS.high))
        return float(min(delta + (1 - delta) * (math.tanh(used / 2) + own), 1.0))

    @takes(scale=SCALE, baseline=PROBABILITY)
    def success(self, scale: float, baseline: float, reach: str = ALL) -> float:
        """Compute how often an attacker is right, who is right so often without the releases.

        Parameters
        ----------
        scale, reach
            As in `total`.
        baseline : float
            How often the attacker's best guess about a person is right without them, between 0
            and 1.

        Returns
        -------
        float
            How often it is right with them, at most: one minus the trade-off function at the
            baseline (Kulynych and others 2025), on average over what is published. A single answer
            may tell more: see `log_odds`.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        The guess compares the data with the person and the data without, or with another record of
        the person: whatever there is to guess, two neighbours. Others' (ε, δ) tells no more than
        randomized response that betrays everything with a probability of δ.

        Examples
        --------
        >>> from dpwidgets.calculators.case import Case
        >>> case = Case(published="count", releases=12)
        >>> round(case.success(5, 0.2), 3)
        0.432
        """
        _, delta = self.others(reach)
        guessed = baseline / (1 - delta) if delta < 1 else 1.0
        law = self._law_with_others(scale, reach)
        if law is None or guessed >= 1:
            return 1.0
        return min(delta + (1 - delta) * float(law.success(guessed)), 1.0)

    @takes(scale=SCALE)
    def rho(self, scale: float, reach: str = ALL) -> float:
        """Compute a ρ at which everything that a reach takes in is ρ-zCDP (Bun and Steinke 2016).

        Returns
        -------
        float
            ρ, the smallest for the case's own releases, with the worst that others' ε may be.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain, or others' ε holds at a δ above 0: from it no ρ
            follows.
        """
        return self.told(scale, reach).rho() + self._rho_of_others(reach)

    @takes(scale=SCALE)
    def mu(self, scale: float, reach: str = ALL) -> float:
        """Compute a μ at which everything is no easier to tell than normal laws μ deviations apart.

        This is Gaussian privacy (Dong, Roth and Su 2022).

        Returns
        -------
        float
            μ, the smallest for Gaussian noise and for one number with Laplace noise, else an upper
            bound; infinite where a number may lose more than 1000.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain, or others' ε holds at a δ above 0.
        """
        self._others_without_delta("μ", reach)
        law = self._law_with_others(scale, reach)
        return math.inf if law is None else law.mu()

    def _rho_of_others(self, reach: str) -> float:
        used = self._others_without_delta("ρ", reach)
        return used * math.tanh(used / 2)

    def _others_without_delta(self, what: str, reach: str) -> float:
        used, delta = self.others(reach)
        if delta:
            none = f"0 for a {what} of all releases: from others’ ε at a δ no {what} follows"
            raise must_be("used_delta", f"{none}; got {show(self.used_delta)}")
        return used

    def _law_with_others(self, scale: float, reach: str) -> loss.LossDistribution | None:
        """Return the law of everything but others' δ, or None where a loss is above 1000."""
        (used, _), told = self.others(reach), self.told(scale, reach)
        if max(used, told.shift) > EPSILON.high:
            return None
        law = told.law()
        return law.compose_with(loss.randomized_response(max(used, EPSILON.low))) if used else law

    def least_scale(self, excess: Callable[[float], float], reach: str) -> float:
        """Search for the smallest scale at which a number that falls with it is not in excess.

        Parameters
        ----------
        excess : callable
            By how much the number is too large at a scale; below 0 at `FAR`.
        reach : str
            What the number takes in.
        """
        # The search begins where all numbers together lose no more than what is left.
        numbers = sum(part.count * part.shift for part in self.told(1.0, reach).parts)
        first = max(-excess(FAR), EPSILON.low) / numbers
        return 1 / largest(
            lambda inverse: excess(1 / inverse), 1 / FAR, FAR, self.precision, first
        )
