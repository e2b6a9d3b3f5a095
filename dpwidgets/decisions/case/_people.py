"""The people: how many a reach takes in, what others have used up, and how sentences say it."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

from dpwidgets.calculators import breach, loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case._earlier import Earlier, told
from dpwidgets.decisions.case._loss import Numbers, PrivacyLoss
from dpwidgets.decisions.case._noise import Gaussian
from dpwidgets.decisions.case._used import LONGEST_NAME, USED, Used, each_once
from dpwidgets.inputs.domain import Domain, must_be, one_of, whole
from dpwidgets.inputs.notation import several, show, up
from dpwidgets.inputs.outside import checked_text, described

#: For what a promise holds: one release, all releases, or all of them and all
#: people of a household, whose records are taken to change together.
ONE, ALL, HOUSEHOLD = (
    "one release",
    "all releases",
    "all releases and a household",
)
REACHES: tuple[str, ...] = (ONE, ALL, HOUSEHOLD)
MEMBERS = whole(1, 10**6)
ALTERNATIVES = whole(2, 10**6)
#: A scale so large that no larger one is looked for.
LARGEST_SCALE = SCALE.high / 10


def number_field(
    domain: Domain, default: float | None = None, of: tuple[str, ...] = ()
) -> Any:
    """Declare a field that is a number of this domain, and of what, if not of all, it is one."""
    return field(default=default, metadata={"domain": domain, "of": of})


@dataclass(frozen=True, kw_only=True)
class People(ABC):
    """What a case and a plan have in common about people: these fields, as in `Case`.

    A subclass says of which `cases` it is made, with which noise (`named`), and
    what they publish (`parts`). Here stands what follows for people, what
    others have used up, and how sentences say both.
    """

    neighbours: str | None = None
    delta: float = number_field(loss.DELTA_OR_NONE, 0.0)
    used: float = number_field(USED, 0.0)
    used_rho: float = number_field(loss.RHO_OR_NONE, 0.0)
    used_by: str = ""
    household: int = number_field(MEMBERS, 1)
    prior: float | None = number_field(breach.PRIOR)
    alternatives: int = number_field(ALTERNATIVES, 2)
    before: tuple[Earlier, ...] = field(
        default=(), metadata={"elsewhere": True}
    )

    @property
    @abstractmethod
    def cases(self) -> Sequence[Any]:
        """The case of each statistic, one or several."""

    @abstractmethod
    def parts(
        self, scale: float, reach: str, *, attribute: bool = False
    ) -> tuple[Numbers, ...]:
        """Return the numbers that its own releases publish, with noise of this scale.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in.
        attribute : bool
            Whether two databases are compared that differ in any attribute of
            the person, and not only two neighbours.
        """

    def told(
        self, reach: str, *, attribute: bool = False
    ) -> tuple[Numbers, ...]:
        """Return the numbers that earlier records published; with one release none count.

        Parameters
        ----------
        reach, attribute : str, bool
            As in `parts`.
        """
        if reach == ONE or not self.before:
            return ()
        return told(
            self.before, self.neighbours, self.people(reach), attribute
        )

    def loss_before(
        self, reach: str, *, attribute: bool = False
    ) -> PrivacyLoss:
        """Return the loss of earlier records and of what others' ρ is, without others' ε.

        Parameters
        ----------
        reach, attribute : str, bool
            As in `parts`.
        """
        before = self.told(reach, attribute=attribute)
        rho = self.rho_of_others(reach, attribute=attribute)
        return PrivacyLoss(before, self.delta, rho)

    def privacy_loss(
        self, scale: float, reach: str, *, attribute: bool = False
    ) -> PrivacyLoss:
        """Return the privacy loss of its own releases and of earlier records, one law of all."""
        before = self.loss_before(reach, attribute=attribute)
        own = self.parts(scale, reach, attribute=attribute)
        return replace(
            before, parts=own + before.parts, delta=self.delta_of(reach)
        )

    def alone(self) -> Self:
        """Return the same without what others and earlier records have used up."""
        return replace(
            self,
            used=0.0,
            used_rho=0.0,
            used_by="",
            before=(),
        )

    def by_itself(self) -> Self:
        """Return the same without anything about people, as it counts before another decision."""
        alone = self.alone()
        return replace(alone, household=1, prior=None, alternatives=2)

    @abstractmethod
    def repeated(self, times: int) -> Self:
        """Return the same with so many times as many releases."""

    @abstractmethod
    def named(self, scale: float) -> Sequence[tuple[str, Any, float]]:
        """Return each statistic: its name, if any, its case, and the scale of its noise."""

    def delta_of(self, reach: str) -> float:
        """Return the δ at which the ε of its own releases is read, for so many of them.

        One release with Laplace noise has an ε without a δ,
        unless others' ρ or earlier records count.
        """
        releases, _ = self.counted(reach)
        gaussian = any(case.mechanism == "Gaussian" for case in self.cases)
        before = reach != ONE and (self.before or self.rho_of_others(reach))
        if gaussian or releases > 1 or before:
            return self.delta
        return 0.0

    def counted(self, reach: str) -> tuple[int, int]:
        """Return how many releases and how many people a reach takes in."""
        releases = len(self.cases)
        if reach != ONE:
            releases = sum(case.releases for case in self.cases)
        return releases, self.people(reach)

    def _check_delta(self) -> None:
        """Check that δ is there where it is needed, and not too small for so many numbers."""
        every = self.privacy_loss(1.0, HOUSEHOLD)
        if not self.delta and math.isinf(every.worst_case):
            needs = "above 0 for Gaussian noise, also of earlier records, and beside used_rho"
            raise must_be("delta", f"{needs}: they have no ε at 0; got 0")
        numbers = 0
        for part in self.parts(1.0, ALL) + self.told(ALL):
            if not isinstance(part.noise, Gaussian):
                numbers += part.count
        least = loss.least_delta(numbers)
        if 0 < self.delta < least:
            together = f"0 or at least {up(least)} for {numbers:,} numbers of one person"
            raise must_be("delta", f"{together}; got {show(self.delta)}")

    def _check_numbers(self) -> None:
        """Check the fields that are numbers, and store them; None stays where it may stand."""
        for declared in fields(self):
            if "domain" not in declared.metadata:
                continue
            name = declared.name
            value = getattr(self, name)
            if value is None and declared.default is None:
                continue
            checked = declared.metadata["domain"].check_one(name, value)
            object.__setattr__(self, name, checked)
        checked_text("used_by", self.used_by, LONGEST_NAME)
        for earlier in self.before:
            if not isinstance(earlier, Earlier):
                raise TypeError(
                    f"before must be made of earlier records; got {described(earlier)}"
                )
        if len({earlier.id for earlier in self.before}) < len(self.before):
            raise must_be("before", "records with an id of their own each")

    def people(self, reach: str) -> int:
        """Return how many people a reach takes in."""
        one_of("reach", reach, REACHES)
        return self.household if reach == HOUSEHOLD else 1

    def others(self, reach: str, *, attribute: bool = False) -> float:
        """Compute the ε that others have used up, for as many people as a reach takes in.

        Parameters
        ----------
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in. One release leaves others out.
        attribute : bool
            Whether two values of each person are to be told apart, and not
            neighbours. Where persons are added or removed, two values are two
            steps apart.

        Returns
        -------
        float
            ε, from 0 up.

        Examples
        --------
        >>> from dpwidgets.decisions.case import HOUSEHOLD, Case
        >>> case = Case(published="count", used=1, household=4)
        >>> case.others(HOUSEHOLD), case.others(HOUSEHOLD, attribute=True)
        (4.0, 8.0)
        """
        used = math.fsum(one.epsilon for one in self.used_by_others)
        return used * self._steps(reach, attribute)

    def rho_of_others(self, reach: str, *, attribute: bool = False) -> float:
        """Compute others' ρ, as `others` computes their ε.

        It grows with the square of the neighbours that lie between (Bun and
        Steinke 2016, Prop. 1.9).
        """
        used = math.fsum(one.rho for one in self.used_by_others)
        return used * self._steps(reach, attribute) ** 2

    @property
    def own_used(self) -> Used:
        """What it says itself that others have used up."""
        return Used(by=self.used_by, epsilon=self.used, rho=self.used_rho)

    @cached_property
    def used_by_others(self) -> tuple[Used, ...]:
        """What others have used up, as it and earlier records say: see `each_once`."""
        said = [self.own_used]
        for earlier in self.before:
            said.append(earlier.used_for(self.neighbours))
        return each_once(said)

    def _steps(self, reach: str, attribute: bool) -> int:
        """Return how many neighbours lie between what others have seen; 0 with one release."""
        if reach == ONE:
            return 0
        steps = 2 if attribute and self.neighbours == "add/remove" else 1
        return steps * self.people(reach)

    @property
    def widest(self) -> str:
        """The widest reach that takes in more than a narrower one."""
        return HOUSEHOLD if self.household > 1 else ALL

    @property
    def tested(self) -> str:
        """What the test of an advantage is about, in words: neighbours are told apart."""
        if self.neighbours == "replace":
            return "which of two records belongs to a person"
        return "whether a person is in the data"

    def others_clause(self, reach: str) -> str:
        """Return what a sentence says of others, between commas, or nothing where none count."""
        if reach == ONE or not self.used_up:
            return ""
        return f" with {self.used_up_before(reach)},"

    def used_up_before(self, reach: str) -> str:
        """Return what others have used up for each of the people that a reach takes in."""
        each = " for each of them" if self.people(reach) > 1 else ""
        return f"{self.used_up}{each}"

    @property
    def used_up(self) -> str:
        """What others have used up, and which earlier records count, in words, or nothing."""
        used = self.used_by_others
        whose = [one.by or "others" for one in used]
        if any(earlier.published for earlier in self.before):
            whose.append(several(len(self.before), "earlier record"))
        elif len(used) == 1:
            return used[0].words
        if not whose:
            return ""
        return f"what {' and '.join(whose)} used up"

    def releases_clause(self, reach: str) -> str:
        """Return the beginning of a sentence about all releases that a reach takes in."""
        count, people = self.counted(reach)
        others = self.others_clause(reach)
        which = "The release"
        if count > 1:
            which = f"All {count:,} releases together"
        if people > 1:
            which += (
                f", for {people:,} people whose records depend on each other"
            )
        if people > 1 or others:
            which += f",{others}"
        return which

    @property
    def every_release(self) -> str:
        """All its releases, in words."""
        count, _ = self.counted(ALL)
        return "the release" if count == 1 else f"all {count:,} releases"

    def delta_clause(self, reach: str) -> str:
        """Return at which δ the ε of everything holds, as a sentence adds it, or nothing."""
        delta = self.delta_of(reach)
        return f" and δ = {up(delta)}" if delta else ""

    def failure_clause(self, reach: str) -> str:
        """Return what a sentence about beliefs adds where it fails with some probability."""
        own = self.privacy_loss(1.0, reach, attribute=True)
        return failure_clause(own.failure_probability)


def failure_clause(probability: float) -> str:
    """Return what a sentence adds that fails with at most this probability.

    Parameters
    ----------
    probability : float
        The probability, from 0 up; more than 1 is said as 1.

    Returns
    -------
    str
        The clause with its comma, or nothing where the sentence never fails.

    Examples
    --------
    >>> failure_clause(1e-6)
    ', except with a probability of 1e-6'
    """
    if not probability:
        return ""
    return f", except with a probability of {up(min(probability, 1.0))}"
