"""What learning platforms give and take: the names of files, lists of a class, marks, feedback.

The names of files and the columns are those of Moodle
(mod/assign/locallib.php, gradingtable.php, feedback/offline and
feedback/file), Canvas (lib/content_zipper.rb, lib/gradebook_exporter.rb and
gradebook_importer.rb), and Blackboard (its help on working offline with the
grade center).
"""

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from strangers import NAME

#: What may stand between two cells of a table.
DELIMITERS = ";\t,|"
#: What a spreadsheet takes for the beginning of a formula, where a cell may
#: begin: wherever no letter or digit stands before, for what parts cells is
#: neither.
FORMULA = re.compile(r"(?<![^\W_])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
#: What stands for no mark, and for a student who needs none.
NO_MARK = ("", "-", "N/A")
EXCUSED = "EX"
BY_HAND = "a spreadsheet takes this name for a formula: enter the mark by hand"
#: The time of an attempt in the names of Blackboard's files; it sorts as times
#: do.
ATTEMPT = re.compile(r"_attempt_\d{4}(?:-\d\d){5}")
#: What Moodle calls what a student has typed instead of handing in a file.
ONLINE = "onlinetext"
#: What a spreadsheet makes of an id that is a long number, or any number.
REWRITTEN = re.compile(r"\d[.,]?\d*E[+-]\d+|\d+[.,]0+", re.IGNORECASE)


class Platform(NamedTuple):
    """What tells a platform's tables and files from others.

    Attributes
    ----------
    name : str
        What it is called.
    header : set of str
        Columns that its table has.
    key : str
        The column by which it finds a student again, and `find` what of its
        text counts.
    ids : tuple of str
        The columns that may hold the id that a student writes into a lab.
    kept : set of str
        The columns that go back beside the marks. Others might undo what has
        changed meanwhile.
    mark : str
        The column of a lab's marks, with its title in braces.
    owner : str
        What finds in a file's path each key of whom it may be. A key may hold
        what stands around it, so more than one may be found.
    person : str
        The columns with the name of a student, in braces.
    """

    name: str
    header: set[str]
    key: str
    find: str
    ids: tuple[str, ...]
    kept: set[str]
    mark: str
    owner: str
    person: str


PLATFORMS = (
    Platform(
        "Moodle",
        {"Identifier", "Full name", "Grade", "Last modified (grade)"},
        "Identifier",
        r"\d+$",
        ("ID number", "Username", "Email address"),
        {"Identifier", "Full name", "Maximum Grade", "Last modified (grade)"},
        "Grade",
        # Name_123_assignsubmission_file: the first folder that is called so;
        # or, with _ and its name, a file.
        rf"^(?:.*?/)??[^/_]*_(\d+)_assignsubmission_(?:file|{ONLINE})[_/]",
        "{Full name}",
    ),
    Platform(
        "Canvas",
        {"Student", "ID", "SIS Login ID", "Section"},
        "ID",
        r"^\d+$",
        ("SIS User ID", "SIS Login ID"),
        {
            *("Student", "LastName", "FirstName", "ID", "Section"),
            *("SIS User ID", "SIS Login ID", "Integration ID", "Root Account"),
        },
        r"{}(?: \(\d+\))?",
        # name_LATE_123_456_file: the user's number, and the file's.
        r"_(?=(\d+)_\d+(?:_|$))",
        "{Student}",
    ),
    Platform(
        "Blackboard",
        {"Last Name", "First Name", "Username"},
        "Username",
        ".+",
        ("Username", "Student ID"),
        {"Last Name", "First Name", "Username", "Student ID"},
        r"{}(?: \[Total Pts: [^|]*\] ?\|\w+)?",
        # Assignment_username_attempt_2026-11-25-12-00-00_file.
        rf"_(?=([^/]{{1,100}}?){ATTEMPT.pattern})",
        "{First Name} {Last Name}",
    ),
)


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Return the rows of a table that are not empty, one after another as they are read."""
    lines = io.StringIO(text, newline="")
    table = csv.reader(lines, delimiter=delimiter, strict=True)
    return ([cell.strip() for cell in row] for row in table if any(row))


def _kind(name: str, text: str) -> tuple[str, Platform]:
    """Return by which sign a list is parted, and whose it is: its titles say both.

    Raises
    ------
    ValueError
        If it is no list of a class.
    """
    for delimiter in DELIMITERS:
        with suppress(csv.Error, StopIteration):
            header = {*next(_rows(text, delimiter))}
            for platform in PLATFORMS:
                if platform.header <= header:
                    return delimiter, platform
    known = ", ".join(each.name for each in PLATFORMS)
    raise ValueError(
        f"{name} is no list of a class from {known}, in English and with names: where "
        "they are hidden, reveal identities and download it again"
    )


class Roster:
    """The list of a class, as a platform exports it for marks.

    Parameters
    ----------
    path : Path
        The table: Moodle's grading worksheet, Canvas' exported gradebook, or
        Blackboard's file for working offline, in English.
    title : str
        What the lab is called on the platform.
    column : str
        The column that holds the ids; without one, of those that the platform
        has for them the first in which most have one.

    Attributes
    ----------
    students : dict of str to str
        Under the platform's key of a student the id in the labs.
    people : dict of str to str
        Under the platform's key of a student the full name, and the key.
    left_out : list of (str, str)
        Who of the list is left out, and why.
    platform : Platform
        Whose list it is.
    column, mark : str
        The columns that hold the ids and the lab's marks.
    header, rows : list of str, list of dict
        The table's columns, and under each of them the cell of each row.
    encoding, delimiter : str
        How the file is written.

    Raises
    ------
    ValueError
        If it is no such table, or has no column of this title, or several.
    """

    def __init__(self, path: Path, title: str, column: str = "") -> None:
        raw = path.read_bytes()
        with_mark = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
        self.encoding = "utf-16" if with_mark else "utf-8"
        try:
            text = raw.decode(self.encoding).removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise ValueError(
                f"{path.name} is not written in UTF-8, as a spreadsheet saves “CSV”: save it "
                "as “CSV UTF-8”"
            ) from None
        # So a spreadsheet says what parts cells.
        text = re.sub(r"\Asep=.\s*", "", text)
        self.delimiter, self.platform = _kind(path.name, text)
        self.left_out: list[tuple[str, str]] = []
        self.rows: list[dict[str, str]] = []
        try:
            self.header, *lines = _rows(text, self.delimiter)
        except csv.Error as error:
            raise ValueError(f"{path.name} cannot be read: {error}") from None
        for cells in lines:
            if len(cells) == len(self.header):
                self.rows.append(dict(zip(self.header, cells, strict=True)))
            else:
                why = f"left out: its row has {len(cells)} cells instead of {len(self.header)}"
                self.left_out.append((" ".join(cells)[:60], why))
        self.mark = self._mark(title)
        columns = (column,) if column else self.platform.ids
        there = [name for name in columns if name in self.header]
        if not there:
            raise ValueError(
                f"{path.name} has no column {' or '.join(map(repr, columns))}"
            )
        theirs = [row for row in self.rows if self.key(row)]
        ids = {
            name: Counter(_id_in(row, name) for row in theirs)
            for name in there
        }
        filled = [name for name in there if 2 * len(ids[name]) > len(theirs)]
        self.column = (filled or there)[0]
        keys = Counter(map(self.key, theirs))
        self.students: dict[str, str] = {}
        self.people: dict[str, str] = {}
        for row in theirs:
            key, student = self.key(row), _id_in(row, self.column)
            name = self.platform.person.format_map(row)
            self.people[key] = f"{name} ({key})"
            if not student:
                why = "is no id"
            elif ids[self.column][student] > 1 or keys[key] > 1:
                why = "stands in several rows"
            else:
                self.students[key] = row[self.column]
                continue
            cell = f"{row[self.column][:40]!r} in {self.column!r}"
            self.left_out.append((self.people[key], f"left out: {cell} {why}"))

    def _mark(self, title: str) -> str:
        """Return the column of a lab's marks."""
        pattern = re.compile(
            self.platform.mark.format(re.escape(title)), re.IGNORECASE
        )
        fits = list(filter(pattern.fullmatch, self.header))
        if len(fits) != 1:
            raise ValueError(
                f"the list has {len(fits)} columns for {title!r}; --title says what the lab is "
                f"called in {self.platform.name}"
            )
        return fits[0]

    def key(self, row: Mapping[str, str]) -> str:
        """Return by what the platform finds the student of a row; of other rows, nothing."""
        found = re.search(self.platform.find, row.get(self.platform.key, ""))
        return found[0] if found else ""

    def whose(self, path: str) -> str:
        """Return the id of whoever handed in a file, or nothing if that one is left out.

        Raises
        ------
        ValueError
            If its name says nobody of this class, or more than one.
        """
        found = re.findall(self.platform.owner, path, re.DOTALL)
        owners = [*({*found} & self.people.keys())]
        if len(owners) != 1:
            many = "several" if owners else "nobody"
            raise ValueError(
                f"by its name, {self.platform.name}'s, it is of {many} of this class"
            )
        return self.students.get(owners[0], "")


def _id_in(row: Mapping[str, str], column: str) -> str:
    """Return the id that stands in a row, or nothing if none can; capital letters do not count."""
    text = row[column]
    is_one = NAME.fullmatch(text) and not REWRITTEN.fullmatch(text)
    return text.lower() if is_one else ""


def _safe(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; a dash alone is none."""
    return text if text == "-" else FORMULA.sub("'", text)


def marks(
    roster: Roster, scores: Mapping[str, float], points: float
) -> tuple[bytes, list[tuple[str, str]]]:
    """Return the marks as the platform imports them, and whose are missing or not taken.

    Parameters
    ----------
    roster : Roster
        The class.
    scores : dict of str to float
        The points by id.
    points : float
        How many the lab has.

    Returns
    -------
    table : bytes
        With the columns that the import needs.
    remarks : list of (str, str)
        Of whom there is something to say, and what.
    """
    column = roster.mark
    kept = roster.platform.kept | {column}
    columns = [name for name in roster.header if name in kept]
    numbers = " ".join(
        row.get(name, "")
        for row in roster.rows
        for name in (column, "Maximum Grade")
    )
    point = "," if re.search(r"\d,\d", numbers) else "."
    # Moodle's list alone says it, and where nobody has set it, it is 100.
    most = {_number(row.get("Maximum Grade", "")) for row in roster.rows}
    remarks = [
        (
            roster.platform.name,
            f"its maximum is {other:g} and the lab's {points:g}; set it to that",
        )
        for other in most - {None, points}
    ]
    text = io.StringIO(newline="")
    table = csv.DictWriter(
        text,
        columns,
        extrasaction="ignore",
        delimiter=roster.delimiter,
        quoting=csv.QUOTE_ALL,
    )
    table.writeheader()
    for row in roster.rows:
        key = roster.key(row)
        if FORMULA.search(key):
            remarks.append((roster.people[key], BY_HAND))
            continue
        student = roster.students.get(key, "")
        score = scores.get(student)
        as_it_is = (column, roster.platform.key)
        cells = {
            name: cell if name in as_it_is else _safe(cell)
            for name, cell in row.items()
        }
        if score is not None:
            before = row[column]
            if before != EXCUSED:
                cells[column] = f"{round(score, 2):g}".replace(".", point)
            if why := [*_odd(before, score, row)]:
                remarks.append((student, "; ".join(why)))
        table.writerow(cells)
    for student in sorted(set(scores) - set(roster.students.values())):
        remarks.append((student, "has a mark and is not in the list"))
    return text.getvalue().encode(roster.encoding), remarks


def _number(text: str) -> float | None:
    """Return a number as a platform or a spreadsheet writes it, or None if it is none."""
    if re.fullmatch(r"\d+(?:[.,]\d+)?", text):
        return float(text.replace(",", "."))
    return None


def _odd(before: str, score: float, row: Mapping[str, str]) -> Iterator[str]:
    """Say what stood in the place of a mark, if anything else did, and why Moodle takes none."""
    mark = f"{round(score, 2):g}"
    if before == EXCUSED:
        yield f"is excused and stays so; the mark would be {mark}"
    elif before not in NO_MARK and _number(before) != float(mark):
        yield f"had {before[:20]!r}, now has {mark}"
    if row.get("Grade can be changed", "Yes") == "No":
        yield "Moodle takes no mark: it is locked there"


def feedback(roster: Roster, pages: Mapping[str, Path]) -> bytes:
    """Return an archive of pages, as Moodle takes feedback files for many students at once.

    Parameters
    ----------
    roster : Roster
        The class.
    pages : dict of str to Path
        The page of each student, by id.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files_of:
        for row in roster.rows:
            key = roster.key(row)
            page = pages.get(roster.students.get(key, ""))
            if page:
                # Moodle reads the number; before 4.1 it needed the last
                # underscore too.
                folder = f"Participant_{key}_assignsubmission_file_"
                files_of.writestr(f"{folder}/{page.name}", page.read_bytes())
    return archive.getvalue()
