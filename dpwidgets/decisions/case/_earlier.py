"""One thing that came before: what an earlier record published, or what others say they used up."""

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

from dpwidgets.calculators import loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.domain import must_be, one_of, within
from dpwidgets.inputs.notation import up
from dpwidgets.inputs.outside import checked_text, quoted

NEIGHBOURS = ("add/remove", "replace")
USED = within(0, 1e9)
#: How many characters the name of others may have.
LONGEST_NAME = 200
_LONGEST_ID = 40


def checked_id(found: object) -> str:
    """Return the id of a record, or raise an error that says what it must be."""
    text = checked_text("id", found, _LONGEST_ID)
    if not text.strip():
        raise must_be("id", "what tells one record from another; it is empty")
    return text


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What came before. `Record.earlier` makes it of a record, and `others` of two numbers.

    Parameters
    ----------
    id : str
        Which one it is: whatever has this id is the same.
    about, period, date : str
        What its people said of it: what is published, for which period, and
        when they decided. Of others, `about` is their name.
    published : tuple of (Case, float)
        The case of each statistic, without its people and what came before,
        and the scale of its noise.
    epsilon, rho : float
        What others used up, who left no record.
    neighbours : {"add/remove", "replace"}, optional
        For which neighbours that is; by default for those of the decision.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be, or it says of nothing.
    """

    id: str
    about: str = ""
    period: str = ""
    date: str = ""
    published: tuple[tuple[Any, float], ...] = ()
    epsilon: float = 0.0
    rho: float = 0.0
    neighbours: str | None = None

    def __post_init__(self) -> None:
        checked_id(self.id)
        for name in ("about", "period", "date"):
            checked_text(name, getattr(self, name))
        for case, scale in self.published:
            SCALE.check_one("scale", scale)
            if case != case.by_itself():
                raise must_be(
                    "published", "cases without people and without others"
                )
        for name, domain in (("epsilon", USED), ("rho", loss.RHO_OR_NONE)):
            number = domain.check_one(name, getattr(self, name))
            object.__setattr__(self, name, number)
        if self.neighbours is not None:
            one_of("neighbours", self.neighbours, NEIGHBOURS)
        of_others = self.epsilon or self.rho
        if bool(self.published) == bool(of_others):
            says = "what a record published, or what others used up: ε or ρ above 0"
            raise must_be("before", f"{says}; {self.name} is not")

    def counts_as(self, other: "Earlier") -> bool:
        """Tell whether it counts for the same; scales are computed, and may differ in a digit."""
        if len(self.published) != len(other.published):
            return False
        for (case, scale), (theirs, of_theirs) in zip(
            self.published, other.published, strict=True
        ):
            if case != theirs or not math.isclose(scale, of_theirs):
                return False
        mine = self.epsilon, self.rho, self.neighbours
        return mine == (other.epsilon, other.rho, other.neighbours)

    @property
    def name(self) -> str:
        """How a message calls it."""
        said = filter(None, (self.about, self.period, self.date))
        return quoted(", ".join(said) or "a record without words")

    @property
    def numbers(self) -> str:
        """What others used up, in words."""
        said = []
        if self.epsilon:
            said.append(f"ε = {up(self.epsilon)}")
        if self.rho:
            said.append(f"ρ = {up(self.rho)}")
        return " and ".join(said)


def others(
    name: str,
    *,
    epsilon: float = 0.0,
    rho: float = 0.0,
    neighbours: str | None = None,
) -> Earlier:
    """Say what others used up about the same people, who left no record of it.

    Parameters
    ----------
    name : str
        Who they are, in at most 200 characters. The same name with the same
        numbers counts once; with other numbers both count.
    epsilon : float
        The ε (at δ = 0) of their releases, from 0 to 1e9. It counts twice for
        what is twice as far apart: two people, or a value of somebody where
        persons are added or removed.
    rho : float
        The ρ (zCDP) of their releases beside that, 0 or from 1e-6 to 100: what
        was accounted with a δ. For what is twice as far apart it counts four
        times. It needs a `delta` above 0 of the decision.
    neighbours : {"add/remove", "replace"}, optional
        For which neighbours these are; by default for those of the decision.

    Returns
    -------
    Earlier
        An entry for `before`.

    Raises
    ------
    TypeError, ValueError
        If the name is empty, or an argument lies outside its domain.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> count = Case(published="count", before=[others("the census", epsilon=1)])
    >>> count.total(2), count.past.words
    (1.5, 'ε = 1 used up by the census')
    """
    if not checked_text("name", name, LONGEST_NAME).strip():
        raise must_be("name", "who used it up; it is empty")
    numbers = [
        USED.check_one("epsilon", epsilon),
        loss.RHO_OR_NONE.check_one("rho", rho),
    ]
    said = json.dumps([name, *numbers, neighbours])
    return Earlier(
        id=hashlib.sha256(said.encode()).hexdigest()[:10],
        about=name,
        epsilon=numbers[0],
        rho=numbers[1],
        neighbours=neighbours,
    )
