"""Goals that bound what others learn of people: the noise must be large enough."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Self, TypedDict

from scipy.special import expit, logit

from dpwidgets.calculators import breach, loss
from dpwidgets.calculators.noise import DIGITS, SCALE
from dpwidgets.calculators.worlds import RISK, Alike, Worlds
from dpwidgets.decisions.case import (
    LARGEST_SCALE,
    Case,
    Limits,
    failure_clause,
    of_several,
)
from dpwidgets.decisions.goals._goals import (
    Feasible,
    Goal,
    Whole,
    given,
)
from dpwidgets.inputs.domain import (
    EPSILON,
    Domain,
    must_be,
    whole,
    within,
)
from dpwidgets.inputs.notation import down, percent, rounded, show, up

KEPT = within(0, SCALE.high)
ALTERNATIVES = whole(2, 10**6)


@dataclass(frozen=True)
class Promise(Goal[Whole]):
    """A goal that bounds what others learn of people: the noise must be large enough.

    It is about everything: all releases, what came before them, and all people
    of the household.
    """

    def _range(self, case: Whole) -> Feasible:
        if self.met(case, case.smallest_scale):
            # What every noise of the domain meets, any noise meets.
            return Feasible()
        if self.excess(case, LARGEST_SCALE) >= 0:
            return self._none(case, LARGEST_SCALE, "the largest noise")
        excess = partial(self.excess, case)
        low = rounded(case.least_scale(excess), DIGITS, up=True)
        # What many laws make together falls with the scale but for a hair.
        if not self.met(case, low):
            low = rounded(low * (1 + 1e-6), DIGITS, up=True)
        return Feasible(low)

    def _after(self, case: Whole) -> str:
        """Return the beginning of the sentence: after what, for whom, and beside what."""
        after = f"After {case.every_release}"
        if case.household > 1:
            after += f", even if the records of {case.household:,} people depend on each other"
        return f"{after}{case.beside_clause},"


@dataclass(frozen=True)
class RiskGoal(Promise[Case]):
    """Nobody shall be this sure which record of a column is missing.

    Parameters
    ----------
    worlds : Worlds, Alike or None
        The possible worlds of the column, asked for what the case publishes.
        Their own Δf gives their own ε; what counts is the noise.
    risk : float
        The tolerated risk, between 0 and 1.
    kept : float, optional
        The smallest scale, which a record keeps in place of the worlds, from 0
        to 1e90; 1e90 if there is none. It has three digits: all of them would
        tell the column to somebody who knows the rest of it. A chosen scale
        that lies below that and keeps the goal stands in its place.

    Notes
    -----
    The answers of several releases are bounded by their worst, and so are
    people whose records depend on each other: as if all answers were so many
    times as far apart. One record is missing all the same: a household that is
    missing as a whole makes other worlds, which this does not bound.

    Two worlds, each without a record of its own, are two neighbours apart
    where persons are added or removed, and one where records are replaced.
    Whatever the case's own answers are, all other worlds together are one
    mixture of worlds, and others' releases move the odds between it and this
    one by e^ε at most, with their ε for so many neighbours. With a δ they move
    them by more than 2e^ε with a probability of at most 2δ where this record
    is the missing one. Whom the answers point at with a posterior above ρ is
    the missing one more often than ρ, so that it happens with a probability of
    at most 2δ/ρ in all.

    Examples
    --------
    >>> case = Case(published="mean", n=4, low=0, high=10, unit="years")
    >>> goal = RiskGoal(Worlds([1, 2, 3, 10]), risk=1 / 3)
    >>> print(goal.scales(case).sentence(case))
    a scale of at least 6.57 years, which is ε of at most 0.38 for Δf = 2.5
    """

    worlds: Worlds | Alike | None
    risk: float
    kept: float | None = field(default=None, kw_only=True)

    kind = "risk"
    from_data = True
    limits = "risk"
    domain = RISK
    gives = "at most {} sure"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.worlds, Worlds | Alike | None):
            raise TypeError(
                f"worlds must be a Worlds; got {type(self.worlds).__name__}"
            )
        if (self.worlds is None) == (self.kept is None):
            raise must_be(
                "kept",
                f"{KEPT.allowed}, where there are no worlds and nowhere else",
            )
        if self.kept is not None:
            object.__setattr__(self, "kept", KEPT.check_one("kept", self.kept))

    def sentence(self, case: Case) -> str:
        return (
            f"{self._after(case)} nobody who knows all records of the column, each equally likely "
            f"to be missing, shall be more than {self.written(case)[0]} sure which one "
            f"is{self.condition(case)}."
        )

    def condition(self, case: Case) -> str:
        _, chance = self._by_others(case)
        return failure_clause(chance)

    def reached(self, case: Case, scale: float) -> float:
        if self.worlds is None:
            raise must_be("worlds", "there; the column is not in the record")
        if case.mechanism == "Gaussian":
            raise must_be("mechanism", "'Laplace' to bound this risk")
        if case.cells or case.groups:
            raise must_be(
                "published", "a single count, sum or mean to bound this risk"
            )
        times = case.releases * case.household
        epsilon = self.worlds.sensitivity * times / scale
        if epsilon > EPSILON.high:
            epsilon = math.inf
        # Below the smallest ε the risk is hardly more than that of a blind
        # guess.
        risk = self.worlds.risk(max(epsilon, EPSILON.low))
        moved, chance = self._by_others(case)
        if chance >= 1:
            return 1.0
        return float(expit(logit(risk) + moved))

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how sure somebody can be; without the column, whether the goal is met."""
        if self.worlds is not None:
            return super().achieved(case, scale)
        side = "at most" if self.met(case, scale) else "perhaps more than"
        return f"{side} {self.written(case)[0]} sure"

    def met(self, case: Case, scale: float) -> bool:
        if self.worlds is None:
            return self.scales(case).allows(scale)
        return super().met(case, scale)

    def without_data(self, case: Case, scale: float | None) -> Self:
        """Return the goal with the smallest scale, of three digits, in place of the worlds."""
        if self.worlds is None:
            return self
        kept = min(self.scales(case).low, KEPT.high)
        if scale is not None and self.met(case, scale):
            kept = min(kept, scale)
        return replace(self, worlds=None, kept=kept)

    def _by_others(self, case: Case) -> tuple[float, float]:
        """Return how far others may move the logarithm of odds, and how likely even farther."""
        before = case.past.loss(case.delta, attribute=True)
        moved = case.past.epsilon(attribute=True) + before.exceeded()
        return moved, before.failure_probability / self.risk

    def _range(self, case: Case) -> Feasible:
        if self.worlds is not None:
            allowed = super()._range(case)
            return replace(allowed, low=rounded(allowed.low, up=True))
        low = self.kept or 0.0
        if low > LARGEST_SCALE:
            return Feasible(low, 0.0, "not even the largest noise does")
        return Feasible(low if low > case.smallest_scale else 0.0)


@dataclass(frozen=True)
class BeliefGoal(Promise[Limits]):
    """What an attacker believes of a person shall not rise above this.

    Parameters
    ----------
    posterior : float
        The tolerated belief, between 0 and 1. The case has the one before, its
        prior.

    Examples
    --------
    >>> case = Case(published="count", prior=0.2, releases=4)
    >>> BeliefGoal(0.25).achieved(case, scale=5)
    'from 20% to at most 35.8%'
    """

    posterior: float

    kind = "belief"
    limits = "posterior"
    domain = breach.POSTERIOR
    gives = "from {prior} to at most {}"

    def sentence(self, case: Limits) -> str:
        before = "a probability that is missing"
        if case.prior:
            before = down(case.prior, percent)
        return (
            f"{self._after(case)} nobody who believed something about a person at {before} shall "
            f"believe it at more than {self.written(case)[0]}{self.condition(case)}."
        )

    def condition(self, case: Limits) -> str:
        return case.failure_clause

    def reached(self, case: Limits, scale: float) -> float:
        return case.belief(scale, given(case, "prior"))

    def excess(self, case: Limits, scale: float) -> float:
        # Along the loss, the logarithm of odds is nearly a straight line.
        return float(logit(self.reached(case, scale)) - logit(self.posterior))


@dataclass(frozen=True)
class SuccessGoal(Promise[Limits]):
    """No attacker who guesses one of several values of a person shall be right more often.

    Where a belief is bounded after every single answer, this bounds how often
    the best attack succeeds over all answers: it allows less noise, and says
    less of the rare answer that tells most.

    Parameters
    ----------
    success : float
        How often the attacker may be right, between 0 and 1.
    alternatives : int
        Of how many values one is guessed, all equally likely before: from 2, a
        toss of a coin, to 10⁶. Where they are not equally likely, none is
        likelier than one in so many.

    Examples
    --------
    >>> case = Case(published="count", releases=4)
    >>> SuccessGoal(0.3, alternatives=5).achieved(case, scale=5)
    'right in at most 29.4% of cases'
    """

    success: float
    alternatives: int = 2

    kind = limits = "success"
    domain = breach.POSTERIOR
    numbers: ClassVar[Mapping[str, Domain]] = {"alternatives": ALTERNATIVES}
    gives = "right in at most {} of cases"

    def sentence(self, case: Limits) -> str:
        what = of_several(case, self.alternatives).what
        return (
            f"{self._after(case)} nobody who guesses {what} shall be right in more than "
            f"{self.written(case)[0]} of cases."
        )

    def reached(self, case: Limits, scale: float) -> float:
        return of_several(case, self.alternatives).right(scale)


class Budget(Promise[Limits]):
    """What both kinds of budget share: they are written as they are."""

    symbol: ClassVar[str]

    def _in_units(
        self, case: Limits, number: float, *digits: int
    ) -> tuple[str, ...]:
        return (up(number, show, *digits),)


@dataclass(frozen=True)
class BudgetGoal(Budget):
    """All releases about the same people shall stay within an ε, at the case's δ and others'.

    Parameters
    ----------
    total : float
        The ε of all of them, with what others have used up, from 1e-8 to 1e9.

    Examples
    --------
    >>> from dpwidgets.decisions.case import others
    >>> census = others("the census", epsilon=0.2)
    >>> case = Case(published="count", releases=4, before=[census])
    >>> print(BudgetGoal(1).scales(case).sentence(case))
    a scale of at least 5 people, which is ε of at most 0.2 for Δf = 1
    """

    total: float

    kind = "budget"
    limits = "total"
    domain = loss.TOTAL
    symbol = "ε"
    gives = "ε = {} in all"

    def sentence(self, case: Limits) -> str:
        (limit,) = self.written(case)
        return f"{case.releases_clause} shall have ε = {limit}{case.delta_clause} at most."

    def condition(self, case: Limits) -> str:
        delta = case.delta_of_all
        return f", at δ = {up(delta)}" if delta else ""

    def reached(self, case: Limits, scale: float) -> float:
        return case.total(scale)


@dataclass(frozen=True)
class RhoGoal(Budget):
    """All releases about the same people shall stay within a ρ (zero-concentrated, zCDP).

    Parameters
    ----------
    rho : float
        The ρ of all of them, from 1e-12 to 1e9. Others' ε counts with the
        largest ρ that it may have, and must hold without a δ.

    Examples
    --------
    >>> case = Case(published="count", releases=8, mechanism="Gaussian", delta=1e-6)
    >>> print(RhoGoal(0.25).scales(case).sentence(case))
    a scale of at least 4 people, which is ε of at most 1.06 for Δf = 1 and δ = 1e-6
    """

    rho: float

    kind = limits = "rho"
    domain = within(1e-12, 1e9)
    symbol = "ρ"
    gives = "ρ = {} in all"

    def sentence(self, case: Limits) -> str:
        (limit,) = self.written(case)
        return f"{case.releases_clause} shall have ρ = {limit} at most."

    def reached(self, case: Limits, scale: float) -> float:
        return case.rho(scale)


class Promised(TypedDict, total=False):
    """The limits of promises that a case and a plan both make."""

    posterior: float | None
    success: float | None
    alternatives: int
    total: float | None
    rho: float | None
