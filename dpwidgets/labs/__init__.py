"""What the graded labs need: each student's own numbers, and words for the tests of their answers.

A student writes `lab_seed = "<student id>"` once. `numbers` turns it into
data, always the same for the same id: `lab1`, `lab2` and `lab3` say which,
drawn with `draw`. The tests of a lab compute what is right from the same data,
and compare it with an answer by the words of `grading`, which come from here
too. Begin with `lab1.numbers`.
"""

from collections.abc import Callable

from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.labs import lab1, lab2, lab3
from dpwidgets.labs.draw import Draw, OwnNumbers
from dpwidgets.labs.grading import (
    answered as answered,
    are_numbers as are_numbers,
    is_number as is_number,
    near as near,
    near_all as near_all,
    wrong as wrong,
)
from dpwidgets.labs.lab2 import average_error as average_error
from dpwidgets.labs.lab3 import read_record as read_record

#: Under each lab's number what draws a student's numbers for it.
LABS: dict[int, Callable[[Draw], OwnNumbers]] = {
    1: lab1.numbers,
    2: lab2.numbers,
    3: lab3.numbers,
}


def numbers(seed: str, lab: int) -> OwnNumbers:
    """Return a student's own numbers for a lab: the same for the same student everywhere.

    Parameters
    ----------
    seed : str
        The student's id, of at most 100 characters. Spaces around it do not
        count, nor do capital letters: every spelling of an id that the tests
        accept has the same numbers.
    lab : int
        The number of the lab.

    Returns
    -------
    OwnNumbers
        What they are stands at `lab1.numbers`, `lab2.numbers` and
        `lab3.numbers`.

    Raises
    ------
    TypeError
        If the seed is not a text.
    ValueError
        If the seed is empty, too long or no whole characters, or there is no
        such lab.

    Examples
    --------
    >>> numbers("s123", lab=1).prior, numbers("s124", lab=1).prior
    (0.23, 0.11)
    """
    draw_numbers = LABS[one_of("lab", lab, LABS)]
    return draw_numbers(draw_for(seed, f"lab {lab}"))


def draw_for(seed: str, what: str) -> Draw:
    """Return a student's draws for a lab or for one question: the same in every spelling of the id.

    Parameters
    ----------
    seed : str
        The student's id.
    what : str
        What is drawn for, so that two questions are drawn apart.

    Returns
    -------
    Draw
        What the student's numbers follow from.

    Raises
    ------
    TypeError
        If the seed is not a text.
    ValueError
        If the seed is empty, too long or no whole characters.

    Examples
    --------
    >>> draw_for("s123", "lab1 2.5").whole(20, 60) == draw_for("S123 ", "lab1 2.5").whole(20, 60)
    True
    """
    if not isinstance(seed, str):
        raise TypeError(
            'lab_seed must be your student id between quotation marks, like "s123"; '
            f"got {described(seed)}"
        )
    if not seed.strip():
        raise ValueError("lab_seed must be your student id; it is empty")
    checked_text("lab_seed", seed, 100)
    return Draw(f"{what}: {seed.strip().casefold()}")
