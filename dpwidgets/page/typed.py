"""A column of numbers as a person types it into a box, and as the box shows it."""

from __future__ import annotations

import re
from collections import Counter

from dpwidgets.inputs import notation
from dpwidgets.inputs.outside import checked_text, quoted

LONGEST = 300_000  # characters of a typed list; a file or Python holds longer ones
ENTRIES = 50  # of a column, that a box shows whole
_CUT = "…"
_TWOFOLD = re.compile(
    r"(?<!\S)[-+−–]?(?:\d+,\d+|\d{1,3}(?:,\d{3})+),?(?!\S)"
)  # like 1,5 or 1,200,000 between spaces

Column = tuple[float, ...] | dict[str, float]


def read_column(text: str) -> Column:
    """Read a list of numbers as a person types it, with or without a name before each.

    Parameters
    ----------
    text : str
        Numbers that `notation.parse` reads, between them commas, white space or semicolons: ``1, 2,
        3``, ``1 2 3``. A comma within a number is read as a decimal comma where semicolons
        separate: ``0,5; 1,5``. Names stand before a colon: ``Chris: 1, Kelly: 2``, between them
        commas, semicolons or new lines. At most 300,000 characters.

    Returns
    -------
    tuple of float, or dict
        The numbers, or under each name its number.

    Raises
    ------
    ValueError
        If the text is too long or has half a character, an entry is no number, can be read in two
        ways, or has no name where others have one, or two names are the same; the message says
        which entry.

    Examples
    --------
    >>> read_column("1, 2, 3/2"), read_column("0,5; 1,5"), read_column("Chris: 1, Kelly: 2")
    ((1.0, 2.0, 1.5), (0.5, 1.5), {'Chris': 1.0, 'Kelly': 2.0})
    """
    _refuse_unreadable(text)
    text = text.strip().rstrip(",;").strip()
    if ";" in text:
        entries = text.split(";")
    elif ":" in text:
        lines = re.sub(r"[^\S\n]+", " ", text)  # else the next line is slow where blanks are many
        entries = re.split(r"\s*[,\n]\s*", lines)
    else:
        _refuse_twofold(text)
        entries = re.split(r"\s*,\s*|\s+", text)
    named = [entry.rpartition(":") for entry in entries]
    numbers = [_entry(place, number) for place, (_, _, number) in enumerate(named, 1)]
    names = [" ".join(name.split()) for name, colon, _ in named if colon]
    if not names:
        return tuple(numbers)
    if len(names) < len(numbers) or not all(names):
        raise ValueError("either every number has a name before a colon or none has")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(f"two of the numbers have the same name, {quoted(name)}")
    return dict(zip(names, numbers, strict=True))


def _refuse_unreadable(text: str) -> None:
    checked_text("a list that is typed", text, LONGEST)
    if _CUT in text:
        raise ValueError(
            f"the box shows a long list shortened ({_CUT}), so it cannot be edited here; "
            "clear the box and type a whole list, or assign one in Python"
        )


def _refuse_twofold(text: str) -> None:
    if twofold := _TWOFOLD.search(text):
        parts = twofold[0].rstrip(",").split(",")
        one = ".".join(parts) if len(parts) == 2 else "".join(parts)
        meant = f"{one} or the numbers {' and '.join(parts)}"
        raise ValueError(
            f"{quoted(','.join(parts))} may mean "
            f"{meant if len(one) < 60 else 'one number or several'}; "
            "write 0.5, put a space after each comma that separates, "
            "or put semicolons between the numbers"
        )


def _entry(place: int, text: str) -> float:
    try:
        return notation.parse(text)
    except ValueError as error:
        raise ValueError(f"the {notation.ordinal(place)} entry: {error}") from None


def write_column(column: Column) -> str:
    """Write a list so that `read_column` reads the same again.

    One that is long, or whose names cannot be told from numbers and signs, is shortened instead.
    """
    names, numbers = (
        (list(column), list(column.values())) if isinstance(column, dict) else ([], column)
    )
    entries = [repr(number).removesuffix(".0") for number in (*numbers[:ENTRIES], numbers[-1])]
    if names:
        entries = [
            f"{name}: {entry}"
            for name, entry in zip((*names[:ENTRIES], names[-1]), entries, strict=True)
        ]
    between = "; " if names else ", "
    if len(numbers) <= ENTRIES:
        text = between.join(entries[:-1])
        if not names or _reads(text, column):
            return text
    return between.join([*entries[:2], f"{_CUT} {len(numbers) - 3:,} more {_CUT}", entries[-1]])


def _reads(text: str, column: Column) -> bool:
    try:
        return read_column(text) == column
    except ValueError:
        return False
