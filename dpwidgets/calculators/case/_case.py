"""A case: what is published, with which noise, and what that noise does."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from scipy.special import expit

from dpwidgets.calculators import loss
from dpwidgets.calculators.case._data import ALL, ONE
from dpwidgets.calculators.case._mechanisms import KINDS, Gaussian, Laplace
from dpwidgets.calculators.case._words import Words
from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, DomainError
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import described


@dataclass(frozen=True, kw_only=True)
class Case(Words):
    """What is going to be published, with all that its ε depends on.

    Parameters
    ----------
    published : {"count", "sum", "mean"}
        What is published: how many people have a property, or the sum or the mean of one value of
        each person, clipped to a public range.
    n : int, optional
        How many people the data are about, from 1 to 10¹², if that is public. A mean needs it.
    low, high : float, optional
        The public range to which values are clipped, from −1e12 to 1e12 and at least 1e-12 wide;
        not for a count.
    unit : str
        In which unit it is published, as a plural: "patients" for a count of them, "days".
    neighbours : {"add/remove", "replace"}, optional
        How two databases differ that must look alike: one person is added or removed, or one
        person's record is replaced. By default replaced for a mean, else added or removed.
    mechanism : {"Laplace", "Gaussian"}
        The noise, the same in each release and independent.
    delta : float
        The δ at which ε is read, 0 or from 1e-300 and below 1. Gaussian noise needs one above 0.
        One release with Laplace noise is read at δ = 0 whatever it is.
    releases : int
        How many such releases there are about the same people, from 1 to 10⁵.
    used : float
        The ε that other releases about these people have used up, from 0 to 1e9, for the same
        neighbours. It counts in whatever is promised of all releases. Where persons are added or
        removed and a belief is about a value, two values of one person must have this ε: twice
        that of a person who is added.
    used_delta : float
        The δ at which others' ε holds, 0 or from 1e-300 and below 1.
    household : int
        How many people's records may depend on each other, from 1 to 10⁶ and no more than n.
    prior : float, optional
        What an attacker believes of a person before the first release, above 0 and below 1.
    reference : float, optional
        A public number near to which the truth is supposed to lie, such as last year's, above 0.
        Never the secret itself: see `interval.neighbour_loss`.
    confidence : float, optional
        How often the published number shall lie in an interval around the truth, between 0 and 1.

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
    noise. If one person’s record is replaced, the truth changes by at most Δf = 0.833 days.
    >>> Case.from_dict(case.to_dict()) == case
    True
    """

    @staticmethod
    def from_dict(data: object) -> Case:
        """Make the case that `to_dict` wrote, and check it whole.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        names = {field.name for field in fields(Case)}
        if not isinstance(data, dict) or data.keys() != names:
            raise ValueError(f"a case has {', '.join(sorted(names))}; got {described(data)}")
        return Case(**data)

    @property
    def _noise(self) -> Laplace | Gaussian:
        return KINDS[self.mechanism]

    @takes(epsilon=EPSILON)
    def scale(self, epsilon: float) -> float:
        """Compute the scale of the noise at which one release has this ε.

        Parameters
        ----------
        epsilon : float
            The privacy parameter ε of one release, from 1e-8 to 1000.

        Returns
        -------
        float
            Δf/ε for Laplace noise. For Gaussian noise the standard deviation at which it is
            (ε, `delta`)-private.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not such a number.
        """
        return self.sensitivity / self._noise.shift_of_epsilon(epsilon, 1, self.delta)

    def epsilon(self, scale: float) -> float:
        """Compute the ε of one release with noise of this scale, the way back of `scale`.

        Raises
        ------
        TypeError, ValueError
            If the scale is no number from 1e-90 to 1e90.
        """
        return min(max(self.total(scale, ONE), EPSILON.low), EPSILON.high)

    @takes(scale=SCALE)
    def total(self, scale: float, reach: str = ALL) -> float:
        """Compute the ε of everything that a reach takes in, with what others have used up.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in; with one release, others are not.

        Returns
        -------
        float
            Others' ε for each of the people, and for the case's own releases: for Laplace noise
            Δf/b times releases times people, or the ε of the composed law at `delta` where that is
            smaller; for Gaussian noise the ε at `delta`.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        It holds at the sum of `delta` and others' δ for so many people, as `at` says it: ε and δ
        add up.
        """
        count, people = self.counted(reach)
        own = self._noise.epsilon(people * self.sensitivity / scale, count, self.delta)
        return own + self.others(reach)[0]

    @takes(scale=SCALE)
    def log_odds(self, scale: float, reach: str = ONE) -> float:
        """Compute by how much the logarithm of the odds of a belief about a person may change.

        Parameters
        ----------
        scale, reach
            As in `total`.

        Returns
        -------
        float
            Never more for Laplace noise without a `delta`; else but for a probability of `delta`,
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
        count, people = self.counted(reach)
        own = self._noise.exceeded(people * self.fact_sensitivity / scale, count, self.delta)
        return own + self.moved_by_others(reach)

    def moved_by_others(self, reach: str, steps: int = 1) -> float:
        """Return how far others' releases move the logarithm of odds; see `log_odds`."""
        used, delta = self.others(reach, steps)
        return used + math.log(2) if delta else used

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
        count, people = self.counted(reach)
        used, delta = self.others(reach)
        shift = people * self.sensitivity / scale
        own = 2 * expit(-used) * self._noise.delta(shift, count, min(used, loss.LOSS.high))
        return float(min(delta + (1 - delta) * (math.tanh(used / 2) + own), 1.0))

    def scale_of_total(self, total: float, reach: str = ALL) -> float:
        """Compute the smallest scale at which `total` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others have used up as much.
        """
        count, people = self.counted(reach)
        used, _ = self.others(reach)
        if used >= total:
            whose = f" shared by {people:,} people" if people > 1 else ""
            raise DomainError(
                "used",
                f"used must be below {show(total / people)}, the budget{whose}; others have "
                f"used up ε = {show(self.used)}, and nothing is left",
            )
        shift = self._noise.shift_of_epsilon(total - used, count, self.delta)
        return _scale(people * self.sensitivity, shift)

    def scale_of_log_odds(self, moved: float, reach: str = ONE) -> float:
        """Compute the smallest scale at which `log_odds` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since what others have used up alone moves them so far.
        """
        count, people = self.counted(reach)
        left = moved - self.moved_by_others(reach)
        if left <= 0:
            raise self.by_others("a belief may rise farther than that")
        shift = self._noise.shift_of_exceeded(left, count, self.delta)
        return _scale(people * self.fact_sensitivity, shift)

    def scale_of_advantage(self, advantage: float, reach: str = ONE) -> float:
        """Compute the smallest scale at which `advantage` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others' releases alone allow such a test.
        """
        count, people = self.counted(reach)
        used, delta = self.others(reach)
        room = (advantage - delta) - (1 - delta) * math.tanh(used / 2)
        if room <= 0:
            raise self.by_others("a test may have a larger advantage")
        room /= (1 - delta) * 2 * float(expit(-used))  # for the δ(ε) of the case's own releases
        if room >= 1:
            return 0.0
        shift = self._noise.shift_of_delta(room, count, used)
        return _scale(people * self.sensitivity, shift)

    def by_others(self, more: str) -> DomainError:
        """Return the error that says what others' releases alone allow, so that no noise helps."""
        name = "used" if self.used else "used_delta"
        return DomainError(
            name, f"{name} must be smaller here: with what others have used up alone {more}"
        )

    @takes(scale=SCALE, confidence=PROBABILITY)
    def within(self, scale: float, confidence: float) -> float:
        """Compute the distance from the truth that noise of this scale keeps so often."""
        return scale * self._noise.within(confidence)

    @takes(scale=SCALE, confidence=PROBABILITY)
    def change_within(self, scale: float, confidence: float) -> float:
        """Compute the same for the difference of two releases: two noises, so it is wider.

        Examples
        --------
        >>> case = Case(published="count")
        >>> round(case.within(5, 0.95), 2), round(case.change_within(5, 0.95), 2)
        (14.98, 20.57)
        """
        return scale * self._noise.change_within(confidence)

    @takes(scale=SCALE)
    def error(self, scale: float) -> float:
        """Compute how far off the published number is on average."""
        return scale * self._noise.error


def _scale(moved: float, shift: float) -> float:
    """Return the scale of which `moved` is this shift, or a huge one for a shift of nearly 0."""
    return moved / max(shift, 1e-300)
