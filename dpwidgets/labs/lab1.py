"""Lab 1, *What does this ε promise?*: its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from dpwidgets.labs.draw import Draw, Numbers


@dataclass(frozen=True, repr=False)
class PromiseNumbers(Numbers):
    """One student's numbers for lab 1, on what an ε promises.

    Attributes
    ----------
    epsilon : float
        The privacy parameter ε of one published count.
    prior : float
        How likely an attacker finds it, before the answer, that you are in the count.
    limit : float
        How likely he may find it afterwards.
    others : int
        How many are counted without you.
    answer : float
        The published answer, between the two counts.
    false_alarms : float
        How often a test may accuse somebody who is not there.
    small_epsilon : float
        The ε of each of many releases.
    releases : int
        How many they are.
    budget : float
        The ε that all releases together may have, with `delta`.
    delta : float
        The δ of the whole.
    """

    epsilon: float
    prior: float
    limit: float
    others: int
    answer: float
    false_alarms: float
    small_epsilon: float
    releases: int
    budget: float
    delta: float


def numbers(draw: Draw) -> PromiseNumbers:
    """Draw a student's numbers."""
    others = draw.whole(40, 200)
    return PromiseNumbers(
        epsilon=draw.hundredths(30, 150),
        prior=draw.hundredths(5, 30),
        limit=draw.hundredths(40, 80),
        others=others,
        answer=round(others + draw.hundredths(55, 95), 2),  # closer to the count with you
        false_alarms=draw.hundredths(2, 12),
        small_epsilon=draw.hundredths(5, 15),
        releases=draw.whole(40, 200),
        budget=draw.hundredths(200, 400),
        delta=1e-6,
    )
