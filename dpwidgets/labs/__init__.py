"""What the graded labs need: numbers of each student's own, and words for the tests of their answers.

A student writes `lab_seed = "<student id>"` once. `numbers` turns it into data, always the same for
the same id. The tests of a lab compute what is right from the same data.
"""

from __future__ import annotations

from dpwidgets.labs import lab1, lab2, lab3
from dpwidgets.labs.draw import Draw, Numbers
from dpwidgets.labs.grading import answered, are_numbers, is_number, near, near_all, wrong
from dpwidgets.labs.lab2 import average_error
from dpwidgets.labs.lab3 import read_record

__all__ = [
    "LABS",
    "answered",
    "are_numbers",
    "average_error",
    "is_number",
    "near",
    "near_all",
    "numbers",
    "read_record",
    "wrong",
]

LABS = {1: lab1, 2: lab2, 3: lab3}


def numbers(seed: str, lab: int) -> Numbers:
    """Return a student's own numbers for a lab: the same for the same student, wherever they are drawn.

    Parameters
    ----------
    seed : str
        The student's id. Spaces around it do not count.
    lab : int
        The number of the lab.

    Returns
    -------
    Numbers
        The lab's numbers: `lab1.PromiseNumbers`, `lab2.AttackNumbers` or `lab3.ChoiceNumbers`.

    Raises
    ------
    TypeError
        If the seed is not a text.
    ValueError
        If the seed is empty, or there is no such lab.

    Examples
    --------
    >>> numbers("s123", lab=1).prior, numbers("s124", lab=1).prior
    (0.06, 0.24)
    """
    if not isinstance(seed, str):
        raise TypeError(
            f'lab_seed must be your student id between quotation marks, like "s123"; got {seed!r}'
        )
    if not seed.strip():
        raise ValueError("lab_seed must be your student id; it is empty")
    if lab not in LABS:
        raise ValueError(f"lab must be one of {', '.join(map(str, LABS))}; got {lab!r}")
    return LABS[lab].numbers(Draw(f"lab {lab}: {seed.strip()}"))
