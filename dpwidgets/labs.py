"""What the graded labs need: numbers of each student's own, and words for the tests of their answers.

A student writes `lab_seed = "<student id>"` once. `numbers` turns it into data, always the same for the same id. The
tests of a lab compute what is right from the same data.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpwidgets.calculators import bayes, breach
from dpwidgets.calculators.bayes_sums import log_binomial
from dpwidgets.calculators.noise import Laplace
from dpwidgets.calculators.record import Record
from dpwidgets.calculators.worlds import Worlds


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
class AttackNumbers:
    """One student's numbers for lab 2, on attacking the releases of a school.

    Attributes
    ----------
    names : tuple of str
        The eight pupils of a class.
    days : tuple of int
        For how many days each of them was absent.
    scale : float
        The scale of the Laplace noise in the mean of the seven pupils who are in the data, in days.
    first_answer, second_answer : float
        Two noisy answers to this mean.
    newcomer : str
        A ninth pupil.
    most_days : int
        For how many days a pupil can be absent.
    many_days : int
        More days than these are what the attacker wants to know of.
    epsilon : float
        The privacy parameter ε of the mean of all nine, where Δf is `most_days` / 9.
    third_answer : float
        The noisy answer to this mean.
    limit : float
        How likely an attacker may find it, after any answer, that somebody was absent for more than `many_days`.
    n : int
        How many pupils the year has.
    share : float
        The share of them who said yes last year.
    count_epsilon : float
        The privacy parameter ε of the count of those who say yes now.
    noisy_count : float
        The noisy count, below 0.
    risk : float
        How sure any guess at the missing pupil may be, after any answer.
    releases : int
        How often the school wants to publish the mean.
    """

    names: tuple[str, ...]
    days: tuple[int, ...]
    scale: float
    first_answer: float
    second_answer: float
    newcomer: str
    most_days: int
    many_days: int
    epsilon: float
    third_answer: float
    limit: float
    n: int
    share: float
    count_epsilon: float
    noisy_count: float
    risk: float
    releases: int


# Invented names, of which no two in a class begin alike.
_BEGINNINGS = ("Am", "Bri", "Cal", "Dor", "Fen", "Jas", "Kes", "Lor", "Nel", "Tav", "Ul", "Ves")
_ENDINGS = ("bo", "da", "ki", "mun", "sil", "tu", "ven")


def _attack(draw: np.random.Generator) -> AttackNumbers:
    *names, newcomer = (f"{beginning}{draw.choice(_ENDINGS)}" for beginning in draw.permutation(_BEGINNINGS)[:9])
    missing = _missing(draw)
    return AttackNumbers(
        names=tuple(names), newcomer=newcomer, **missing, **_newcomer(draw, missing["days"]), **_noisy_count(draw)
    )


def _missing(draw: np.random.Generator) -> dict[str, object]:
    """Draw a class and two answers about it: each makes one pupil the clear guess, both together the missing one."""
    while True:
        days, missing = draw.permutation(14)[:8], draw.integers(8)
        scale, risk, releases = _hundredths(draw, 15, 30), _hundredths(draw, 20, 40), int(draw.integers(3, 9))
        school = Worlds(days)
        answers = np.round(school.answers[missing] + draw.laplace(scale=scale, size=2), 2)
        epsilon = school.sensitivity / scale
        one, two = school.posterior(answers, epsilon)
        both = one * two / (one @ two)
        sure, surer = one.max(), both.max()
        if (
            min(np.diff(np.sort(one))[-1], np.diff(np.sort(both))[-1]) > 0.1
            and both.argmax() == missing
            and risk + 0.05 < sure < surer - 0.1 < 0.87
            and _apart(surer, two.max(), (one + two).max() / 2, school.posterior(answers.mean(), epsilon).max())
            and _apart(school.sensitivity, school.spread, np.abs(days - days.mean()).max() / 7, 1)
            and _apart(school.epsilon(risk), school.epsilon_bound(risk), breach.epsilon(1 / 8, risk), epsilon)
        ):
            first, second = answers.tolist()
            return {
                "days": tuple(days.tolist()),
                "scale": scale,
                "first_answer": first,
                "second_answer": second,
                "risk": risk,
                "releases": releases,
            }


def _newcomer(draw: np.random.Generator, known: tuple[int, ...]) -> dict[str, object]:
    """Draw an answer that says of a ninth pupil what the limit forbids: an ε below the school's keeps to it."""
    while True:
        most = int(draw.integers(14, 21))
        many, epsilon = most - int(draw.integers(3, 6)), _hundredths(draw, 200, 400)
        attack, days = breach.Attack(known, np.arange(most + 1)), draw.integers(many + 1, most + 1)
        answer = round(float(attack.answers[days] + draw.laplace(scale=attack.sensitivity / epsilon)), 2)
        beliefs = attack.posterior(answer, epsilon)
        before, after = (most - many) / (most + 1), float(beliefs[many + 1 :].sum())
        limit = round((before + after) / 2, 2)
        without_sensitivity = attack.posterior(answer, epsilon * attack.sensitivity)[many + 1 :].sum()
        if after > before + 0.2:
            safe = breach.epsilon(before, limit)
            if _apart(safe, math.sqrt(safe), math.log(limit / before)) and _apart(after, without_sensitivity):
                return {
                    "most_days": most,
                    "many_days": many,
                    "epsilon": epsilon,
                    "third_answer": answer,
                    "limit": limit,
                }


def _noisy_count(draw: np.random.Generator) -> dict[str, object]:
    """Draw a noisy count below 0, until nothing can be taken for the Bayes estimate or for what it gains."""
    while True:
        year = n, share, epsilon = int(draw.integers(50, 90)), _hundredths(draw, 5, 13), _hundredths(draw, 25, 46)
        noisy = round(float(draw.binomial(n, share) + draw.laplace(scale=1 / epsilon)), 1)
        if noisy > -1:
            continue
        mean, median = bayes.posterior_mean(noisy, *year), bayes.posterior_median(noisy, *year)
        if _apart(mean, n * share, median) and _apart(1 / epsilon, 2 * bayes.mean_error(*year)):
            return {"n": n, "share": share, "count_epsilon": epsilon, "noisy_count": noisy}


def _apart(right: float, *others: float) -> bool:
    """Tell whether no other number can be taken for the right one: all are off by more than 3%."""
    return not any(near(other, right, 0.03) for other in others)


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


Numbers = PromiseNumbers | AttackNumbers | ChoiceNumbers
LABS: dict[int, Callable[[np.random.Generator], Numbers]] = {1: _promise, 2: _attack, 3: _choice}


def numbers(seed: str, lab: int) -> Numbers:
    """Return a student's own numbers for a lab: the same for the same student, on every machine.

    Parameters
    ----------
    seed : str
        The student's id. Spaces around it do not count.
    lab : int
        The number of the lab.

    Returns
    -------
    PromiseNumbers, AttackNumbers or ChoiceNumbers
        The numbers of lab 1, 2 or 3.

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


def are_numbers(answer: object, length: int) -> bool:
    """Tell whether an answer is a list, a tuple or an array of so many finite numbers.

    Examples
    --------
    >>> are_numbers([0.25, 0.75], 2), are_numbers([0.25, "0.75"], 2), are_numbers(0.25, 1)
    (True, False, False)
    """
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    return isinstance(answer, (list, tuple)) and len(answer) == length and all(map(is_number, answer))


def near_all(answer: object, right: Sequence[float], tolerance: float = 0.01) -> bool:
    """Tell whether an answer is a list of as many numbers as the right one, each near to its own.

    Parameters
    ----------
    answer : object
        What the student found.
    right : sequence of float
        What is right.
    tolerance : float
        How far each number may be off, as a fraction of the right one.

    Examples
    --------
    >>> near_all([0.333, 0.667], [1 / 3, 2 / 3]), near_all([0.667, 0.333], [1 / 3, 2 / 3])
    (True, False)
    """
    return are_numbers(answer, len(right)) and all(
        near(one, number, tolerance) for one, number in zip(answer, right, strict=True)
    )


def average_error(estimate: Callable[[float, int, float, float], float], n: int, p: float, epsilon: float) -> float:
    """Compute how far off an estimate of a count is, on average over all counts and all noisy answers.

    Parameters
    ----------
    estimate : callable
        Called as ``estimate(noisy, n, p, epsilon)``, about a thousand times; it returns the estimated count.
    n : int
        The number of records.
    p : float
        The probability that a record is counted, independently of the others.
    epsilon : float
        The privacy parameter of the count, which has Laplace noise of scale 1/ε.

    Returns
    -------
    float
        The mean of |count − estimate|, within half a percent; infinite if the estimate is not always a number.

    Notes
    -----
    The noisy answers are cut into strips of a twentieth of the noise's scale, and all answers of one are taken for its
    middle. What lies more than 12 scales beyond 0 or n belongs to the last strip there.

    Examples
    --------
    >>> round(average_error(lambda noisy, n, p, epsilon: n * p, n=60, p=0.1, epsilon=0.3), 2)
    1.83
    """
    edges = np.arange(-12 / epsilon, n + 12 / epsilon, 1 / (20 * epsilon))
    estimates = [estimate(noisy, n, p, epsilon) for noisy in ((edges[1:] + edges[:-1]) / 2).tolist()]
    if not all(map(is_number, estimates)):
        return math.inf
    counts = np.arange(n + 1)[:, np.newaxis]
    below = Laplace(1 / epsilon).cdf(edges - counts)
    below[:, 0], below[:, -1] = 0, 1
    errors = (np.diff(below) * np.abs(counts - np.array(estimates, dtype=float))).sum(axis=1)
    return float(np.exp(log_binomial(counts[:, 0], n, p)) @ errors)


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
