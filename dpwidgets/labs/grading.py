"""Words for the tests of students' answers: is one there, a number, near, or what went wrong."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeGuard

import numpy as np

from dpwidgets.inputs.number import as_number


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


def is_number(answer: object) -> TypeGuard[float]:
    """Tell whether an answer is a finite number, of Python or of NumPy; "0.5" and True are none.

    Examples
    --------
    >>> is_number(np.float64(0.5)), is_number("0.5"), is_number(True)
    (True, False, False)
    >>> is_number(np.where(True, 0.5, 1)), is_number([0.5])
    (True, False)
    """
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer[()]
    if not isinstance(answer, (int, float, np.integer, np.floating)):
        return False
    number = as_number(answer)
    return number is not None and math.isfinite(number)


def near(
    answer: object,
    right: float,
    follows: float | None = None,
    tolerance: float = 0.01,
) -> bool:
    """Tell whether an answer is a number within a fraction of the right one: 3 digits are enough.

    Parameters
    ----------
    answer : object
        What the student found.
    right : float
        What is right.
    follows : float or None
        What follows from the student's own earlier answers, and is as good.
    tolerance : float
        How far the answer may be off, as a fraction of the right one.

    Examples
    --------
    >>> near(0.333, 1 / 3), near(0.3, 1 / 3), near(None, 1 / 3), near(0.3, 1 / 3, follows=0.301)
    (True, False, False, True)
    """
    if not is_number(answer):
        return False
    # From a small integer of NumPy's no larger number can be subtracted.
    number = float(answer)
    good = [right] if follows is None else [right, follows]
    return any(abs(number - one) <= tolerance * abs(one) for one in good)


def apart(right: float, *others: float) -> bool:
    """Tell whether no other number can be taken for the right one: all are off by more than 3%.

    Parameters
    ----------
    right : float
        What is right.
    *others : float
        What misconceptions lead to.

    Examples
    --------
    >>> apart(0.5, 0.52, 0.4), apart(0.5, 0.51)
    (True, False)
    """
    return not any(near(other, right, tolerance=0.03) for other in others)


def are_numbers(answer: object, length: int) -> TypeGuard[Sequence[float]]:
    """Tell whether an answer is a list, a tuple or an array of so many finite numbers.

    Parameters
    ----------
    answer : object
        What the student found.
    length : int
        How many numbers it must have.

    Examples
    --------
    >>> are_numbers([0.25, 0.75], 2), are_numbers([0.25, "0.75"], 2), are_numbers(0.25, 1)
    (True, False, False)
    """
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, (list, tuple)) or len(answer) != length:
        return False
    return all(map(is_number, answer))


def near_all(answer: object, right: Sequence[float]) -> bool:
    """Tell whether an answer is a list of as many numbers as the right one, each near to its own.

    Parameters
    ----------
    answer : object
        What the student found.
    right : sequence of float
        What is right.

    Examples
    --------
    >>> near_all([0.333, 0.667], [1 / 3, 2 / 3]), near_all([0.667, 0.333], [1 / 3, 2 / 3])
    (True, False)
    """
    return are_numbers(answer, len(right)) and all(map(near, answer, right))


def wrong(
    answer: object, misconceptions: Mapping[str, float], hint: str
) -> str:
    """Say what kind of wrong an answer is, for an `assert`; this never holds the right answer.

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
    >>> wrong((0, 8), {}, "losses add up")
    '0,8 is two numbers in Python; write 0.8'
    """
    if answer is None:
        return "there is no answer yet"
    match answer:
        case (int(whole), int(part)) if are_numbers(answer, 2):
            return f"{whole},{part} is two numbers in Python; write {whole}.{part}"
    for why, number in misconceptions.items():
        if near(answer, number):
            return why
    return hint
