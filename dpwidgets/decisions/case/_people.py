"""The people: what others have used up about them, and how sentences say it."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

from dpwidgets.calculators import breach, loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case._loss import Numbers, PrivacyLoss
from dpwidgets.decisions.case._noise import GaussianNoise
from dpwidgets.decisions.case._past import Earlier, Past
from dpwidgets.inputs.domain import Domain, must_be, whole
from dpwidgets.inputs.notation import every, show, up
from dpwidgets.inputs.outside import described

MEMBERS = whole(1, 10**6)
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
    household: int = number_field(MEMBERS, 1)
    prior: float | None = number_field(breach.PRIOR)
    before: tuple[Earlier, ...] = field(
        default=(), metadata={"elsewhere": True}
    )

    @property
    @abstractmethod
    def cases(self) -> Sequence[Any]:
        """The case of each statistic, one or several."""

    @abstractmethod
    def parts(
        self, scale: float, *, attribute: bool = False
    ) -> tuple[Numbers, ...]:
        """Return the numbers that its own releases publish, with noise of this scale.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        attribute : bool
            Whether two databases are compared that differ in any attribute of
            the person, and not only two neighbours.
        """

    @cached_property
    def past(self) -> Past:
        """What came before, as it counts here."""
        return Past(self.before, self.neighbours, self.household)

    def privacy_loss(
        self, scale: float, *, attribute: bool = False
    ) -> PrivacyLoss:
        """Return the privacy loss of its own releases and of what came before, one law of all.

        What others used up as ε is not in it: see `Past.epsilon`.
        """
        before = self.past.loss(self.delta, attribute=attribute)
        own = self.parts(scale, attribute=attribute)
        return replace(
            before, parts=own + before.parts, delta=self.delta_of_all
        )

    def by_itself(self) -> Self:
        """Return the same without anything about people, as it counts before another decision."""
        return replace(self, before=(), household=1, prior=None)

    @abstractmethod
    def repeated(self, times: int) -> Self:
        """Return the same with so many times as many releases."""

    @abstractmethod
    def named(self, scale: float) -> Sequence[tuple[str, Any, float]]:
        """Return each statistic: its name, if any, its case, and the scale of its noise."""

    @property
    def delta_of_all(self) -> float:
        """The δ at which the ε of everything is read.

        One release with Laplace noise has an ε without a δ, unless others' ρ or
        earlier records count.
        """
        gaussian = any(case.mechanism == "Gaussian" for case in self.cases)
        before = any(one.published or one.rho for one in self.before)
        if gaussian or self.releases_of_all > 1 or before:
            return self.delta
        return 0.0

    @property
    def releases_of_all(self) -> int:
        """How many releases there are of all its statistics."""
        return sum(case.releases for case in self.cases)

    def _check_delta(self) -> None:
        """Check that laws count so many numbers, and that δ is there and not too small for them."""
        values = self.privacy_loss(1.0, attribute=True)
        changed = sum(part.count for part in values.parts)
        if changed > loss.COUNT.high:
            raise must_be(
                "releases",
                f"so few, and contributions too, that two values of one person differ in at most "
                f"{loss.COUNT.high:,} numbers; got {changed:,}",
            )
        whole = self.privacy_loss(1.0)
        if not self.delta and math.isinf(whole.worst_case):
            needs = "above 0 for Gaussian noise, also of earlier records, and beside others' ρ"
            raise must_be("delta", f"{needs}: they have no ε at 0; got 0")
        # Of those with Gaussian noise the law is exact, and on no grid.
        numbers = sum(
            part.count
            for part in self.parts(1.0) + self.past.numbers()
            if not isinstance(part.noise, GaussianNoise)
        )
        least = loss.least_delta(numbers)
        if 0 < self.delta < least:
            together = f"0 or at least {up(least)} for {numbers:,} numbers of one person"
            raise must_be("delta", f"{together}; got {show(self.delta)}")

    def _check_fields(self) -> None:
        """Check the numbers, and store them, and what came before; None stays where it may."""
        for declared in fields(self):
            if "domain" not in declared.metadata:
                continue
            name = declared.name
            value = getattr(self, name)
            if value is None and declared.default is None:
                continue
            checked = declared.metadata["domain"].check_one(name, value)
            object.__setattr__(self, name, checked)
        object.__setattr__(self, "before", tuple(self.before))
        for earlier in self.before:
            if not isinstance(earlier, Earlier):
                raise TypeError(
                    f"before must be made of earlier records; got {described(earlier)}"
                )
        if len({earlier.id for earlier in self.before}) < len(self.before):
            raise must_be("before", "records with an id of their own each")

    @property
    def tested(self) -> str:
        """What the test of an advantage is about, in words: neighbours are told apart."""
        if self.neighbours == "replace":
            return "which of two records belongs to a person"
        return "whether a person is in the data"

    @property
    def beside_clause(self) -> str:
        """What a sentence or a title says of what came before, behind a comma, or nothing."""
        return f", with {self.past.words}" if self.before else ""

    @property
    def dependent_clause(self) -> str:
        """For whom it is where records depend on each other, behind a comma, or nothing."""
        if self.household == 1:
            return ""
        return f", for {self.household:,} people with dependent records"

    @property
    def releases_clause(self) -> str:
        """The beginning of a sentence about everything."""
        which, more = self.every_release.capitalize(), self.beside_clause
        if self.releases_of_all > 1:
            which += " together"
        if self.household > 1:
            more = f", for {self.household:,} people whose records depend on each other{more}"
        return f"{which}{more}," if more else which

    def everything(self, has: str, have: str) -> str:
        """Return the same with its verb."""
        return f"{self.releases_clause} {have if self.releases_of_all > 1 else has}"

    @property
    def every_release(self) -> str:
        """All its releases, in words."""
        return every(self.releases_of_all, "release")

    @property
    def after_everything(self) -> str:
        """After what an attacker is met: all releases, for whom, and beside what came before."""
        after = f"after {self.every_release}"
        if self.household > 1:
            after += f", for one of {self.household:,} with dependent records"
        return after + self.beside_clause

    @property
    def delta_clause(self) -> str:
        """At which δ the ε of everything holds, as a sentence adds it, or nothing."""
        delta = self.delta_of_all
        return f" and δ = {up(delta)}" if delta else ""

    @property
    def failure_clause(self) -> str:
        """What a sentence about beliefs adds where it fails with some probability."""
        own = self.privacy_loss(1.0, attribute=True)
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
