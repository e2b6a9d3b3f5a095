"""What others have used up about the same people, where they left no record of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import add

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
    epsilon, rho : float
        As `used` and `used_rho` of `Case`.
    """

    by: str = ""
    epsilon: float = 0.0
    rho: float = 0.0

    def checked(self) -> Used:
        """Return the same with numbers that are some, or raise an error that says which is none."""
        return Used(
            by=checked_text("used_by", self.by, LONGEST_NAME),
            epsilon=USED.check_one("used", self.epsilon),
            rho=loss.RHO_OR_NONE.check_one("used_rho", self.rho),
        )

    @property
    def anything(self) -> bool:
        """Whether it says of anything that it is used up."""
        return bool(self.epsilon or self.rho)

    @property
    def words(self) -> str:
        """It in words.

        Examples
        --------
        >>> Used(by="the census", epsilon=1, rho=0.1).words
        'ε = 1 and ρ = 0.1 used up by the census'
        """
        numbers = []
        if self.epsilon:
            numbers.append(f"ε = {show(self.epsilon)}")
        if self.rho:
            numbers.append(f"ρ = {show(self.rho)}")
        return f"{' and '.join(numbers)} used up by {self.by or 'others'}"


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
    each: dict[str, Used] = {}
    for one in used:
        if one.anything:
            join = max if one.by else add
            so_far = each.get(one.by, NOTHING)
            each[one.by] = Used(
                by=one.by,
                epsilon=join(so_far.epsilon, one.epsilon),
                rho=join(so_far.rho, one.rho),
            )
    return tuple(each.values())
