"""What the cells of a table mean: numbers with a point or a comma, true and false, codes."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Self

import numpy as np

from dpwidgets.inputs.domain import DomainError, FloatArray, must_be
from dpwidgets.inputs.outside import described, quoted
from dpwidgets.inputs.typed import parse_datum

#: What may stand before a number's decimals.
DECIMALS = ".,"
#: How many rows of each reading a question shows, that of the names among
#: them.
SHOWN = 4
_TRUTH = {"true": 1.0, "false": 0.0}

Rows = Sequence[Sequence[str]]


class TwofoldError(DomainError):
    """What can be read in several ways, between which only a person can choose.

    Parameters
    ----------
    argument : str
        What to name, so that one of them is taken: `delimiter` or `decimal`.
    message : str
        The whole message.
    readings : mapping
        Under each value of the argument the first rows as they are read then,
        or why it does not fit.
    """

    def __init__(
        self, argument: str, message: str, readings: Mapping[str, str | Rows]
    ) -> None:
        super().__init__(argument, message)
        self.readings = readings


def _written(decimal: str, thousands: str) -> re.Pattern[str]:
    """Return what a number matches that has these signs."""
    groups = (
        rf"[1-9]\d{{0,2}}([{thousands}'’\u00a0\u202f])\d{{3}}(?:\1\d{{3}})*"
    )
    digits = rf"(?:{groups}|\d+)(?:[{decimal}]\d*)?|[{decimal}]\d+"
    return re.compile(
        rf"[-+−–]?(?:{digits})(?:e[-+]?\d+)?\s?%?", re.IGNORECASE
    )


_FRACTION = re.compile(r"[-+−–]?\d+/\d+")
_NUMBERS = {".": _written(".", ","), ",": _written(",", ".")}


def _plain(decimal: str, thousands: str) -> dict[int, int | None]:
    """Return what of a number's signs Python wants to have otherwise."""
    dropped = f"{thousands}'’\u00a0\u202f%"
    return str.maketrans(f"−–{decimal}", "--.", dropped)


_PLAIN = {".": _plain(".", ","), ",": _plain(",", ".")}


def number(cell: str, decimal: str) -> float:
    """Read a number as it stands in a table; what is none, or not finite, is NaN.

    Parameters
    ----------
    cell : str
        Digits with a sign, decimals, an exponent or a percent sign, or a
        fraction as `parse_datum` reads it. Thousands may be set apart by the
        other one of point and comma, by an apostrophe, or by a space that does
        not break lines.
    decimal : {".", ","}
        What stands before the decimals.

    Returns
    -------
    float
        The number, or NaN.

    Examples
    --------
    >>> number("1,234.5", "."), number("1.234,5", ","), number("−0,5 %", ",")
    (1234.5, 1234.5, -0.005)
    >>> number("1/4", "."), number("1/2020", "."), number("61,5", "."), number("1 234", ".")
    (0.25, nan, nan, nan)
    """
    cell = cell.strip()
    value = math.nan
    if cell.isdecimal():  # most are, and this is soon told
        value = float(cell)
    elif _NUMBERS[decimal].fullmatch(cell):
        value = float(cell.translate(_PLAIN[decimal]))
        if cell.endswith("%"):
            value /= 100
    elif _FRACTION.fullmatch(cell):
        with suppress(ValueError):  # it may be a month, or have no value
            value = parse_datum(cell)
    return value if math.isfinite(value) else math.nan


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number with a decimal point, or with a decimal comma.

    Examples
    --------
    >>> is_number("1,5"), is_number("1.5"), is_number("age")
    (True, True, False)
    """
    if math.isfinite(number(cell, ".")):
        return True
    return math.isfinite(number(cell, ","))


def _truth(cell: str) -> float | None:
    """Return 1 or 0 for true or false, and None for anything else."""
    return _TRUTH.get(cell.strip().casefold())


@dataclass(frozen=True)
class Column:
    r"""A column of a CSV file: its name, its cells, the row of each, and its decimal sign if known.

    The first row holds the names, so the first cell is in row 2.

    Examples
    --------
    >>> Column("age", ("41", "29"), (2, 3)).numbers
    array([41., 29.])
    >>> Column("name", ("Ann", "Bob"), (2, 3)).numbers
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: row 2, column “name”: “Ann” is no number
    """

    name: str
    cells: tuple[str, ...]
    rows: tuple[int, ...]
    decimal: str | None = None

    @property
    def numbers(self) -> FloatArray:
        """The numbers; 1 and 0 for a column of true and false.

        Raises
        ------
        TwofoldError
            If all cells are numbers with a decimal point and with a decimal
            comma, and not the same: “61,500”. Then `read_csv` must be told
            which.
        DomainError
            If a cell is no finite number; the message says the row of the
            first such cell.
        """
        if all(_truth(cell) is not None for cell in self.cells):
            return np.array(list(map(_truth, self.cells)), float)
        signs = self.decimal or DECIMALS
        readings = {sign: self._read(sign) for sign in signs}
        every = len(self.cells)
        whole = [read for read in readings.values() if read.size == every]
        if not whole:
            raise self._no_number(readings)
        differ = np.flatnonzero(whole[0] != whole[-1])
        if differ.size:
            raise self._twofold(readings, int(differ[0]))
        return whole[0]

    @property
    def counted(self) -> Counter[str]:
        """How often each cell stands in it; a DomainError says the row of one that is empty."""
        cells = list(map(str.strip, self.cells))
        if "" in cells:
            where = self._where(cells.index(""))
            raise DomainError("column", f"{where}: the cell is empty")
        return Counter(cells)

    def coded(self, yes: str) -> Self:
        r"""Return the column with 1 where a cell is `yes`, and 0 where it is anything else.

        Raises
        ------
        DomainError
            If no cell is `yes`, or one is empty.

        Examples
        --------
        >>> smoker = Column("smoker", ("1", "2", "2"), (2, 3, 4)).coded("1")
        >>> smoker.name, smoker.numbers
        ('smoker = 1', array([1., 0., 0.]))
        """
        if yes not in self.counted:
            raise must_be(
                "yes", f"a cell of {quoted(self.name)}; got {described(yes)}"
            )
        cells = tuple(str(int(cell.strip() == yes)) for cell in self.cells)
        return replace(self, name=f"{self.name} = {yes}", cells=cells)

    def _where(self, at: int) -> str:
        return f"row {self.rows[at]}, column {quoted(self.name)}"

    def _read(self, decimal: str) -> FloatArray:
        """Read the cells up to the first that is no number."""
        read = map(partial(number, decimal=decimal), self.cells)
        return np.fromiter(takewhile(math.isfinite, read), float)

    def _no_number(self, readings: Mapping[str, FloatArray]) -> DomainError:
        """Say the first cell that is no number, by the sign with which more cells above are."""
        sign = max(readings, key=lambda sign: readings[sign].size)
        at = readings[sign].size
        cell = self.cells[at]
        what = "the cell is empty"
        if cell.strip():
            what = f"{quoted(cell)} is no number"
        if is_number(cell):
            what = f"{what} where “{sign}” stands before the decimals"
        return DomainError("column", f"{self._where(at)}: {what}")

    def _twofold(
        self, readings: Mapping[str, FloatArray], at: int
    ) -> TwofoldError:
        """Say what the first cell may mean that has two meanings."""
        some = slice(at, at + SHOWN - 1)
        written = self.cells[some]
        rows: dict[str, str | Rows] = {}
        means: list[str] = []
        for sign, read in readings.items():
            numbers = list(map("{:.15g}".format, read[some]))
            pairs = zip(written, numbers, strict=True)
            rows[sign] = [("in the file", "read"), *pairs]
            means.append(f"{numbers[0]} (decimal={sign!r})")
        message = f"{self._where(at)}: {quoted(self.cells[at])} may mean {' or '.join(means)}"
        return TwofoldError(
            "decimal",
            f"{message}. Read the file with the one that is meant",
            rows,
        )
