"""What counts as a number, of what Python, NumPy or a database has: judged as what it is."""

import numbers
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray


def as_number(value: object, *, truth: bool = False) -> float | None:
    """Return a real number as a float, or None for anything else, judged as what it is.

    Parameters
    ----------
    value : object
        Anything. A text is no number, nor is a date, a span of time, or a
        whole number or a fraction beyond every float. What NumPy or a Decimal
        holds beyond it is infinite.
    truth : bool
        Whether True and False are numbers, 1 and 0.

    Returns
    -------
    float or None
        The number; infinite or NaN if it is.

    Examples
    --------
    >>> from datetime import date
    >>> [as_number(value) for value in (1, Decimal("0.5"), "1", True, date(2020, 1, 1))]
    [1.0, 0.5, None, None, None]
    """
    if type(value) is float:  # nearly always, and quick
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)):
        return float(value) if truth else None
    # To Python, a span of time of NumPy's is a whole number.
    if isinstance(value, np.timedelta64):
        return None
    if not isinstance(value, (numbers.Real, Decimal)):
        return None
    try:
        with np.errstate(all="ignore"):
            return float(value)
    except (OverflowError, ValueError):
        return None


def as_floats(
    value: object, *, truth: bool = False
) -> NDArray[np.float64] | None:
    """Return numbers as floats, or None for anything that is not made of real numbers alone.

    Parameters
    ----------
    value : object
        A number, an array or a list of them, or anything else.
    truth : bool
        As in `as_number`.

    Examples
    --------
    >>> as_floats([1, 0.5]), as_floats([1, "0.5"])
    (array([1. , 0.5]), None)
    """
    if (number := as_number(value, truth=truth)) is not None:
        return np.asarray(number)
    # Numpy reads some as numbers.
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return None
    try:
        if np.ma.is_masked(value):
            return None
        array = np.asarray(value)
        read_by_numpy = "biuf" if truth else "iuf"
        if hasattr(value, "dtype") and array.dtype.kind in read_by_numpy:
            with np.errstate(all="ignore"):
                return array.astype(float)
        # Of an array of times NumPy would make whole numbers.
        if array.dtype.kind not in "biufO":
            return None
        # Of a list NumPy would make numbers of what is none: 1 of True.
        cells = np.asarray(value, dtype=object)
        read = [as_number(cell, truth=truth) for cell in cells.flat]
        if None in read:
            return None
        return np.array(read, float).reshape(cells.shape)
    except Exception:  # a ragged list, an object that refuses
        return None
