"""What the graded labs need: numbers of each student's own, and words for the tests of their answers.

A student writes `lab_seed = "<student id>"` once. `numbers` turns it into data, always the same for the same id. The
tests of a lab compute what is right from the same data.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpwidgets.calculators.record import Record


@dataclass(frozen=True)
class PromiseNumbers:
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


def _promise(draw: np.random.Generator) -> PromiseNumbers:
    others = int(draw.integers(40, 200))
    return PromiseNumbers(
        epsilon=_hundredths(draw, 30, 150),
        prior=_hundredths(draw, 5, 30),
        limit=_hundredths(draw, 40, 80),
        others=others,
        answer=round(others + _hundredths(draw, 55, 95), 2),  # closer to the count with you
        false_alarms=_hundredths(draw, 2, 12),
        small_epsilon=_hundredths(draw, 5, 15),
        releases=int(draw.integers(40, 200)),
        budget=_hundredths(draw, 200, 400),
        delta=1e-6,
    )


@dataclass(frozen=True)
class ChoiceNumbers:
    """One student's numbers for lab 3, on choosing an ε and defending it.

    Attributes
    ----------
    count : int
        The public reference count of the whole town.
    half_width : float
        How far the noisy count may be off, as a share of the count.
    confidence : float
        With which probability it must not be off by more.
    offer : float
        The ε of each count that another town publishes.
    prior : float
        How likely somebody finds it, before an answer, that a person is counted.
    posterior : float
        How likely he may find it after one answer.
    releases : int
        How many counts there will be, of the same people.
    total, delta : float
        The ε and δ that they may have together.
    branch : int
        The public reference count of a branch, too small for all goals together.
    """

    count: int
    half_width: float
    confidence: float
    offer: float
    prior: float
    posterior: float
    releases: int
    total: float
    delta: float
    branch: int


def _choice(draw: np.random.Generator) -> ChoiceNumbers:
    half_width, confidence = _hundredths(draw, 5, 11), _hundredths(draw, 80, 96)
    prior, releases, total = _hundredths(draw, 20, 36), int(draw.integers(40, 61)), int(draw.integers(20, 41)) / 10
    budget = 0.22 * total / math.sqrt(releases)  # about the ε that the budget allows each of so many releases
    belief = budget * draw.uniform(*((0.55, 0.8), (1.25, 1.6))[draw.integers(2)])  # either of the two may be smaller
    odds = prior / (1 - prior) * math.exp(belief)
    needed = -math.log1p(-confidence) / half_width  # ε times the count
    return ChoiceNumbers(
        count=round(needed / (min(budget, belief) * draw.uniform(0.3, 0.6))),
        half_width=half_width,
        confidence=confidence,
        offer=int(draw.integers(20, 46)) / 1000,
        prior=prior,
        posterior=round(odds / (1 + odds), 3),
        releases=releases,
        total=total,
        delta=1e-6,
        branch=round(needed / (max(budget, belief) * draw.uniform(2, 3))),
    )


def _hundredths(draw: np.random.Generator, low: int, high: int) -> float:
    """Draw a number that a student can copy without rounding it."""
    return int(draw.integers(low, high)) / 100


LABS: dict[int, Callable[[np.random.Generator], PromiseNumbers | ChoiceNumbers]] = {1: _promise, 3: _choice}


def numbers(seed: str, lab: int) -> PromiseNumbers | ChoiceNumbers:
    """Return a student's own numbers for a lab: the same for the same student, on every machine.

    Parameters
    ----------
    seed : str
        The student's id. Spaces around it do not count.
    lab : int
        The number of the lab.

    Returns
    -------
    PromiseNumbers or ChoiceNumbers
        The numbers.

    Raises
    ------
    TypeError
        If the seed is not a text.
    ValueError
        If the seed is empty, or there is no such lab.

    Examples
    --------
    >>> numbers("s123", lab=1).prior, numbers("s124", lab=1).prior
    (0.08, 0.21)
    """
    if not isinstance(seed, str):
        raise TypeError(f'lab_seed must be your student id between quotation marks, like "s123"; got {seed!r}')
    if not seed.strip():
        raise ValueError("lab_seed must be your student id; it is empty")
    if lab not in LABS:
        raise ValueError(f"lab must be one of {', '.join(map(str, LABS))}; got {lab!r}")
    digest = hashlib.sha256(f"lab {lab}: {seed.strip()}".encode()).digest()
    return LABS[lab](np.random.default_rng(int.from_bytes(digest)))


def answered(**answers: object) -> bool:
    """Tell whether all answers are there, and print the names of those that are not.

    Parameters
    ----------
    **answers : object
        Under each name the answer; None is no answer.

    Examples
    --------
    >>> answered(worst_case=12, total=None)
    Not answered yet: total.
    False
    """
    missing = [name for name, answer in answers.items() if answer is None]
    if missing:
        print(f"Not answered yet: {', '.join(missing)}.")
    return not missing


def is_number(answer: object) -> bool:
    """Tell whether an answer is a finite number, as Python's and NumPy's numbers are and "0.5" and True are not.

    Examples
    --------
    >>> is_number(np.float64(0.5)), is_number("0.5"), is_number(True)
    (True, False, False)
    """
    plain = isinstance(answer, (int, float, np.integer, np.floating)) and not isinstance(answer, bool)
    return plain and math.isfinite(answer)


def near(answer: object, right: float, tolerance: float = 0.01) -> bool:
    """Tell whether an answer is a number and within a fraction of the right one; three digits are enough.

    Parameters
    ----------
    answer : object
        What the student found.
    right : float
        What is right.
    tolerance : float
        How far the answer may be off, as a fraction of the right one.

    Examples
    --------
    >>> near(0.333, 1 / 3), near(0.3, 1 / 3), near(None, 1 / 3)
    (True, False, False)
    """
    return is_number(answer) and abs(answer - right) <= tolerance * abs(right)


def wrong(answer: object, misconceptions: Mapping[str, float], hint: str) -> str:
    """Say what kind of wrong an answer is: the message of an `assert`, which never holds the right answer.

    Parameters
    ----------
    answer : object
        What the student found.
    misconceptions : mapping
        Under each explanation the number that one arrives at by it.
    hint : str
        What to say of any other answer.

    Examples
    --------
    >>> wrong(0.1, {"that is one release": 0.1}, "losses add up")
    'that is one release'
    >>> wrong(None, {}, "losses add up")
    'there is no answer yet'
    """
    if answer is None:
        return "there is no answer yet"
    return next((message for message, number in misconceptions.items() if near(answer, number)), hint)


def read_record(answer: object) -> tuple[Record | None, str]:
    """Read a decision record that a student wrote as text, or say why it is none: the message of an `assert`.

    Parameters
    ----------
    answer : object
        What the student found: the text that `Record.json()` returns.

    Returns
    -------
    tuple of (Record or None, str)
        The record and no reason, or None and the reason.

    Examples
    --------
    >>> read_record("ε = 0.2, as we all agreed")
    (None, 'a decision record is the text that its .json() returns, from { to }')
    """
    if answer is None:
        return None, "there is no answer yet"
    if not isinstance(answer, str) or not answer.lstrip().startswith("{"):
        return None, "a decision record is the text that its .json() returns, from { to }"
    try:
        return Record.load(answer), ""
    except ValueError as error:
        return None, str(error)
