"""A case: what is published, with which noise, and how far off that is."""

import math
from dataclasses import dataclass
from typing import Any, Self, TypedDict

from dpwidgets.calculators.noise import DIGITS, SCALE
from dpwidgets.decisions.case._data import CELLS
from dpwidgets.decisions.case._words import Words
from dpwidgets.inputs.domain import EPSILON, PROBABILITY
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import rounded
from dpwidgets.inputs.outside import arguments_of


class PeopleFields(TypedDict, total=False):
    """The keywords about people, of a `Case` and of a plan."""

    household: int
    prior: float | None
    before: Any


class CaseFields(PeopleFields, total=False):
    """The keywords of a `Case`, for functions that take a case by its fields."""

    published: str
    n: int | None
    cells: int | None
    groups: int | None
    contributions: int | None
    low: float | None
    high: float | None
    unit: str
    neighbours: str | None
    mechanism: str
    delta: float
    releases: int
    reference: float | None
    confidence: float | None


@dataclass(frozen=True, kw_only=True)
class Case(Words):
    """What is going to be published, with all that its ε depends on.

    Parameters
    ----------
    published : {"count", "sum", "mean", "table"}
        What is published: how many people have a property; the sum or the mean
        of one value of each person, clipped to a public range; or a table,
        which counts people in cells. In each published number one person
        counts at most once: people are counted and not their visits, and a
        value is clipped.
    n : int, optional
        How many people the data are about, from 1 to 10¹², if that is public.
        A mean needs it, and means of groups need that of the smallest group:
        all have its noise.
    cells : int, optional
        How many cells a table has, from 1 to 10⁶.
    groups : int, optional
        Of how many groups a sum or a mean is published for each, from 1 to
        10⁶. Each record lies in one group, as in one cell of a table. Means
        are of groups whose sizes are public and stay: in which group somebody
        is, they do not protect. Where it may change, publish sums and counts.
    contributions : int, optional
        In how many of all published numbers one person is at most: of the
        counts, sums or means of all `releases`, the cells of all tables, or the
        groups. From 1 to 10⁵, and no more than there are. By default one person
        is once in each release: in each count of a series, in one cell of each
        table, in one group. What is more must be left out before anything is
        published.
    low, high : float, optional
        The public range to which values are clipped, from −1e12 to 1e12 and at
        least 1e-12 wide; not for a count.
    unit : str
        In which unit it is published, as a plural: "patients" for a count of
        them, "days".
    neighbours : {"add/remove", "replace"}, optional
        How two databases differ that must look alike: one person is added or
        removed, or one person's record is replaced. By default replaced for a
        mean, of groups by another record of the same group; else added or
        removed.
    mechanism : {"Laplace", "Gaussian"}
        The noise, the same in each release and in each cell, and independent.
    delta : float
        The δ at which ε is read, 0 or from 1e-12 and below 1. Gaussian noise
        needs one above 0. One release with Laplace noise is read
        at δ = 0 whatever it is.
    releases : int
        How many such releases there are about the same people, from 1 to 10⁵.
        With what came before, two values of one person may differ in 10⁵
        published numbers.
    household : int
        How many people's records may depend on each other, from 1 to 10⁶ and
        no more than n.
    prior : float, optional
        What an attacker believes of a person before the first release, above 0
        and below 1: how likely something is to be true, such as that the
        person is counted.
    before : sequence of Earlier
        What came before about these people, of which each counts once: what
        earlier records published, whose laws are composed with the case's, and
        what `others` used up.
    reference : float, optional
        A public number near to which the truth is supposed to lie, such as
        last year's, above 0. Never the secret itself: see
        `interval.neighbour_loss`.
    confidence : float, optional
        How often the published number shall lie in an interval around the
        truth, between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or two do not go together.

    Examples
    --------
    >>> case = Case(published="mean", n=12, low=0, high=10, unit="days", releases=2)
    >>> round(case.sensitivity, 4), round(case.scale(1.4), 4), round(case.epsilon(2), 4)
    (0.8333, 0.5952, 0.4167)
    >>> print(case.sentence)
    2 means of one value of each of 12 people, clipped to 0 to 10 days, each with its own Laplace
    noise. If one person’s record is replaced, the truth changes by at most Δf = 0.833334 days.
    >>> Case.from_dict(case.to_dict()) == case
    True

    A table is one release: a person who moves one cell, or two, does not move
    the others.

    >>> table = Case(published="table", cells=40, neighbours="replace")
    >>> table.scale(1)
    2.0
    >>> print(table.sentence)
    A table of 40 counts of people in disjoint cells, each person in at most one of them, each count
    with its own Laplace noise. If one person’s record is replaced, at most 2 cells change, each by
    at most 1 person: together they change by at most Δf = 2 people.

    And the sums of nine regions tell no more of a person than one of them.

    >>> Case(published="sum", groups=9, low=0, high=30, unit="days").epsilon(300)
    0.1

    All means of groups have the noise that the smallest group needs.

    >>> means = Case(published="mean", n=1000, groups=2, low=0, high=30, unit="days")
    >>> means.scale(0.3)
    0.1
    >>> print(means.step)
    If one person’s record is replaced by another of the same group, one mean changes by at most Δf
    = 0.03 days.

    A patient who is in three weeks of a year moves three of its counts, and
    not all.

    >>> weeks = Case(published="count", releases=52, contributions=3)
    >>> print(weeks.what)
    52 counts of how many people have a property, each in at most 3 of all 52, each with its own
    Laplace noise.
    >>> weeks.total(30)
    0.1
    """

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Make the case that `to_dict` wrote, and check it whole.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        return cls(**arguments_of("a case", cls, data))

    @takes(epsilon=EPSILON)
    def scale(self, epsilon: float, digits: int = DIGITS) -> float:
        """Choose the scale of the noise for an ε of one release.

        It is rounded here, once, and all that is said of the noise is computed
        from the rounded scale.

        Parameters
        ----------
        epsilon : float
            The privacy parameter ε of one release, from 1e-8 to 1000.
        digits : int
            How many significant digits it has; 17 leave it as it is.

        Returns
        -------
        float
            Δf/ε for Laplace noise, rounded up. For Gaussian noise the
            standard deviation at which it is (ε, `delta`)-private.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not such a number.
        """
        shift = self.noise.shift(epsilon, self.delta)
        return rounded(self.sensitivity / shift, digits, up=True)

    def epsilon(self, scale: float) -> float:
        """Compute the ε of one release with noise of this scale, the way back of `scale`.

        Raises
        ------
        TypeError, ValueError
            If the scale is no number from 1e-90 to 1e90.

        Examples
        --------
        >>> Case(published="count").epsilon(5)
        0.2
        """
        return min(
            max(self.one_release.total(scale), EPSILON.low), EPSILON.high
        )

    @property
    def smallest_scale(self) -> float:
        """The scale of the least noise that is looked at: one release has ε = 1000."""
        return self.scale(EPSILON.high)

    @takes(scale=SCALE, confidence=PROBABILITY, cells=CELLS)
    def within(self, scale: float, confidence: float, cells: int = 1) -> float:
        """Compute the distance from the truth that noise of this scale keeps so often.

        Parameters
        ----------
        scale : float
            The scale of the noise.
        confidence : float
            How often, between 0 and 1.
        cells : int
            How many cells of a table keep it all at once.

        Returns
        -------
        float
            The distance, in the case's unit.

        Examples
        --------
        >>> case = Case(published="table", cells=40)
        >>> round(case.within(5, 0.95), 2), round(case.within(5, 0.95, 40), 2)
        (14.98, 33.3)
        >>> [f"{case.within(5, sure):.3g}" for sure in (1e-300, 1 - 2**-53)]
        ['5e-300', '184']
        """
        # The logarithm of what lies inside, for each.
        inside = math.log(confidence) / cells
        if inside > -1:
            outside = math.log(-math.expm1(inside))
        else:
            outside = math.log1p(-math.exp(inside))
        return self.noise.within(scale, outside)

    @takes(scale=SCALE, confidence=PROBABILITY)
    def change_within(self, scale: float, confidence: float) -> float:
        """Compute how close the difference of two releases is to the truth: as `within` does.

        It has two noises, so it is wider.

        Parameters
        ----------
        scale, confidence : float
            As in `within`.

        Returns
        -------
        float
            The distance, in the case's unit.

        Examples
        --------
        >>> case = Case(published="count")
        >>> round(case.within(5, 0.95), 2), round(case.change_within(5, 0.95), 2)
        (14.98, 20.57)
        """
        return self.noise.change_within(scale, math.log1p(-confidence))

    @takes(scale=SCALE)
    def error(self, scale: float) -> float:
        """Compute how far off a published number is on average, in the case's unit.

        Raises
        ------
        TypeError, ValueError
            If the scale is no number from 1e-90 to 1e90.

        Examples
        --------
        >>> normal = Case(published="count", mechanism="Gaussian", delta=1e-6)
        >>> round(normal.error(5), 3)
        3.989
        """
        return self.noise.error(scale)
