"""The numbers that a promise may limit: of a case or a plan, with what others have used up."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from scipy.special import expit, logit

from dpwidgets.calculators import breach, loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest
from dpwidgets.decisions.case._people import LARGEST_SCALE, People
from dpwidgets.inputs.domain import EPSILON, PROBABILITY
from dpwidgets.inputs.door import takes


@dataclass(frozen=True, kw_only=True)
class Limits(People):
    """What a case and a plan both offer: each number that a promise may limit, at a scale.

    Whoever asks for no more than these numbers is typed by this class, and
    takes a plan where it takes a case. For a plan the scale is its factor. Each
    number composes the `privacy_loss` of the own releases with what others
    have used up, for all people of the household.
    """

    #: Of a scale that is searched for, relatively: it is larger by so much at
    #: most.
    precision: ClassVar[float] = 1e-11
    #: The largest noise that keeps what is published precise, if that is known.
    most: ClassVar[float] = math.inf

    @property
    @abstractmethod
    def smallest_scale(self) -> float:
        """The scale of the least noise that is looked at."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What no ε says: of a δ that is too large for so many people, and of a public n."""
        said: list[str] = []
        for case in self.cases:
            said += case.too_large(self.delta_of_all) + case.public_n
        return tuple(dict.fromkeys(said))

    @takes(scale=SCALE)
    def total(self, scale: float) -> float:
        """Compute the ε of everything, with what others have used up.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.

        Returns
        -------
        float
            Others' ε for each of the people, and for the case's own releases:
            for Laplace noise Δf/b times releases times people,
            or the ε of the composed law at `delta` where that is smaller; for
            Gaussian noise the ε at `delta`.

        Notes
        -----
        It holds at `delta_of_all`, as `delta_clause` says it.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case, others
        >>> census = others("the census", epsilon=0.1)
        >>> weeks = Case(published="count", releases=52, delta=1e-6, before=[census])
        >>> round(weeks.total(100), 4), weeks.one_release.total(100)
        (0.3731, 0.01)
        """
        return self.privacy_loss(scale).epsilon() + self.past.epsilon()

    @property
    def used_before(self) -> dict[str, float]:
        """The ε of what came before, at `delta`, and its ρ, each under its letter.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case, others
        >>> case = Case(published="count", before=[others("a", epsilon=0.1)])
        >>> case.used_before["ε"], round(case.used_before["ρ"], 6)
        (0.1, 0.004996)
        """
        before, used = self.past.loss(self.delta), self.past.epsilon()
        return {
            "ε": before.epsilon() + used,
            "ρ": before.rho() + used * math.tanh(used / 2),
        }

    @takes(scale=SCALE)
    def log_odds(self, scale: float) -> float:
        """Compute by how much the logarithm of the odds of a belief about a person may change.

        Never more for noise that is read without a `delta`; else but for a
        probability of `delta`, with which the privacy loss is larger:
        `failure_clause` says it.

        Parameters
        ----------
        scale : float
            As in `total`.

        Returns
        -------
        float
            The change, from 0 up; infinite where nothing bounds it.

        Notes
        -----
        The tail of the loss, and not δ(ε) = E[(1 − e^(ε−L))₊], says how often
        a belief moves by more. What is believed must depend on this person
        alone, or on the people of the household.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> Case(published="count", releases=4).log_odds(5)
        0.8
        """
        own = self.privacy_loss(scale, attribute=True)
        return own.exceeded() + self.past.epsilon(attribute=True)

    def belief(
        self,
        scale: float,
        prior: float,
        move: Callable[[float, float], float] = breach.posterior,
    ) -> float:
        """Compute the largest belief about a person afterwards, or by `downward` the smallest.

        Parameters
        ----------
        scale : float
            As in `total`.
        prior : float
            The belief before, between 0 and 1.
        move : callable
            What makes a belief of it and of a change of `log_odds`.

        Returns
        -------
        float
            The belief, from 0 to 1.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> round(Case(published="count", releases=4).belief(5, 0.2), 3)
        0.357
        """
        moved = min(max(self.log_odds(scale), EPSILON.low), EPSILON.high)
        return move(prior, moved)

    @takes(scale=SCALE)
    def advantage(self, scale: float) -> float:
        """Compute the largest advantage of a test that says whether a person is in the data.

        It is how often it says "with" of those who are, less how often of
        those who are not.

        Parameters
        ----------
        scale : float
            As in `total`.

        Returns
        -------
        float
            The advantage, from 0 to 1.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> round(Case(published="count").advantage(5), 4)
        0.0952
        """
        return self._delta(scale, 0.0, attribute=False)

    @takes(scale=SCALE, prior=PROBABILITY)
    def yes_or_no(self, scale: float, prior: float) -> float:
        """Compute how often the best guess is right whether something is true of a person.

        Parameters
        ----------
        scale : float
            As in `total`.
        prior : float
            How likely it is without the releases, between 0 and 1.

        Returns
        -------
        float
            How often it is right with them, on average over all answers: see
            `LossDistribution.yes_or_no`. Exact for what a fact moves by Δf,
            such as a count of those of whom it is true, and else a bound.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", releases=4)
        >>> case.yes_or_no(5, 0.2), round(case.yes_or_no(5, 0.5), 3)
        (0.8, 0.574)
        """
        likelier = max(prior, 1 - prior)
        odds = float(logit(likelier))
        delta = self._delta(scale, odds, attribute=True)
        return likelier + (1 - likelier) * delta

    @takes(scale=SCALE, baseline=PROBABILITY)
    def success(self, scale: float, baseline: float) -> float:
        """Compute how often an attacker guesses one of several values of a person.

        Parameters
        ----------
        scale : float
            As in `total`.
        baseline : float
            How often the best guess is right without the releases, between 0
            and 1: 1/m for one of m equally likely values.

        Returns
        -------
        float
            How often it is right with them, at most, on average over all
            answers: see `LossDistribution.success`, or for neighbours nearer
            than two values `LossDistribution.power` (Kulynych et al. 2025). A
            single answer may tell more: see `log_odds`.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", releases=12)
        >>> round(case.success(5, 0.2), 3)
        0.369
        """
        person = self._law_of_all(scale)
        values = self._law_of_all(scale, attribute=True)
        right = 1.0
        if values:
            right = float(values.success(baseline))
        if person and person != values:
            right = min(right, float(person.power(baseline)))
        return right

    @takes(scale=SCALE)
    def rho(self, scale: float) -> float:
        """Compute a ρ at which everything is ρ-zCDP (Bun and Steinke 2016).

        Parameters
        ----------
        scale : float
            As in `total`.

        Returns
        -------
        float
            ρ, the smallest for the case's own releases, with the worst that
            others' ε may be.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", mechanism="Gaussian", delta=1e-6)
        >>> round(case.rho(5), 6)
        0.02
        """
        used = self.past.epsilon()
        own = self.privacy_loss(scale).rho()
        return own + used * math.tanh(used / 2)

    @takes(scale=SCALE)
    def mu(self, scale: float) -> float:
        """Compute a μ at which everything is no easier to tell than normal laws μ deviations apart.

        This is Gaussian privacy (Dong, Roth and Su 2022).

        Parameters
        ----------
        scale : float
            As in `total`.

        Returns
        -------
        float
            μ, the smallest for Gaussian noise and for one number with Laplace
            noise; else an upper bound: see `LossDistribution.mu`. Infinite
            where a number may lose more than 1000.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", mechanism="Gaussian", delta=1e-6)
        >>> case.mu(5)
        0.2
        """
        law = self._law_of_all(scale)
        return math.inf if law is None else law.mu()

    def _delta(
        self, scale: float, epsilon: float, *, attribute: bool
    ) -> float:
        """Return δ(ε) of the loss of everything, whose law is the same in both orders.

        Others' ε tells no more than randomized response of ε (Kairouz, Oh and
        Viswanath 2015), which raises the loss by ε, or lowers it.
        """
        used = self.past.epsilon(attribute=attribute)
        own = self.privacy_loss(scale, attribute=attribute)
        raised = expit(used) * own.delta_at(epsilon - used)
        lowered = expit(-used) * own.delta_at(epsilon + used)
        return float(min(raised + lowered, 1.0))

    def _law_of_all(
        self, scale: float, *, attribute: bool = False
    ) -> loss.LossDistribution | None:
        """Return the law of everything, or None where a loss is above 1000."""
        used = self.past.epsilon(attribute=attribute)
        own = self.privacy_loss(scale, attribute=attribute)
        if used > EPSILON.high or not own.has_law:
            return None
        if not used:
            return own.law()
        others = loss.randomized_response(max(used, EPSILON.low))
        return own.law().compose_with(others)

    def least_scale(self, excess: Callable[[float], float]) -> float:
        """Search for the smallest scale at which a number that falls with it is not in excess.

        Parameters
        ----------
        excess : callable
            By how much the number is too large at a scale; below 0 at
            `LARGEST_SCALE`.

        Returns
        -------
        float
            The scale, larger than needed by at most `precision`, relatively.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", releases=4)
        >>> excess = lambda scale: case.total(scale) - 0.4
        >>> round(case.least_scale(excess), 6)
        10.0
        """
        parts = self.parts(1.0)
        # The search begins where all numbers together lose no more than what
        # is left.
        numbers = sum(part.count * part.shift for part in parts)
        first = max(-excess(LARGEST_SCALE), EPSILON.low) / numbers
        inverse = largest(
            lambda inverse: excess(1 / inverse),
            1 / LARGEST_SCALE,
            LARGEST_SCALE,
            1e-5 if self.before else self.precision,
            first,
        )
        return 1 / inverse
