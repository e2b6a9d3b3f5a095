"""A column of numbers from wherever it is: a list, a data frame's column, or a CSV file.

Only names and numbers are kept, and nothing is written anywhere.
"""

from __future__ import annotations

import csv
import io
import numbers
import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpwidgets.calculators.domain import Domain, DomainError, FloatArray
from dpwidgets.notation import ordinal, parse

VALUES = Domain("a list of at least three finite numbers")
#: How many bytes an upload may have. A file on disk, given by its path, may be larger.
LIMIT = 5_000_000
#: How many records are so many that what is computed from them takes a while.
MANY = 20_000
DELIMITERS = ",;\t|"

_SAMPLE = 20  # lines from which the delimiter is told
_LISTED = 5  # bad cells that an error lists
_COMMA = re.compile(r"[+-]?\d*,\d+")


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
            f"row {row} ({f'“{cell[:20]}”' if cell else 'empty'})"
            for row, cell in self.bad[:_LISTED]
        )
        more = f" and {len(self.bad) - _LISTED:,} more" if len(self.bad) > _LISTED else ""
        verb = "cell is no number" if len(self.bad) == 1 else "cells are no numbers"
        raise DomainError(
            "column",
            f"column “{self.name[:40]}” must hold numbers; {len(self.bad):,} {verb}: {listed}{more}",
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
        names = ", ".join(repr(column.name) for column in self.columns)
        raise DomainError("column", f"column must be one of {names}; got {name!r}")


def read_csv(source: bytes | str | Path, limit: int = LIMIT) -> Table:
    r"""Read the columns of a CSV file whose first row holds their names.

    Parameters
    ----------
    source : bytes, str or Path
        What an upload holds, or a file's path. The text is UTF-8; cells are separated by a comma, a
        semicolon, a tab or a bar. Beside a semicolon, a tab or a bar the numbers may have a decimal
        comma.
    limit : int
        How many bytes an upload may have. There is no limit for a path.

    Returns
    -------
    Table
        The columns. Cells that are no numbers are listed in each, they raise no error here.

    Raises
    ------
    ValueError
        If the upload is too large, the text is not UTF-8 or empty, the first row holds no names or
        one of them twice, no row follows, or a row has more or fewer cells than the first.
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
    try:
        rows = [
            (number, row)
            for number, row in enumerate(
                csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), start=1
            )
            if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise DomainError("file", f"file must be a table in CSV; it is not: {error}") from None
    if not rows:
        raise DomainError("file", "file must hold a row of names and rows of numbers; it is empty")
    (_, header), *body = rows
    names = _names(header, delimiter)
    if not body:
        raise DomainError(
            "file", f"file must hold rows below its names; got only {', '.join(names)[:80]}"
        )
    for number, row in body:
        if len(row) != len(names):
            wanted = f"file must have {len(names)} cell{'s' * (len(names) > 1)} in each row, as in the first"
            raise DomainError("file", f"{wanted}; row {number} has {len(row)}")
    columns = zip(names, zip(*(row for _, row in body), strict=True), strict=True)
    places = [number for number, _ in body]
    return Table(
        tuple(_column(name, cells, places, delimiter) for name, cells in columns), delimiter
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
    values : sequence, array, pandas Series or mapping
        At least three finite numbers. A mapping's keys are the names. A Series' labels are, if all
        of them are text and no two alike.

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
    TypeError: values must be a list of at least three finite numbers; got None for Kelly
    """
    names, cells = _labels(values), values
    if isinstance(values, Mapping):
        cells = list(values.values())
    elif not hasattr(values, "__len__") and hasattr(values, "__iter__"):
        cells = list(values)
    try:
        array = np.asarray(cells)
    except ValueError:  # a ragged list
        array = np.array(list(map(type, cells)))
    if array.ndim != 1 or array.size < 3:
        got = f"an array of shape {array.shape}" if array.ndim else reprlib.repr(cells)
        raise DomainError("values", f"values must be {VALUES.allowed}; got {got}")
    if array.dtype.kind in "iuf":
        floats = array.astype(float).tolist()
        wrong = np.flatnonzero(~np.isfinite(array))
    else:
        floats = [_real(cell) for cell in cells]
        wrong = [
            place
            for place, number in enumerate(floats)
            if number is None or not np.isfinite(number)
        ]
    if len(wrong):
        first = int(wrong[0])
        cell = floats[first] if floats[first] is not None else list(cells)[first]
        whose = names[first] if names else f"the {ordinal(first + 1)} record"
        message = f"values must be {VALUES.allowed}; got {reprlib.repr(cell)} for {whose}"
        raise TypeError(message) if floats[first] is None else DomainError("values", message)
    return dict(zip(names, floats, strict=True)) if names else tuple(floats)


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


def _labels(values: Any) -> list[str]:
    """Return the names of the records, if every record has one of its own."""
    labels = values if isinstance(values, Mapping) else getattr(values, "index", ())
    names = [] if callable(labels) else list(labels)  # a list's index is a method
    proper = all(isinstance(name, str) and name.strip() for name in names)
    return names if proper and len(set(names)) == len(names) else []


def _real(cell: Any) -> float | None:
    """Return a cell as a float, or None if it is no real number."""
    if not isinstance(cell, numbers.Real) or isinstance(cell, (bool, np.bool_)):
        return None
    try:
        return float(cell)
    except OverflowError:
        return np.inf


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise DomainError(
            "file",
            f"file must be text in UTF-8; row {row} has the byte 0x{data[error.start]:02x}, which is none. "
            "Save it as “CSV UTF-8”",
        ) from None


def _delimiter(text: str) -> str:
    """Tell the delimiter from the first lines; one column has none, and then a comma does no harm."""
    lines = text.split("\n", _SAMPLE)[:_SAMPLE]
    try:
        found = csv.Sniffer().sniff("\n".join(line[:1000] for line in lines), DELIMITERS).delimiter
    except csv.Error:
        found = ","
    return found if found in lines[0] else max(",", *DELIMITERS, key=lines[0].count)


def _names(header: list[str], delimiter: str) -> list[str]:
    names = [name.strip() or f"column {place}" for place, name in enumerate(header, start=1)]
    for name in names:
        if np.isfinite(_number(name, delimiter)):
            raise DomainError(
                "file", f"file must have names in its first row; got the number {name[:20]} there"
            )
        if names.count(name) > 1:
            raise DomainError(
                "file", f"file must have each name once in its first row; got “{name[:40]}” twice"
            )
    return names


def _column(name: str, cells: tuple[str, ...], places: list[int], delimiter: str) -> Column:
    numbers = np.array([_number(cell, delimiter) for cell in cells])
    bad = tuple(
        (places[place], cells[place].strip()) for place in np.flatnonzero(~np.isfinite(numbers))
    )
    numbers[~np.isfinite(numbers)] = np.nan
    return Column(name, numbers, bad)


def _number(cell: str, delimiter: str) -> float:
    """Read a cell; what is no number is NaN."""
    try:
        return float(cell) if "_" not in cell else np.nan
    except ValueError:
        pass
    if delimiter != "," and _COMMA.fullmatch(cell.strip()):
        try:
            return parse(cell)
        except ValueError:  # 1,000 may mean two numbers
            pass
    return np.nan
