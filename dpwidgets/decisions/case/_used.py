"""What others have used up about the same people, where they left no record of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dpwidgets.calculators import loss
from dpwidgets.inputs.domain import within
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import checked_text

USED = within(0, 1e9)
#: How many characters a name may have.
LONGEST_NAME = 200


@dataclass(frozen=True, kw_only=True)
class Used:
    """What the releases of somebody who left no record have used up.

    Parameters
    ----------
    by : str
        Whose releases they are; nothing where nobody said.
    epsilon, delta, rho : float
        As `used`, `used_delta` and `used_rho` of `Case`.
    """

    by: str = ""
    epsilon: float = 0.0
    delta: float = 0.0
    rho: float = 0.0

    def checked(self) -> Used:
        """Return the same with numbers that are some, or raise an error that says which is none."""
        return Used(
            by=checked_text("used_by", self.by, LONGEST_NAME),
            epsilon=USED.check_one("used", self.epsilon),
            delta=loss.DELTA_OR_NONE.check_one("used_delta", self.delta),
            rho=loss.RHO_OR_NONE.check_one("used_rho", self.rho),
        )

    @property
    def anything(self) -> bool:
        """Whether it says of anything that it is used up."""
        return bool(self.epsilon or self.delta or self.rho)

    def apart(self, steps: int) -> Used:
        """Return what it is for two databases so many neighbours apart.

        Notes
        -----
        (ε, δ) for neighbours is (mε, δ·(1 + e^ε + … + e^((m−1)ε))) for
        databases m steps apart, by induction: P[S] ≤ e^ε·P′[S] + δ at each
        step (group privacy, as in Vadhan 2017). A δ of 1, which promises
        nothing, is the largest. ρ grows with the square of the steps (Bun and
        Steinke 2016, Prop. 1.9).

        Examples
        --------
        >>> four = Used(epsilon=1, delta=1e-6).apart(4)
        >>> four.epsilon, round(four.delta, 8)
        (4, 3.119e-05)
        """
        delta = 0.0
        if self.delta:
            # The sum is e^((m−1)ε) times one of falling terms, at most m: its
            # logarithm overflows no float.
            terms = float(steps)
            if self.epsilon:
                falling = math.expm1(-steps * self.epsilon)
                terms = falling / math.expm1(-self.epsilon)
            log_delta = math.log(self.delta) + math.log(terms)
            log_delta += (steps - 1) * self.epsilon
            delta = math.exp(min(log_delta, 0.0))
        return Used(
            by=self.by,
            epsilon=steps * self.epsilon,
            delta=delta,
            rho=steps * steps * self.rho,
        )

    @property
    def words(self) -> str:
        """It in words.

        Examples
        --------
        >>> Used(by="the census", epsilon=1, rho=0.1).words
        'ε = 1 and ρ = 0.1 used up by the census'
        """
        numbers = []
        if self.epsilon or self.delta:
            numbers.append(f"ε = {show(self.epsilon)}")
        if self.delta:
            numbers.append(f"δ = {show(self.delta)}")
        if self.rho:
            numbers.append(f"ρ = {show(self.rho)}")
        *first, last = numbers
        among = f"{', '.join(first)} and " if first else ""
        return f"{among}{last} used up by {self.by or 'others'}"


#: Where nothing is used up.
NOTHING = Used()


def each_once(used: Iterable[Used]) -> tuple[Used, ...]:
    """Return who is named once, with the largest that is said; what has no name adds up.

    Examples
    --------
    >>> census = [Used(by="the census", epsilon=1), Used(by="the census", epsilon=3)]
    >>> [one.words for one in each_once([*census, Used(epsilon=2), Used(epsilon=2)])]
    ['ε = 3 used up by the census', 'ε = 4 used up by others']
    """
    largest: dict[str, Used] = {}
    for one in used:
        if not one.anything:
            continue
        so_far = largest.get(one.by, Used(by=one.by))
        if one.by:
            largest[one.by] = Used(
                by=one.by,
                epsilon=max(so_far.epsilon, one.epsilon),
                delta=max(so_far.delta, one.delta),
                rho=max(so_far.rho, one.rho),
            )
        else:
            largest[""] = Used(
                epsilon=so_far.epsilon + one.epsilon,
                delta=so_far.delta + one.delta,
                rho=so_far.rho + one.rho,
            )
    return tuple(largest.values())
