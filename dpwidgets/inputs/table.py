"""A table in CSV: its columns by name, and their numbers, read as a person types them.

Nothing is guessed. What stands between two cells is the first of a semicolon,
a tab, a comma and a bar that the row of names has outside quotation marks, or
what a first line such as ``sep=;`` says. What may be read in two ways is
refused with its row: 61,500 as decimals or thousands, 1/31 as a fraction or a
day, and below a name with a comma in it 61,5 as one cell or two.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpwidgets.inputs.domain import DomainError, FloatArray, must_be
from dpwidgets.inputs.notation import several
from dpwidgets.inputs.outside import described, quoted
from dpwidgets.inputs.typed import may_be_days, parse_datum

#: What may stand between two cells; the first that the names have does.
DELIMITERS = ";\t,|"
# No character: what `csv` takes for the delimiter where there is none.
_NONE = "\uffff"
_NAMED = re.compile(rf'"?sep=([{DELIMITERS}])"? *\n', re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')
_TRUTH = {"true": 1.0, "false": 0.0}
# A number whose sign may stand before decimals or set thousands apart.
_TWOFOLD = re.compile(r"[-+−–]?[1-9]\d{0,2}[.,]\d{3}")
# A number, or two cells.
_COMMA = re.compile(r"[-+−–]?\d+,\d+")


def wrong(must: str) -> DomainError:
    """Return the error that a file must be something else than it is.

    Examples
    --------
    >>> print(wrong("be text in UTF-8; row 2 is not"))
    file must be text in UTF-8; row 2 is not
    """
    return DomainError("file", f"file must {must}")


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number."""
    try:
        parse_datum(cell)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Column:
    r"""A column of a CSV file: its name, its cells, and the row of each; names stand in row 1.

    Examples
    --------
    >>> Column("age", ("41", "29"), (2, 3)).numbers
    array([41., 29.])
    """

    name: str
    cells: tuple[str, ...]
    rows: tuple[int, ...]

    @property
    def numbers(self) -> FloatArray:
        """The numbers; 1 and 0 for a column of true and false.

        Raises
        ------
        DomainError
            If a cell is no finite number, or may be two, or stands where the
            column has both decimal signs; the message says the row.
        """
        words = [cell.strip().casefold() for cell in self.cells]
        if all(word in _TRUTH for word in words):
            return np.array([_TRUTH[word] for word in words])
        self._check_signs()
        if may_be_days(self.cells):
            may = f"{quoted(self.cells[0])} may be a day, as all below"
            raise self._refused(0, f"{may}. Write decimals if they are none")
        read = []
        for at, cell in enumerate(self.cells):
            try:
                read.append(parse_datum(cell))
            except ValueError:
                what = "the cell is empty"
                if cell.strip():
                    what = f"{quoted(cell)} is no number"
                raise self._refused(at, what) from None
        return np.array(read)

    @property
    def counted(self) -> Counter[str]:
        """How often each cell stands in it; a DomainError says the row of one that is empty."""
        cells = list(map(str.strip, self.cells))
        if "" in cells:
            raise self._refused(cells.index(""), "the cell is empty")
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

    def _check_signs(self) -> None:
        """Refuse a column with two decimal signs, or with one that may set thousands apart."""
        signed = []
        for at, cell in enumerate(self.cells):
            if "." in cell or "," in cell:
                signed.append(at)
        if not signed:
            return
        first = self.cells[signed[0]]
        for at in signed:
            if ("," in self.cells[at]) != ("," in first):
                other = f"{quoted(first)} above has another decimal sign"
                raise self._refused(at, f"{quoted(self.cells[at])}: {other}")
        if all(_TWOFOLD.fullmatch(self.cells[at].strip()) for at in signed):
            may = f"{quoted(first)} may have decimals, or thousands"
            raise self._refused(signed[0], f"{may}. Write plain numbers")

    def _refused(self, at: int, why: str) -> DomainError:
        where = f"row {self.rows[at]}, column {quoted(self.name)}"
        return DomainError("column", f"{where}: {why}")


def read_columns(text: str) -> dict[str, Column]:
    """Read the columns of a table whose first row holds their names: see `column.read_csv`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip(" \n")
    if named := _NAMED.match(text):
        text = text[named.end() :]
        delimiter = named[1]
    else:
        delimiter = _delimiter(text)
    rows = dict(_rows(text, delimiter))
    if len(rows) < 2:
        raise wrong(
            f"hold a row of names and rows of numbers below; it has {len(rows)} in all"
        )
    header, *body = rows.values()
    if all(map(is_number, header)):
        got = f"got the number {header[0][:20].strip()} there. Write a name above each column"
        raise wrong(f"have names in its first row; {got}")
    for place, row in rows.items():
        if len(row) != len(header):
            has = f"row {place} has {several(len(row), 'cell')} instead of {len(header):,}"
            needs = "a cell with such a sign in it needs quotation marks"
            raise wrong(
                f"hold rows as long as that of the names; {has}: {needs}"
            )
    names = []
    for place, name in enumerate(header, 1):
        names.append(name.strip() or f"column {place}")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise wrong(
            f"have each name once in its first row; got {quoted(name)} again"
        )
    places = tuple(rows)[1:]
    columns: dict[str, Column] = {}
    for name, cells in zip(names, zip(*body, strict=True), strict=True):
        columns[name] = Column(name, cells, places)
    return columns


def _delimiter(text: str) -> str:
    """Return what stands between two cells, by the row of names."""
    header, _, body = text.lstrip(" \n").partition("\n")
    names = _QUOTED.sub("", header)
    found = [sign for sign in DELIMITERS if sign in names]
    if not found:
        return _NONE
    if found[0] == "," and ", " in names and names.count(",") == 1:
        lines = [line.strip() for line in body.split("\n") if line.strip()]
        if lines and all(map(_COMMA.fullmatch, lines)):
            raise wrong(
                f"be read in one way; {quoted(lines[0])} below {quoted(header)} may be one cell "
                "or two. Put what is one cell in quotation marks, or write sep=, above the names"
            )
    return found[0]


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each row with its place, the first is row 1; where one has several cells, no empty one.

    A row of one cell is empty where somebody gave no answer.
    """
    lines = csv.reader(
        io.StringIO(text),
        delimiter=delimiter,
        strict=True,
        skipinitialspace=True,
    )
    width = 0  # of the names, when they have come
    try:
        for place, row in enumerate(lines, 1):
            if "".join(row).strip():
                width = width or len(row)
                yield place, tuple(row)  # which needs less memory than a list
            elif width == 1:
                yield place, ("",)
    except csv.Error as error:
        what = str(error).replace(_NONE, "a new line")
        raise wrong(f"be a table in CSV; it is not: {what}") from None
