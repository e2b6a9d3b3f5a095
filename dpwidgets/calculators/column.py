"""A column of numbers from wherever it is: a list, a data frame's column, or a CSV file.

Only names and numbers are kept, and nothing is written anywhere.
"""

from __future__ import annotations

import csv
import io
import math
import numbers
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.domain import Domain, DomainError, FloatArray
from dpwidgets.notation import ordinal
from dpwidgets.outside import described, is_whole, quoted

VALUES = Domain("a list of at least three finite numbers")
#: How many bytes an upload may have. A file on disk, given by its path, may be larger.
LIMIT = 5_000_000
#: How many records are so many that what is computed from them takes a while.
MANY = 20_000
#: How many columns a file may have, and how many numbers are taken from what has no length.
MOST_COLUMNS, MOST_NUMBERS = 1000, 1_000_000
#: What may stand between two cells, in the order of trust: commas stand within numbers too.
DELIMITERS = "\t;|,"

_SAMPLE = 100  # rows, blank ones too, from which the delimiter is told
_LISTED = 5  # bad cells, or names, that an error lists
_LONGEST_NAME = 200  # characters of a record's name
_COMMA = re.compile(r"[+-]?\d*,\d+")
_TWOFOLD = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")  # like 1,000, which may mean 1 or a thousand


@dataclass(frozen=True, eq=False)
class Column:
    r"""A column: its name, its numbers, and the cells that are none.

    Parameters
    ----------
    name : str
        The name in the first row.
    cells : array of shape (n,)
        The numbers; NaN for a bad cell.
    bad : tuple of (int, str)
        The row of each bad cell, and what stands there. The first row holds the names, so the first
        number is in row 2.

    Examples
    --------
    >>> age, name = read_csv(b"age,name\n41,Ann\n29,Bob\n").columns
    >>> age.numbers, name.bad
    (array([41., 29.]), ((2, 'Ann'), (3, 'Bob')))
    """

    name: str
    cells: FloatArray
    bad: tuple[tuple[int, str], ...] = ()

    @property
    def numbers(self) -> FloatArray:
        """The numbers.

        Raises
        ------
        DomainError
            If a cell is no number; the message lists the first of them by row.
        """
        if not self.bad:
            return self.cells
        listed = ", ".join(
            f"row {row} ({quoted(cell[:20]) if cell else 'empty'})"
            for row, cell in self.bad[:_LISTED]
        )
        more = f" and {len(self.bad) - _LISTED:,} more" if len(self.bad) > _LISTED else ""
        verb = "cell is no number" if len(self.bad) == 1 else "cells are no numbers"
        raise DomainError(
            "column",
            f"column {quoted(self.name[:40])} must hold numbers; "
            f"{len(self.bad):,} {verb}: {listed}{more}",
        )


@dataclass(frozen=True, eq=False)
class Table:
    """A CSV file's columns. `read_csv` makes one.

    Parameters
    ----------
    columns : tuple of Column
        The columns, in their order.
    delimiter : str
        What stands between two cells.
    """

    columns: tuple[Column, ...]
    delimiter: str

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        names = ", ".join(described(column.name) for column in self.columns[:_LISTED])
        more = f" and {len(self.columns) - _LISTED:,} more" if len(self.columns) > _LISTED else ""
        raise DomainError("column", f"column must be one of {names}{more}; got {described(name)}")


def read_csv(source: bytes | str | Path, limit: int = LIMIT) -> Table:
    r"""Read the columns of a CSV file whose first row holds their names.

    Parameters
    ----------
    source : bytes, str or Path
        What an upload holds, or a file's path. The text is UTF-8; cells are separated by a comma, a
        semicolon, a tab or a bar, and have at most 131,072 characters each. Beside a semicolon, a
        tab or a bar the numbers may have a decimal comma.
    limit : int
        How many bytes an upload may have; five million take about a second. A path has no limit.

    Returns
    -------
    Table
        The columns. Cells that are no numbers are listed in each, they raise no error here.

    Raises
    ------
    ValueError
        If the upload is too large, the text is not UTF-8 or empty, a quotation mark is not closed,
        the first row holds no names, one of them twice or more than 1,000, no row follows, or a row
        has more or fewer cells than the first.
    OSError
        If there is no such file.

    Examples
    --------
    >>> read_csv("name;weight\nAnn;61,5\nBob;80\n".encode())["weight"].numbers
    array([61.5, 80. ])
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        if len(data) > limit:
            most = f"file must have at most {limit / 1e6:.3g} MB"
            raise DomainError(
                "file", f"{most}; got {len(data) / 1e6:.3g} MB. Pass the path of a larger one"
            )
    else:
        data = Path(source).read_bytes()
    text = _decoded(data)
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    try:
        _, header = next(rows, (0, []))
        names = _names(header, delimiter)
        places: list[int] = []
        cells: list[str] = []
        for place, row in rows:
            if len(row) != len(names):
                wanted = f"{len(names)} cell{'s' * (len(names) > 1)} in each row, as in the first"
                raise DomainError("file", f"file must have {wanted}; row {place} has {len(row)}")
            places.append(place)
            cells += row
    except csv.Error as error:
        raise DomainError("file", f"file must be a table in CSV; it is not: {error}") from None
    if not places:
        listed = quoted(", ".join(names))
        raise DomainError("file", f"file must hold rows below its names; got only {listed}")
    return Table(
        tuple(
            _column(name, cells[at :: len(names)], places, delimiter)
            for at, name in enumerate(names)
        ),
        delimiter,
    )


def column(values: Any, name: str = "") -> Column:
    """Make a column of numbers that are at hand.

    Parameters
    ----------
    values : sequence, array, data frame's column or mapping
        At least three finite numbers, as `records` reads them.
    name : str
        What to call it; by default the name that a data frame's column has.

    Returns
    -------
    Column
        The column, without bad cells.

    Raises
    ------
    TypeError, ValueError
        As `records`: the message names the first record that is no number.

    Examples
    --------
    >>> column([1, 2, 3.5], name="grade").numbers
    array([1. , 2. , 3.5])
    """
    _, cells = names_and_numbers(values)
    own = getattr(values, "name", None)
    return Column(name or ("values" if own is None else str(own)), np.array(cells))


def records(values: Any) -> tuple[float, ...] | dict[str, float]:
    """Read a column of numbers, with the names of its records if it has any.

    Parameters
    ----------
    values : sequence, array, iterator, pandas Series or mapping
        At least three finite numbers, and of an iterator at most a million. A mapping's keys are
        the names, and so are a Series' labels, if all of them are text that can be written, of at
        most 200 characters, and no two alike.

    Returns
    -------
    tuple of float, or dict
        The numbers, or under each name its number.

    Raises
    ------
    TypeError, ValueError
        If it is not one list of at least three finite numbers. The message names the first record
        that is no number.

    Examples
    --------
    >>> records([1, 2, 3.5])
    (1.0, 2.0, 3.5)
    >>> records({"Chris": 1, "Kelly": None, "Pat": 3})
    Traceback (most recent call last):
        ...
    TypeError: values must be a list of at least three finite numbers; got None for “Kelly”
    """
    names, cells = _labels(values), _listed(values)
    array = _as_array(cells)
    if array.ndim != 1 or array.size < 3:
        got = f"an array of shape {array.shape}" if array.ndim else described(cells)
        raise DomainError("values", f"values must be {VALUES.allowed}; got {got}")
    with np.errstate(over="ignore"):  # a longer float's largest numbers
        read = array.tolist() if array.dtype.kind == "O" else array.astype(float).tolist()
    floats = [cell if type(cell) is float else _real(cell) for cell in read]
    named = names if len(names) == len(floats) else []
    for place, number in enumerate(floats):
        if number is None or not math.isfinite(number):
            whose = quoted(named[place]) if named else f"the {ordinal(place + 1)} record"
            cell = described(read[place] if number is None else number)
            message = f"values must be {VALUES.allowed}; got {cell} for {whose}"
            raise TypeError(message) if number is None else DomainError("values", message)
    numbers = tuple(number for number in floats if number is not None)
    return dict(zip(named, numbers, strict=True)) if named else numbers


def names_and_numbers(values: Any) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Read a column as `records` does, into the names of its records, or none, and their numbers.

    Examples
    --------
    >>> names_and_numbers({"Chris": 1, "Kelly": 2, "Pat": 3})
    (('Chris', 'Kelly', 'Pat'), (1.0, 2.0, 3.0))
    >>> names_and_numbers([1, 2, 3])
    ((), (1.0, 2.0, 3.0))
    """
    read = records(values)
    return (tuple(read), tuple(read.values())) if isinstance(read, dict) else ((), read)


def _as_array(cells: Any) -> NDArray[Any]:
    """Return an array of numbers, else of the cells as they are given, else one of no dimension."""
    try:
        array = np.asarray(cells)
        if array.dtype.kind in "iuf":
            return array
    except Exception:  # a ragged list
        pass
    try:
        return np.asarray(cells, dtype=object)
    except Exception:  # what refuses to be an array
        return np.asarray(None)


def _listed(values: Any) -> Any:
    """Return the numbers of a mapping or an iterator as a list, and anything else as it is."""
    if isinstance(values, Mapping):
        return list(values.values())
    if isinstance(values, np.ma.MaskedArray):
        return values.tolist()  # with None for what is masked
    if hasattr(values, "__iter__") and not hasattr(values, "__getitem__"):
        if isinstance(values, Set):
            return values  # without an order, and so no list
        some = list(islice(values, MOST_NUMBERS + 1))
        if len(some) > MOST_NUMBERS:
            most = f"values must be at most {MOST_NUMBERS:,} numbers"
            raise DomainError(
                "values", f"{most} if they come from an iterator; make a list of them"
            )
        return some
    return values


def _labels(values: Any) -> list[str]:
    """Return the names of the records, if every record has one of its own."""
    labels = values if isinstance(values, Mapping) else getattr(values, "index", ())
    if callable(labels):  # a list's index is a method
        return []
    try:
        names = [str(label) for label in labels if _is_name(label)]
        return names if len(names) == len(labels) == len(set(names)) else []
    except TypeError:  # no labels at all
        return []


def _is_name(label: object) -> bool:
    return (
        isinstance(label, str)
        and bool(label.strip())
        and len(label) <= _LONGEST_NAME
        and is_whole(label)
    )


def _real(cell: Any) -> float | None:
    """Return a cell as a float, or None if it is no real number."""
    if not isinstance(cell, numbers.Real) or isinstance(cell, (bool, np.bool_)):
        return None
    try:
        return float(cell)
    except OverflowError:
        return math.inf
    except TypeError:  # NumPy's time spans, which call themselves whole numbers
        return None


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise DomainError(
            "file",
            f"file must be text in UTF-8; row {row} has the byte 0x{data[error.start]:02x}, "
            "which is none. Save it as “CSV UTF-8”",
        ) from None


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank, with its number."""
    for place, row in enumerate(_lines(text, delimiter), start=1):
        if "".join(row).strip():
            yield place, row


def _lines(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _delimiter(text: str) -> str:
    """Tell the delimiter: each of the first rows has as many cells as the first, and not one."""
    for delimiter in DELIMITERS:
        try:
            rows = islice(_lines(text, delimiter), _SAMPLE)
            widths = {len(row) for row in rows if "".join(row).strip()}
        except csv.Error:
            continue
        if len(widths) == 1 and widths != {1}:
            return delimiter
    first = text.partition("\n")[0]  # one column has none, and then a comma does no harm
    most: str = max((",", *DELIMITERS), key=first.count)
    return most


def _names(header: list[str], delimiter: str) -> list[str]:
    if not header:
        raise DomainError("file", "file must hold a row of names and rows of numbers; it is empty")
    if len(header) > MOST_COLUMNS:
        most = f"file must have at most {MOST_COLUMNS:,} columns"
        raise DomainError("file", f"{most}; got {len(header):,}")
    names = [name.strip() or f"column {place}" for place, name in enumerate(header, start=1)]
    for name in names:
        if np.isfinite(_number(name, delimiter)):
            raise DomainError(
                "file", f"file must have names in its first row; got the number {name[:20]} there"
            )
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        got = quoted(name[:40])
        many = "twice" if times == 2 else f"{times} times"
        raise DomainError(
            "file", f"file must have each name once in its first row; got {got} {many}"
        )
    return names


def _column(name: str, cells: list[str], places: list[int], delimiter: str) -> Column:
    read = {cell: _number(cell, delimiter) for cell in set(cells)}
    numbers = np.array([read[cell] for cell in cells])
    wrong = ~np.isfinite(numbers)
    numbers[wrong] = np.nan
    bad = tuple((places[at], cells[at].strip()) for at in np.flatnonzero(wrong).tolist())
    return Column(name, numbers, bad)


def _number(cell: str, delimiter: str) -> float:
    """Read a cell; what is no number is NaN."""
    if delimiter != "," and _COMMA.fullmatch(cell.strip()):
        cell = "two numbers" if _TWOFOLD.fullmatch(cell.strip()) else cell.replace(",", ".")
    try:
        return float(cell) if "_" not in cell else math.nan
    except ValueError:
        return math.nan
