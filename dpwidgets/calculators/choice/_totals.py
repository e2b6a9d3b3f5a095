"""Goals that bound what all releases about the same people use up together: an ε, or a ρ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dpwidgets.calculators import loss
from dpwidgets.calculators.case import ALL, REACHES, Case
from dpwidgets.calculators.choice._protection import Promise
from dpwidgets.inputs.domain import within
from dpwidgets.inputs.notation import show

RHO = within(1e-12, 1e9)


def together(case: Case, reach: str) -> str:
    """Return the beginning of a sentence about all releases that a reach takes in."""
    count, people = case.counted(reach)
    which = f"All {count:,} releases together" if count > 1 else "The release"
    if people > 1:
        which += f", for {people:,} people whose records depend on each other"
    others = case.besides(reach)
    return which + (f",{others}" if people > 1 or others else "")


@dataclass(frozen=True)
class Budget(Promise):
    """What both kinds of budget share: it is for all releases, with what others have used up."""

    reach: str = field(default=ALL, kw_only=True)

    reaches = REACHES[1:]

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        return (show,)


@dataclass(frozen=True)
class BudgetGoal(Budget):
    """All releases about the same people shall stay within an ε, at the case's δ and others'.

    Parameters
    ----------
    total : float
        The ε of all of them, with what others have used up, from 1e-8 to 1e9.
    reach : {"all releases", "all releases and a household"}
        Whether it holds for one person or for a household, where what others have used up counts
        for each person.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", releases=4, used=0.2)
    >>> print(BudgetGoal(1).scales(case).sentence(case))
    a scale of at least 5 people, which is ε of at most 0.2 for Δf = 1
    """

    total: float

    kind = "budget"
    limits = "total"
    domain = loss.TOTAL
    gives = "ε = {} in all"

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        which, at = together(case, self.reach), case.at(self.reach)
        return f"{which} shall have ε = {show(self.total)}{at} at most."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the ε of all releases, with what others have used up."""
        return case.total(scale, self.reach)

    def _end(self, case: Case) -> float:
        return case.scale_of_total(self.total, self.reach)


@dataclass(frozen=True)
class RhoGoal(Budget):
    """All releases about the same people shall stay within a ρ (zero-concentrated, zCDP).

    Parameters
    ----------
    rho : float
        The ρ of all of them, from 1e-12 to 1e9. Others' ε counts with the largest ρ that it may
        have, and must hold without a δ.
    reach : {"all releases", "all releases and a household"}
        As in `BudgetGoal`.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", releases=8, mechanism="Gaussian", delta=1e-6)
    >>> print(RhoGoal(0.25).scales(case).sentence(case))
    a scale of at least 4 people, which is ε of at most 1.06 for Δf = 1 and δ = 1e-6
    """

    rho: float

    kind = "rho"
    limits = "rho"
    domain = RHO
    gives = "ρ = {} in all"

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        return f"{together(case, self.reach)} shall have ρ = {show(self.rho)} at most."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the ρ of all releases, with what others have used up."""
        return case.rho(scale, self.reach)

    def _end(self, case: Case) -> float:
        return case.scale_of_rho(self.rho, self.reach)
