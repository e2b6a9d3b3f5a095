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
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from strangers import NAME

#: How a cell begins that a spreadsheet takes for a formula.
FORMULA = tuple("=+-@\t\r")
ATTEMPT = re.compile(
    r"(?P<head>.*?)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?P<rest>.*)", re.DOTALL
)


def _moodle(path, known):
    """Name_123_assignsubmission_file, a folder or, with _ and the file's name, a file."""
    found = re.search(
        r"(?:^|/)[^/_]*_(\d+)_assignsubmission_file(?=[_/])", path
    )
    return {found[1]} & set(known) if found else set()


def _canvas(path, known):
    """name_LATE_123_456_file: the user's number, and the file's; a name may hold numbers too."""
    parts = path.rpartition("/")[2].split("_")
    return {
        one
        for one, after in pairwise(parts[1:])
        if one in known and after.isdecimal()
    }


def _blackboard(path, known):
    """Assignment_username_attempt_2026-11-25-12-00-00_file: both may hold underscores."""
    found = ATTEMPT.match(path.rpartition("/")[2])
    return {
        one for one in known if found and found["head"].endswith(f"_{one}")
    }


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
        The columns that may hold the id that a student writes into a lab; the
        first one does.
    kept : set of str
        The columns that go back beside the marks. Others might undo what has
        changed meanwhile.
    mark : str
        The column of a lab's marks, with its title in braces.
    owners : callable
        Takes a file's path and the keys of the class, and returns whose it may
        be.
    """

    name: str
    header: set[str]
    key: str
    find: str
    ids: tuple[str, ...]
    kept: set[str]
    mark: str
    owners: Callable[[str, dict[str, str]], set[str]]


PLATFORMS = (
    Platform(
        "Moodle",
        {"Identifier", "Full name", "Grade", "Last modified (grade)"},
        "Identifier",
        r"\d+$",
        ("ID number", "Username", "Email address"),
        {"Identifier", "Full name", "Maximum Grade", "Last modified (grade)"},
        "Grade",
        _moodle,
    ),
    Platform(
        "Canvas",
        {"ID", "SIS Login ID", "Section"},
        "ID",
        r"^\d+$",
        ("SIS User ID", "SIS Login ID"),
        {
            "Student",
            "LastName",
            "FirstName",
            "ID",
            "SIS User ID",
            "SIS Login ID",
        }
        | {"Integration ID", "Root Account", "Section"},
        r"{}(?: \(\d+\))?",
        _canvas,
    ),
    Platform(
        "Blackboard",
        {"Last Name", "First Name", "Username"},
        "Username",
        ".+",
        ("Username", "Student ID"),
        {"Last Name", "First Name", "Username", "Student ID"},
        r"{}(?: \[Total Pts: [^|]*\] ?\|\w+)?",
        _blackboard,
    ),
)


class Roster:
    """The list of a class, as a platform exports it for marks.

    Parameters
    ----------
    path : Path
        The table: Moodle's grading worksheet, Canvas' exported gradebook, or
        Blackboard's file for working offline, in English.
    column : str
        The column that holds the ids; without one, the first that the platform
        has for them.

    Attributes
    ----------
    students : dict of str to str
        Under the platform's key of a student the id in the labs.
    told : list of (str, str)
        Who of the list is left out, and why.

    Raises
    ------
    ValueError
        If it is no such table, or two students have one id.
    """

    def __init__(self, path, column=""):
        raw = path.read_bytes()
        self.encoding = (
            "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        )
        text = raw.decode(self.encoding).removeprefix("\ufeff")
        self.delimiter = max("\t;,", key=text.partition("\n")[0].count)
        table = csv.reader(
            io.StringIO(text, newline=""), delimiter=self.delimiter
        )
        try:
            self.header, *rows = [
                list(map(str.strip, row)) for row in table if row
            ] or [[]]
        except csv.Error as error:
            raise ValueError(f"{path.name} cannot be read: {error}") from None
        fits = [one for one in PLATFORMS if one.header <= set(self.header)]
        if len(fits) != 1:
            known = ", ".join(one.name for one in PLATFORMS)
            raise ValueError(
                f"{path.name} is no list of a class from {known}, in English"
            )
        (self.platform,) = fits
        self.rows = [dict(zip(self.header, row, strict=False)) for row in rows]
        columns = (column,) if column else self.platform.ids
        self.column = next(
            (one for one in columns if one in self.header), None
        )
        if self.column is None:
            raise ValueError(
                f"{path.name} has no column {' or '.join(map(repr, columns))}"
            )
        self.students, self.told = {}, []
        for row in filter(self.key, self.rows):
            self._add(row)

    def key(self, row):
        """Return by what the platform finds the student of a row; of other rows, nothing."""
        found = re.search(self.platform.find, row.get(self.platform.key, ""))
        return found[0] if found else ""

    def _add(self, row):
        key, student = self.key(row), row.get(self.column, "")
        if not NAME.fullmatch(student):
            self.told.append(
                (key, f"{student[:40]!r} in {self.column!r} is no id")
            )
            return
        same = [
            other
            for other in self.students.values()
            if other.lower() == student.lower()
        ]
        if same or key in self.students:
            raise ValueError(
                f"two rows of the list have {student!r} in {self.column!r}"
            )
        self.students[key] = student

    def whose(self, path):
        """Return the id of whoever handed in a file.

        Raises
        ------
        ValueError
            If its name says nobody of this class, or more than one.
        """
        owners = self.platform.owners(path, self.students)
        if len(owners) != 1:
            many = "several" if owners else "nobody"
            raise ValueError(
                f"by its name, {self.platform.name}'s, it is of {many} of this class"
            )
        return self.students[owners.pop()]


def _title(roster, title):
    """Return the column of a lab's marks."""
    pattern = roster.platform.mark.format(re.escape(title))
    fits = [
        one
        for one in roster.header
        if re.fullmatch(pattern, one, re.IGNORECASE)
    ]
    if len(fits) != 1:
        raise ValueError(
            f"the list has {len(fits)} columns for {title!r}; --title says what the lab is "
            f"called in {roster.platform.name}"
        )
    return fits[0]


def _safe(text):
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) and len(text) > 1 else text


def marks(roster, scores, title):
    """Return the marks as the platform imports them, and whose are missing or not taken.

    Parameters
    ----------
    roster : Roster
        The class.
    scores : dict of str to float
        The points by id.
    title : str
        What the lab is called on the platform.

    Returns
    -------
    (bytes, list of (str, str))
        The table, with the columns that the import needs; and of whom there is
        something to say.
    """
    column, told = _title(roster, title), []
    columns = [
        one
        for one in roster.header
        if one in roster.platform.kept or one == column
    ]
    text = io.StringIO(newline="")
    table = csv.writer(text, delimiter=roster.delimiter, quoting=csv.QUOTE_ALL)
    table.writerow(columns)
    for row in roster.rows:
        key = roster.key(row)
        student = roster.students.get(key)
        score = scores.get(student)
        if key.startswith(FORMULA):
            told.append(
                (
                    key,
                    "a spreadsheet takes this name for a formula: enter the mark by hand",
                )
            )
            continue
        if student and score is None:
            told.append((student, "no mark"))
        if score is not None and (why := _refused(row, score)):
            told.append((student, why))
        exempt = (column, roster.platform.key)
        cells = [
            row.get(one, "") if one in exempt else _safe(row.get(one, ""))
            for one in columns
        ]
        if score is not None:
            cells[columns.index(column)] = f"{round(score, 2):g}"
        table.writerow(cells)
    strangers = sorted(set(scores) - set(roster.students.values()))
    told += [
        (student, "has a mark and is not in the list") for student in strangers
    ]
    return text.getvalue().encode(roster.encoding), roster.told + told


def _refused(row, score):
    """Say why Moodle passes over a mark in silence, if it does."""
    if row.get("Grade can be changed", "Yes") == "No":
        return "Moodle takes no mark: it is locked there"
    most = row.get("Maximum Grade", "")
    if re.fullmatch(r"\d+(\.\d+)?", most) and score > float(most):
        return f"Moodle takes no mark above its maximum, {most}, and this one is {score:g}"
    return ""


def feedback(roster, pages):
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
            page = pages.get(roster.students.get(key))
            if page:
                name = (
                    re.sub(r"[\W_]+", " ", row["Full name"]).strip()
                    or "Participant"
                )
                # Moodle reads the number; before 4.1 it needed the last
                # underscore too.
                inside = f"{name}_{key}_assignsubmission_file_/{page.name}"
                files_of.writestr(inside, page.read_bytes())
    return archive.getvalue()
