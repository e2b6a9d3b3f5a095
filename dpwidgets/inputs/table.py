"""The rows of a CSV file under the one delimiter that fits, or the question which one is meant.

Python's own `csv` splits the rows: it is strict, is kept with the language,
and is in every browser that has Python. What neither its Sniffer nor clevercsv
nor pandas does is to say that a file can be read in two ways. Each takes what
is likeliest, and where that is not what was meant, a number loses its decimals
without a word. So nothing is guessed here:

- A delimiter may be meant if it splits the first row, if it stands below, and
  if at least half of the rows are as long as the first.
- None may be meant if each row below the first is one number.
- If one of these alone may be meant, it is taken, and all rows are as long as
  the first, or the file is refused. If several, whoever has the file is asked.

So no number is read that is not meant, if a file is a table with numbers. One
column of words, each with as many commas as its name, is read as several:
nothing tells it from these.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from dpwidgets.inputs.cells import SHOWN, Rows, TwofoldError, is_number
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import several
from dpwidgets.inputs.outside import quoted

#: What may stand between two cells.
DELIMITERS = ",;\t|"
#: What stands between the cells of a file that has one column.
NOTHING = ""
_PLURAL = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "bars",
    NOTHING: "nothing",
}
# No character: what `csv` takes for the delimiter where there is none.
_NONE = "\uffff"
# As programs write it above the names, for spreadsheets.
_NAMED = re.compile(rf'"?sep=([{DELIMITERS}])"? *\n', re.IGNORECASE)


def wrong(must: str) -> DomainError:
    """Return the error that a file must be something else than it is.

    Parameters
    ----------
    must : str
        Completes the sentence "file must …".
    """
    return DomainError("file", f"file must {must}")


def read_rows(
    text: str, delimiter: str | None = None
) -> dict[int, tuple[str, ...]]:
    r"""Read the rows of a table that are not empty, each under its place: the first is row 1.

    They are counted as a spreadsheet does: a row may have cells of several
    lines, and a line above the names that says ``sep=;`` is none.

    Parameters
    ----------
    text : str
        The table. Its lines end as on any system.
    delimiter : str, optional
        What stands between two cells; `NOTHING` if there is one column.

    Returns
    -------
    dict of tuple of str
        Under each row's place its cells, as many as the first row has.

    Raises
    ------
    TwofoldError
        If more than one delimiter may be meant.
    DomainError
        If a row has more or fewer cells than the first, or a quotation mark
        where none may be.

    Examples
    --------
    >>> read_rows('"Alter, Jahre";"Gewicht, kg"\n41,5;61,2\n')
    {1: ('Alter, Jahre', 'Gewicht, kg'), 2: ('41,5', '61,2')}
    >>> read_rows("a;b\n1;2\n3\n")
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: file must hold names, rows as long as theirs, and nothing
    else; row 3 has 1 cell between semicolons instead of 2
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if named := _NAMED.match(text):
        text = text[named.end() :]
        if delimiter is None:
            delimiter = named[1]
    layout = _meant(text) if delimiter is None else _layout(text, delimiter)
    if layout.trouble:
        raise _irregular(layout)
    return dict(_rows(text, layout.delimiter))


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each row that is not empty, with its place."""
    split = delimiter or _NONE
    lines = csv.reader(
        io.StringIO(text), delimiter=split, strict=True, skipinitialspace=True
    )
    try:
        for place, row in enumerate(lines, 1):
            if "".join(row).strip():
                yield place, tuple(row)  # which needs less memory than a list
    except csv.Error as error:
        raise wrong(f"be a table in CSV; it is not: {error}") from None


@dataclass(frozen=True)
class _Layout:
    """How many cells each row has that is not empty, as signs alone tell.

    Attributes
    ----------
    delimiter : str
        What stands between two cells here.
    widths : dict of int to int
        Under each row's place its number of cells.
    stray : int or None
        The row where a quotation mark stands that is none of a cell's ends.
    """

    delimiter: str
    widths: dict[int, int]
    stray: int | None

    @property
    def above(self) -> bool:
        """Whether the delimiter stands in the first row, and what is quoted fits it."""
        return not self.stray and self._first > 1

    @property
    def below(self) -> bool:
        """Whether it stands below."""
        return max(islice(self.widths.values(), 1, None), default=0) > 1

    @property
    def mostly(self) -> bool:
        """Whether at least half of the rows are as long as the first."""
        widths = [*self.widths.values()]
        return 2 * widths.count(self._first) >= len(widths)

    @property
    def _first(self) -> int:
        return next(iter(self.widths.values()), 0)

    @property
    def trouble(self) -> str:
        """What is wrong with the first row that does not fit, or nothing."""
        first = self._first
        for row, width in self.widths.items():
            if width != first:
                cells = several(width, "cell")
                by = _PLURAL[self.delimiter]
                return (
                    f"row {row} has {cells} between {by} instead of {first:,}"
                )
        if not self.stray:
            return ""
        what = "a quotation mark inside a cell, or one that is not closed"
        return f"row {self.stray} has {what}"


def _layout(text: str, delimiter: str) -> _Layout:
    """Lay out a text under a delimiter, up to the first stray quotation mark."""
    ends = f"[{delimiter or _NONE}\n]"
    # Each cell between quotation marks becomes one letter, also where it has
    # several lines.
    cell = rf'(\A|{ends}) *"[^"]*(?:""[^"]*)*"(?={ends}|\Z)'
    if '"' in text:
        text = re.sub(cell, r"\1x", text)
    widths: dict[int, int] = {}
    for row, line in enumerate(text.split("\n"), 1):
        if '"' in line:
            return _Layout(delimiter, widths, row)
        cells = line.split(delimiter) if delimiter else [line]
        if "".join(cells).strip():
            widths[row] = len(cells)
    return _Layout(delimiter, widths, None)


def _irregular(*layouts: _Layout) -> DomainError:
    """Return the error that a file is no table under any of these."""
    troubles = "; ".join(layout.trouble for layout in layouts)
    return wrong(
        f"hold names, rows as long as theirs, and nothing else; {troubles}"
    )


def _meant(text: str) -> _Layout:
    """Return the layout by the delimiter that alone may be meant, or raise an error.

    It stands in the first row and below. Where each row below is one number,
    the first may be one name; but where a delimiter stands in the first row
    alone, the others may have lost their cells.
    """
    meant: list[_Layout] = []
    above_alone: list[_Layout] = []
    irregular: list[_Layout] = []
    for delimiter in filter(text.__contains__, DELIMITERS):
        layout = _layout(text, delimiter)
        if layout.above and not layout.below:
            above_alone.append(layout)
        elif layout.above and layout.mostly:
            meant.append(layout)
        if layout.trouble:
            irregular.append(layout)
    one_column = _layout(text, NOTHING)
    if _is_column(text):
        meant += [*above_alone, one_column]
    if not meant:
        meant = irregular or [one_column]
    if all(layout.trouble for layout in meant):
        raise _irregular(*meant)
    if len(meant) == 1:
        return meant[0]
    is_tabbed = _is_tabbed(text, meant)
    for layout in meant:
        if layout.delimiter == "\t" and is_tabbed:
            return layout
    raise _twofold(text, meant)


def _twofold(text: str, meant: Iterable[_Layout]) -> TwofoldError:
    """Return the question which delimiter is meant, with what each makes of a text."""
    means: list[str] = []
    readings: dict[str, str | Rows] = {}
    for layout in meant:
        delimiter = layout.delimiter
        first = [row for _, row in islice(_rows(text, delimiter), SHOWN)]
        columns = f"{len(first[0]):,} columns" if delimiter else "one column"
        fits = f"{columns}, the first {quoted(first[0][0][:20])}"
        readings[delimiter] = layout.trouble or first
        means.append(f"delimiter={delimiter!r}: {layout.trouble or fits}")
    must = "file must be read with one delimiter, and several may be meant"
    return TwofoldError(
        "delimiter",
        f"{must}. {'; '.join(means)}. Pass the one that is meant",
        readings,
    )


def _is_column(text: str) -> bool:
    """Tell whether all rows below the first are one number each."""
    try:
        cells = [cell for _, (cell,) in _rows(text, NOTHING)]
    except DomainError:
        return False
    if len(cells) < 2 or is_number(cells[0]):
        return False
    return all(map(is_number, set(cells[1:])))


def _is_tabbed(text: str, meant: Iterable[_Layout]) -> bool:
    """Tell whether no delimiter but tabs sets a number apart.

    Nobody types a tab into a cell of a spreadsheet, and commas stand in many a
    name.
    """
    cells: set[str] = set()
    for layout in meant:
        if layout.delimiter != "\t":
            for _, row in islice(_rows(text, layout.delimiter), 1, None):
                cells.update(row)
    return not any(map(is_number, cells))
