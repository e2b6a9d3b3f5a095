"""A column of numbers from wherever it is: a list, a data frame, or typed or pasted in a box.

Only names and numbers are kept, and nothing is written anywhere.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from operator import length_hint
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpwidgets.inputs.domain import Domain
from dpwidgets.inputs.notation import ordinal
from dpwidgets.inputs.number import as_number
from dpwidgets.inputs.outside import checked_text, described, quoted
from dpwidgets.inputs.typed import parse, parse_datum

VALUES = Domain("a list of at least three finite numbers")
#: The same before it is known what is published: of a count, True and False
#: are what they say.
EITHER = replace(VALUES, includes_truth=True)
#: How many records a column may have. A range of more takes no memory until it
#: is read.
MOST = 10_000_000
# Characters of a typed list; Python holds longer ones.
LONGEST = 300_000
ENTRIES = 50  # of a column, that a box shows whole
_LONGEST_NAME = 200  # characters of a record's name
_CUT = "…"
# Between spaces, like 1,5 or 1,5%, or like 1,200,000; or in a line of its own,
# like 1 234.
_TWOFOLD = re.compile(
    r"(?<!\S)[-+−–]?(?:\d+,\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?)(?:[eE][-+−–]?\d+)?%?,?(?!\S)"
    r"|^[-+−–]?\d{1,3}(?:[^\S\n]\d{3})+(?:\.\d+)?$",
    re.MULTILINE,
)
# Like 12:30 or 3:2 at the end of an entry; of a name and a number, one would
# not tell it.
_TIME = re.compile(r"(?:^|\W|\dT)\d+:\d[^:]*$")

Records = tuple[float, ...] | dict[str, float]


def records(values: Any, domain: Domain = VALUES) -> Records:
    """Read a column of numbers, with the names of its records if it has any.

    Parameters
    ----------
    values : sequence, array, pandas Series or mapping
        At least three finite numbers. A mapping's keys are the names, and so
        are a Series' labels, if all of them are text of at most 200
        characters, and no two alike.
    domain : Domain
        What each number must be.

    Returns
    -------
    tuple of float, or dict
        The numbers, or under each name its number.

    Raises
    ------
    TypeError, ValueError
        If it is not one list of at least three finite numbers. The message
        names the first record that is none, or lies outside the domain. A
        number is what Python, NumPy or a database takes for one; text, truth
        values, dates and spans of time are not read as numbers.

    Examples
    --------
    >>> records([1, 2, 3.5])
    (1.0, 2.0, 3.5)
    >>> records({"Chris": 1, "Kelly": None, "Pat": 3})
    Traceback (most recent call last):
        ...
    TypeError: values must be a list of at least three finite numbers; got None for “Kelly”
    """
    names, read = names_and_numbers(values, domain)
    return dict(zip(names, read, strict=True)) if names else read


def names_and_numbers(
    values: Any, domain: Domain = VALUES
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Read a column as `records` does, into the names of its records, or none, and their numbers.

    Parameters
    ----------
    values, domain : sequence, array, pandas Series or mapping, Domain
        As in `records`, with the same errors.

    Returns
    -------
    names : tuple of str
        The names, as many as there are records, or none.
    numbers : tuple of float
        The numbers.

    Examples
    --------
    >>> names_and_numbers({"Chris": 1, "Kelly": 2, "Pat": 3})
    (('Chris', 'Kelly', 'Pat'), (1.0, 2.0, 3.0))
    >>> from dpwidgets.inputs.domain import COUNTED
    >>> names_and_numbers([1, 1, 2], COUNTED)
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: values of a count must be 0 or 1: 1 for whoever has the
    property, 0 for all others; got 2 for the 3rd record
    """
    if length_hint(values) > MOST:
        raise VALUES.wrong("values", f"more than {MOST:,} of them")
    names = _labels(values)
    given = list(values.values()) if isinstance(values, Mapping) else values
    cells = _cells(given)
    if cells.ndim != 1 or cells.size < 3:
        got = described(given)
        if cells.ndim:
            got = f"an array of shape {cells.shape}"
        raise VALUES.wrong("values", got)
    truth = domain.includes_truth
    read = [as_number(cell, truth=truth) for cell in cells.tolist()]
    found = np.array(read, float)  # of None it makes NaN
    outside = np.flatnonzero(~domain.contains(found))
    if outside.size:
        first = int(outside[0])
        place = f"the {ordinal(first + 1)} record"
        whose = quoted(names[first]) if names else place
        if read[first] is None:
            got = described(cells[first])
            raise TypeError(str(domain.wrong("values", f"{got} for {whose}")))
        raise domain.wrong("values", f"{found[first]:.12g} for {whose}")
    return names, tuple(found.tolist())


def _cells(given: Any) -> NDArray[np.object_]:
    """Return an array of what was given, each as it is."""
    # What a mask hides is no number, and would be one again without its mask.
    if np.ma.is_masked(given):
        return np.asarray(None, dtype=object)
    is_array = isinstance(given, np.ndarray) and given.ndim
    if is_array and given.dtype.kind in "mM":
        given = list(given)  # else NumPy would make whole numbers of times
    return np.asarray(given, dtype=object)


def _labels(values: Any) -> tuple[str, ...]:
    """Return the names of the records, if every record has one of its own."""
    named = isinstance(values, Mapping)
    labels = values if named else getattr(values, "index", ())
    # A list's index is a method.
    names = () if callable(labels) else tuple(labels)
    one_each = all(map(_is_name, names)) and len({*names}) == len(names)
    return names if one_each else ()


def _is_name(label: object) -> bool:
    return (
        isinstance(label, str)
        and bool(label.strip())
        and len(label) <= _LONGEST_NAME
    )


def read_column(text: str, *, masses: bool = False) -> Records:
    """Read a list of numbers as a person types it, with or without a name before each.

    Parameters
    ----------
    text : str
        Decimal numbers, as `parse_datum` reads them, each in a line of its
        own, or between them commas, spaces or semicolons: ``1, 2, 3``, ``1 2
        3``. A comma within a number is read as a decimal comma where
        semicolons separate: ``0,5; 1,5``. Names stand before a colon, and a
        space if they end with a digit: ``Chris: 1, Kelly: 2``; between them
        commas, semicolons or new lines. At most 300,000 characters.
    masses : bool
        Whether they are probabilities, which may be calculations: ``1/3``.

    Returns
    -------
    tuple of float, or dict
        The numbers, or under each name its number.

    Raises
    ------
    ValueError
        If the text is too long or has half a character, or a tab, an entry is
        no number but a date, a time, a calculation or nothing, as in a blank
        line, can be read in two ways (``1,5``, ``1 234``), or has no name
        where others have one, or two names are the same; the message says
        which entry.

    Examples
    --------
    >>> read_column("1, 2, 1.5"), read_column("0,5; 1,5"), read_column("Chris: 1, Kelly: 2")
    ((1.0, 2.0, 1.5), (0.5, 1.5), {'Chris': 1.0, 'Kelly': 2.0})
    """
    checked_text("a list that is typed", text, LONGEST)
    if _CUT in text:
        raise ValueError(
            f"a list that is shown shortened ({_CUT}) cannot be edited; clear the "
            "box and type a whole list, or assign one in Python"
        )
    names: list[str] = []
    read: list[float] = []
    entries = _entries(text.strip(" ").rstrip().rstrip(",;").rstrip())
    number = parse if masses else parse_datum
    for place, entry in enumerate(entries, 1):
        name, colon, written = entry.rpartition(":")
        try:
            _check_no_time(entry)
            read.append(number(written))
        except ValueError as error:
            raise ValueError(f"the {ordinal(place)} entry: {error}") from None
        if colon:
            names.append(" ".join(name.split()))
    if not names:
        return tuple(read)
    if len(names) < len(read) or not all(names):
        raise ValueError(
            "either every number has a name before a colon or none has"
        )
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(
            f"two of the numbers have the same name, {quoted(name)}"
        )
    return dict(zip(names, read, strict=True))


def _entries(text: str) -> list[str]:
    """Split a list that is typed, by what separates its numbers.

    A line is a row: one number, or one with its name. It goes on below where a
    separator ends it. What a spreadsheet copies so has as many numbers as rows.
    """
    if "\t" in text:
        raise ValueError("a tab stands between two columns; paste one of them")
    between = ";" if ";" in text else ","
    lines = [line.strip() for line in text.splitlines()]
    if "" in lines:
        raise ValueError("a line is blank; each has its number")
    text = "\n".join(lines)
    if ":" in text:
        return re.split(rf"{between}\n?|\n", text)
    if between == "," and (twofold := _TWOFOLD.search(text)):
        raise ValueError(
            f"{quoted(twofold[0].rstrip(','))} may mean one number or several; "
            "write 0.5 or 1234, and semicolons between several"
        )
    rows = re.split(r"(?<![,;])\n", text)
    if len(rows) > 1:
        return rows
    # No other white space, which stands within numbers.
    return re.split(between if between in text else " +", text)


def _check_no_time(entry: str) -> None:
    """Refuse a time, which is no number."""
    if _TIME.search(entry):
        raise ValueError(
            f"{quoted(entry.strip())} may be a time, which is no number; "
            "between a name and a number, put a space after the colon"
        )


def write_column(column: Records) -> str:
    """Write a list so that `read_column` reads the same again.

    One that is long, or whose names cannot be told from numbers and signs, is
    shortened instead.

    Parameters
    ----------
    column : tuple of float, or dict
        At least three numbers, or under each name its number.

    Examples
    --------
    >>> write_column((1.0, 2.0, 1.5)), write_column({"Chris": 1.0, "Kelly": 2.0, "Pat": 3.0})
    ('1, 2, 1.5', 'Chris: 1; Kelly: 2; Pat: 3')
    >>> write_column(tuple(range(1000)))
    '0, 1, … 997 more …, 999'
    """
    if isinstance(column, dict):
        between = "; "
        pairs = column.items()
        first = [_named(*pair) for pair in islice(pairs, ENTRIES)]
        last = _named(*next(reversed(pairs)))
    else:
        between = ", "
        first = [_short(number) for number in column[:ENTRIES]]
        last = _short(column[-1])
    text = between.join(first)
    if len(column) <= ENTRIES and _reads_as(text, column):
        return text
    more = f"{_CUT} {len(column) - 3:,} more {_CUT}"
    return between.join([*first[:2], more, last])


def _short(number: float) -> str:
    return repr(number).removesuffix(".0")


def _named(name: str, number: float) -> str:
    return f"{name}: {_short(number)}"


def _reads_as(text: str, column: Records) -> bool:
    """Tell whether a list that is written so is read as itself; without names it always is."""
    if not isinstance(column, dict):
        return True
    try:
        return read_column(text) == column
    except ValueError:
        return False
