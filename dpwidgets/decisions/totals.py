"""Noisy cells that are added up.

A total can be published with noise of its own, or be the sum of noisy cells.
The noise of a sum of m cells grows with √m. Noisy cells do not add up to a
noisy total.
"""

import math

from scipy.special import poch

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import CELLS, Case
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import every, up


@takes(scale=SCALE, cells=CELLS)
def error(case: Case, scale: float, cells: int) -> float:
    """Compute how far the sum of so many noisy cells is off on average.

    Parameters
    ----------
    case : Case
        What is published, with its mechanism.
    scale : float
        The scale of the noise of each cell.
    cells : int
        How many are added up, from 1 to 10⁶.

    Returns
    -------
    float
        The mean absolute error, in the case's unit.

    Notes
    -----
    The sum S of m Laplace noises is the difference of two Erlang times, and
    E|S| = 2m·C(2m, m)/4^m = 2Γ(m + ½)/(√π·Γ(m)) in units of their scale.

    Examples
    --------
    >>> case = Case(published="table", cells=20)
    >>> round(error(case, 5, 1), 6), round(error(case, 5, 20), 2)
    (5.0, 25.07)
    """
    if case.mechanism == "Gaussian":
        return case.error(scale) * math.sqrt(cells)
    return 2 * scale / math.sqrt(math.pi) * float(poch(cells, 0.5))


def added_up(case: Case, scale: float) -> str:
    """Say what all cells of a table, or all sums of groups, added up are off by, or nothing.

    Parameters
    ----------
    case : Case
        What is published.
    scale : float
        The scale of the noise of each number.

    Returns
    -------
    str
        A sentence, or nothing for a single number and for means, which nobody
        adds up.

    Raises
    ------
    TypeError, ValueError
        If the scale lies outside its domain, and something is to be said.

    Examples
    --------
    >>> print(added_up(Case(published="table", cells=20), 5))
    All 20 counts added up have a mean error of 25.1 people; a total with such noise of its own
    would have one of 5 people, and they need not add up to it.
    """
    if case.numbers == 1 or case.published == "mean":
        return ""
    off = up(error(case, scale, case.numbers), case.measured)
    every_one = every(case.numbers, "count" if case.cells else "sum")
    own = up(case.error(scale), case.measured)
    return (
        f"{every_one.capitalize()} added up have a mean error of {off}; a total with such noise of "
        f"its own would have one of {own}, and they need not add up to it."
    )
