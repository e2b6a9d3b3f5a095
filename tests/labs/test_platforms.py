"""Files as Moodle, Canvas and Blackboard name them, and marks as each of them imports them."""

import csv
import io
import re
import tracemalloc
import warnings
import zipfile
from typing import NamedTuple

import nbformat
import platforms
import pytest
import uploads
from hypothesis import given, strategies as st
from platforms import Roster
from strangers import LARGEST

MOODLE = (
    '"Identifier","Full name","Email address","Status","Grade","Maximum Grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"\n'
    '"Participant 101","Ada Lovelace","ada@x.org","Submitted","","24.00","Yes","-","-",""\n'
    '"Participant 102","=HYPERLINK(1)","s2@x.org","Submitted","","24.00","Yes","-","-","old"\n'
    '"Participant 103","Émile _Zola","s3@x.org","No submission","7.00","24.00","No","-","-",""\n'
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,lab1 (77),Other (78),Final Score\n"
    ",,,,,Manual Posting,,\n"
    "    Points Possible,,,,,24.00,5.00,(read only)\n"
    '"Lovelace, Ada",101,ada,ada.l,Section 1,EX,1,40\n'
    '"=""=cmd, Eve""",102,s2,+s2,Section 1,,2,50\n'
    '"Zola, Émile",103,s3,s3,@1,7,3,60\n'
    '"Student, Test",104,,x7,Section 1,,,\n'
)
#: As its help says: tab-delimited, named .xls, in UTF-16.
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\t'
    '"lab1 [Total Pts: 24 Score] |9001"\t"Other [Total Pts: 5 Score] |9002"\n'
    '"Lovelace"\t"Ada"\t"ada"\t"1"\t"x"\t"Yes"\t""\t"1"\n'
    '"-2+3"\t"@Eve"\t"s2"\t"2"\t"x"\t"Yes"\t""\t"2"\n'
    '"Zola"\t"Émile"\t"s3"\t"3"\t"x"\t"Yes"\t"7"\t"3"\n'
    '"Mallory"\t"M"\t"@SUM(1)"\t"4"\t"x"\t"Yes"\t""\t"3"\n'
    '"Other"\t"O"\t"x_s2"\t"5"\t"x"\t"Yes"\t""\t"3"\n'
)
TABLES = {
    "Moodle": ("grades.csv", b"\xef\xbb\xbf" + MOODLE.encode()),
    "Canvas": ("grades.csv", CANVAS.encode()),
    "Blackboard": ("gc_fullgc.xls", BLACKBOARD.encode("utf-16")),
}
WRITTEN = {"Moodle": ",", "Canvas": ",", "Blackboard": "\t"}
IDS = {
    "Moodle": ["ada@x.org", "s2@x.org", "s3@x.org"],
    "Canvas": ["ada", "s2", "s3"],
    "Blackboard": ["ada", "s2", "s3"],
}
NAMES = {
    "Moodle": [
        "Ada Lovelace_101_assignsubmission_file/lab1.ipynb",  # since 4.1
        # Before.
        "Group A-HYPERLINK_102_assignsubmission_file_/lab1 (1).ipynb",
        "Émile  Zola_103_assignsubmission_file_lab1.ipynb",  # not in folders
    ],
    "Canvas": [
        "lovelaceada_101_555_lab1.ipynb",
        "cmdeve_LATE_102_556_lab1-2.ipynb",
        "zola_7émile_103_557_my_lab_1.ipynb",
    ],
    "Blackboard": [
        "lab_1_ada_attempt_2026-11-25-12-00-00_lab1.ipynb",
        "lab_1_s2_attempt_2026-11-25-12-00-00_my_lab.ipynb",
        "lab_1_s3_attempt_2026-11-25-12-00-00_lab1.ipynb",
    ],
}
each = pytest.mark.parametrize("name", TABLES)


def roster(name, folder, change=lambda raw: raw, title="LAB1"):
    file, raw = TABLES[name]
    path = folder / file
    path.write_bytes(change(raw))
    return Roster(path, title)


def packed(folder, files):
    path = folder / "files.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def collected(source, of):
    """Return what is collected, and of each file that is not, by its name, the reason."""
    found, told = {}, {}
    for student, path, files in uploads.collect(source, of, "lab1"):
        if "lab1.ipynb" in files:
            found[student] = files["lab1.ipynb"]
        for why in files.get(uploads.REASONS, b"").decode().splitlines():
            name, reason = re.match(
                "not collected(?:, (.*?))?: (.*)", why
            ).groups()
            told[name or student or last(path)] = reason
    return found, told


def last(path):
    return path.rpartition("/")[2]


# ---- what students uploaded


def notebook(source=""):
    cell = nbformat.v4.new_code_cell(source, id="own")
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode()


NOTEBOOK, OTHER = notebook(), notebook("x = 1")
MINE, HIS = "Ada_101_assignsubmission_file_", "Eve_102_assignsubmission_file_"
LAB = f"{MINE}/lab1.ipynb"
AT = "_attempt_2026-11-2"
NOBODY, NO_LAB = "nobody of this class", "no notebook"
TYPED = "Eve_102_assignsubmission_onlinetext_/onlinetext.html"


class Upload(NamedTuple):
    """Files that a platform gives, whose lab is collected, and why the others are not."""

    name: str
    files: dict
    found: dict
    told: dict


ADAS, EVES = {"ada@x.org": NOTEBOOK}, {"s2@x.org": NOTEBOOK}
#: What a system puts beside a lab, and where; and what a browser calls a lab.
SYSTEMS = (
    *("__MACOSX/{0}/._lab1.ipynb", "{0}/._lab1.ipynb", "{0}/.DS_Store"),
    "{0}/.ipynb_checkpoints/lab1-checkpoint.ipynb",
)
ENDINGS = (".ipynb", ".ipynb.json", ".ipynb.txt", ".json", ".txt", "")
UPLOADS = {
    **{
        path: Upload(
            "Moodle", {LAB: NOTEBOOK, path.format(MINE): b""}, ADAS, {}
        )
        for path in SYSTEMS
    },
    **{
        f"as {name} names them": Upload(
            name,
            {path: notebook(path) for path in paths},
            dict(zip(IDS[name], map(notebook, paths), strict=True)),
            {},
        )
        for name, paths in NAMES.items()
    },
    **{
        f"called lab1{ending}": Upload(
            "Moodle",
            {
                f"{MINE}/lab1{ending}": NOTEBOOK,
                f"{MINE}/essay.pdf": b"%PDF",
                f"{MINE}/data.json": b'{"a": 1}',
            },
            ADAS,
            {f"{MINE}/essay.pdf": NO_LAB, f"{MINE}/data.json": NO_LAB},
        )
        for ending in ENDINGS
    },
    **{
        f"of nobody on {name}": Upload(
            name, dict.fromkeys(odd, NOTEBOOK), {}, dict.fromkeys(odd, NOBODY)
        )
        for name in TABLES
        for odd in [
            (
                "lab1.ipynb",
                "X_999_assignsubmission_file_/lab1.ipynb",
                "someone_999_5_lab1.ipynb",
                f"lab_1_zed{AT}5-12-00-00_lab1.ipynb",
                "anon_ab1_5_lab1.ipynb",
            )
        ]
    },
    "a student who calls himself another's number": Upload(
        "Canvas",
        {"eve_101_102_5_lab1.ipynb": NOTEBOOK},
        {},
        {"eve_101_102_5_lab1.ipynb": "several"},
    ),
    "a username that ends like another's": Upload(
        "Blackboard",
        {f"lab_x_s2{AT}5-12-00-00_lab1.ipynb": NOTEBOOK},
        {},
        {f"lab_x_s2{AT}5-12-00-00_lab1.ipynb": "several"},
    ),
    "a text and a file, a text alone": Upload(
        "Moodle",
        {LAB: NOTEBOOK, TYPED.replace("Eve_102", "Ada_101"): b"", TYPED: b""},
        ADAS,
        {"s2@x.org": "there is a text, and no file"},
    ),
    "one notebook twice": Upload(
        "Moodle",
        {LAB: NOTEBOOK, f"{MINE}/copy.ipynb": NOTEBOOK + b" "},
        ADAS,
        {},
    ),
    "a folder called like another's": Upload(
        "Moodle", {f"{HIS}/{LAB}": NOTEBOOK}, EVES, {}
    ),
    "the newest attempt, and of two files neither": Upload(
        "Blackboard",
        {
            f"lab_ada{AT}5-12-00-00_lab1.ipynb": b"old",
            f"lab_ada{AT}6-08-00-00_lab1.ipynb": NOTEBOOK,
            f"lab_ada{AT}6-08-00-00.txt": b"a receipt",
            f"lab_s2{AT}5-12-00-00_a.ipynb": NOTEBOOK,
            f"lab_s2{AT}5-12-00-00_b.ipynb": OTHER,
        },
        {"ada": NOTEBOOK},
        {
            "s2": "of these notebooks leave one: "
            f"lab_s2{AT}5-12-00-00_a.ipynb, lab_s2{AT}5-12-00-00_b.ipynb"
        },
    ),
    "one file in capitals too": Upload(
        "Canvas",
        {"a_101_5_l.ipynb": NOTEBOOK, "A_101_5_L.IPYNB": OTHER},
        {},
        {"ada": "leave one: a_101_5_l.ipynb, A_101_5_L.IPYNB"},
    ),
    "more files than are read of one": Upload(
        "Moodle",
        {f"{MINE}/{at}.pdf": b"%PDF" for at in range(10)} | {LAB: NOTEBOOK},
        {},
        {f"{MINE}/{at}.pdf": NO_LAB for at in range(10)}
        | {"ada@x.org": "too many files, 10 are read"},
    ),
    # A path says whose a file is, and nothing is written there.
    "a path that leads out": Upload(
        "Canvas", {"../../a_101_5_lab1.ipynb": NOTEBOOK}, {"ada": NOTEBOOK}, {}
    ),
    "a size beyond the bound": Upload(
        "Canvas",
        {"a_101_5_lab1.ipynb": b"\0" * (LARGEST + 1)},
        {},
        {"a_101_5_lab1.ipynb": "bytes"},
    ),
}


@pytest.mark.parametrize("upload", UPLOADS)
def test_whose_a_file_is_and_which_is_a_lab(upload, tmp_path):
    name, files, expected, why = UPLOADS[upload]
    found, told = collected(packed(tmp_path, files), roster(name, tmp_path))
    assert found == expected
    assert set(told) == set(map(last, why))
    assert all(says in told[last(path)] for path, says in why.items())


DIRECTORY, BEFORE = b"PK\1\2", b"PK\3\4"


def overwrite(path, header, at, text):
    """Write over a part of an archive's last entry: in the directory, or before the file itself."""
    raw = bytearray(path.read_bytes())
    at += raw.rindex(header)
    raw[at : at + len(text)] = text
    path.write_bytes(raw)


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_a_size_that_an_archive_says_wrongly_is_not_believed(packed, tmp_path):
    """Its directory says 10 bytes; it would unpack to 100 MB."""
    path = tmp_path / "files.zip"
    with zipfile.ZipFile(path, "w", packed) as archive:
        archive.writestr(NAMES["Canvas"][0], b"\0" * (5 * LARGEST))
    overwrite(path, DIRECTORY, 24, (10).to_bytes(4, "little"))
    tracemalloc.start()
    found, told = collected(path, roster("Canvas", tmp_path))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == {}
    assert told
    assert most < 3 * LARGEST


#: What is written over one entry, and where.
HEADERS = {
    "a size of exabytes": (DIRECTORY, 24, b"\xff" * 4),
    "another file's place": (DIRECTORY, 42, bytes(4)),
    "a place behind the end": (DIRECTORY, 42, b"\xff\xff\xff\x7f"),
    "a place in the middle": (DIRECTORY, 42, b"\7\0\0\0"),
    "an unknown packing": (DIRECTORY, 10, b"\x63\0"),
    "LZMA": (DIRECTORY, 10, b"\x0e\0"),
    "not packed": (DIRECTORY, 10, b"\0\0"),
    "a patch": (DIRECTORY, 8, b"\x20\0"),
    "strongly encrypted": (DIRECTORY, 8, b"\x41\0"),
    "another check sum": (DIRECTORY, 16, b"abcd"),
    "a name that ends early": (DIRECTORY, 52, b"\0"),
    "another name before the file": (BEFORE, 30, b"X"),
    "a long name before the file": (BEFORE, 26, b"\xff\xff"),
    "no file there": (BEFORE, 0, b"XX"),
    "encrypted": (DIRECTORY, 8, b"\1\0"),
    "damaged": (BEFORE, 32 + len(NAMES["Canvas"][0]), b"\xff\xff"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_an_entry_that_lies_costs_only_its_own_student(name, tmp_path):
    ada, eve, zola = NAMES["Canvas"]
    # The first one's place is 0.
    path = packed(tmp_path, dict.fromkeys((eve, zola, ada), NOTEBOOK))
    overwrite(path, *HEADERS[name])
    found, told = collected(path, roster("Canvas", tmp_path))
    assert found == dict.fromkeys(("s2", "s3"), NOTEBOOK)
    assert len(told) == 1
    assert ada.startswith(*told)


@pytest.mark.parametrize(
    "lie",
    [(6, b"\xff"), (8, b"\0\x08" + bytes(36) + b"\xff"), (0, b"no entry")],
    ids=["too new by its own word", "a name that is no UTF-8", "no entry"],
)
def test_an_archive_that_python_does_not_open_is_no_archive(lie, tmp_path):
    path = packed(tmp_path, {NAMES["Canvas"][0]: b"{}"})
    overwrite(path, DIRECTORY, *lie)
    with pytest.raises(ValueError, match="is no archive"):
        collected(path, roster("Canvas", tmp_path))


def test_two_entries_of_one_name_give_neither(tmp_path):
    ada = NAMES["Canvas"][0]
    path = packed(tmp_path, {ada: NOTEBOOK})
    with (
        zipfile.ZipFile(path, "a") as archive,
        warnings.catch_warnings(action="ignore"),
    ):
        archive.writestr(ada, OTHER)
    found, told = collected(path, roster("Canvas", tmp_path))
    assert found == {}
    assert f"leave one: {ada}, {ada}" in told["ada"]


# ---- the list, and what goes back


def table(raw, encoding, delimiter):
    return list(
        csv.reader(
            io.StringIO(raw.decode(encoding), newline=""), delimiter=delimiter
        )
    )


LAST = "lab1 [Total Pts: 24 Score] |9001"
#: On each platform points, the table that goes back, and what is told.
MARKS = {
    "Moodle": (
        {"ada@x.org": 23.456, "s3@x.org": 11},
        """Identifier|Full name|Grade|Maximum Grade|Last modified (grade)
Participant 101|Ada Lovelace|23.46|24.00|-
Participant 102|'=HYPERLINK(1)||24.00|-
Participant 103|Émile _Zola|11|24.00|-""",
        {
            "s3@x.org": "had '7.00', now has 11; Moodle takes no mark: it is locked there"
        },
    ),
    "Canvas": (
        {"ada": 24, "s2": 3, "s3": 12, "s9": 3},
        """Student|ID|SIS User ID|SIS Login ID|Section|lab1 (77)
|||||Manual Posting
Points Possible|||||24.00
Lovelace, Ada|101|ada|ada.l|Section 1|EX
'="'=cmd, Eve"|102|s2|'+s2|Section 1|3
Zola, Émile|103|s3|s3|'@1|12
Student, Test|104||x7|Section 1|""",
        {
            "ada": "is excused and stays so; the mark would be 24",
            "s3": "had '7', now has 12",
            "s9": "has a mark and is not in the list",
        },
    ),
    "Blackboard": (
        {"ada": 0, "s2": 5.5, "s3": 7.0},
        f"""Last Name/First Name/Username/Student ID/{LAST}
Lovelace/Ada/ada/1/0
'-2+3/'@Eve/s2/2/5.5
Zola/Émile/s3/3/7
Other/O/x_s2/5/""",
        # It is not written, for no import would find what is changed.
        {"M Mallory (@SUM(1))": platforms.BY_HAND},
    ),
}


@each
def test_a_platform_gets_its_students_and_the_columns_that_its_import_reads(
    name, tmp_path
):
    scores, lines, expected = MARKS[name]
    raw, told = platforms.marks(roster(name, tmp_path), scores, 24)
    by = "/" if name == "Blackboard" else "|"
    encoding = "utf-16" if name == "Blackboard" else "utf-8"
    rows = [line.split(by) for line in lines.splitlines()]
    assert table(raw, encoding, WRITTEN[name]) == rows
    assert dict(told) == expected


@given(st.lists(st.text("=+-@\uff1d\"';,|\t\n\r a1", max_size=12), max_size=3))
def test_no_name_is_a_formula_wherever_a_spreadsheet_parts_cells(names):
    """In many countries it parts them at `;`, and takes the quotation marks for text."""
    text = io.StringIO(newline="")
    row = [platforms._safe(name) for name in names]
    csv.writer(text, quoting=csv.QUOTE_ALL).writerow(["x", *row])
    for one, name in zip(row, names, strict=True):
        assert one.replace("'", "") == name.replace("'", "")
    for delimiter in ",;\t|":
        for cells in table(text.getvalue().encode(), "utf-8", delimiter):
            for cell in cells:
                begins = cell.strip().strip('"').strip()
                assert begins in ("", "-") or begins[0] not in "=+-@\uff1d"


def test_a_list_is_known_by_its_titles_whatever_signs_stand_in_them(tmp_path):
    commas = "Quiz 1, chapters 1, 2, 3 and 4 [Total Pts: 10 Score] |1"
    for name, delimiter in WRITTEN.items():
        file, raw = TABLES[name]
        encoding = "utf-16" if name == "Blackboard" else "utf-8-sig"
        rows = table(raw, encoding, delimiter)
        for at, row in enumerate(rows):
            row += [
                f"{commas}{place}" if at == 0 else "" for place in range(6)
            ]
        for by in ",;\t|":
            text = io.StringIO(newline="")
            csv.writer(text, delimiter=by).writerows(rows)
            (tmp_path / file).write_bytes(text.getvalue().encode())
            of = Roster(tmp_path / file, "lab1")
            assert (of.platform.name, of.delimiter) == (name, by)
            assert [*of.students.values()][:3] == IDS[name]


@pytest.mark.parametrize("cells", ["Ada, L", None])
def test_a_row_of_another_length_is_named_and_left_out(cells, tmp_path):
    name = b'"Ada Lovelace",'
    changed = b"" if cells is None else f"{cells},".encode()
    of = roster("Moodle", tmp_path, lambda raw: raw.replace(name, changed))
    assert [*of.students.values()] == ["s2@x.org", "s3@x.org"]
    ((who, why),) = of.left_out
    assert who.startswith("Participant 101")
    assert (
        why
        == f"left out: its row has {9 if cells is None else 11} cells instead of 10"
    )
    assert b"101" not in platforms.marks(of, {"s3@x.org": 3}, 24)[0]


@each
def test_a_list_that_is_none_is_refused_with_its_name(name, tmp_path):
    for text, says in (
        (b"a,b\n1,2\n", "no list of a class"),
        (b"", "no list of a class"),
        (MOODLE.replace('"Full name",', "").encode(), "reveal identities"),
        (b"Full name\nZo\xeb \xdcnal\n", "save it as “CSV UTF-8”"),
        (b"\xff\xfea", "save it as “CSV UTF-8”"),
    ):
        with pytest.raises(ValueError, match=rf"^\w+\.\w+ .*{says}"):
            roster(name, tmp_path, lambda raw, text=text: text)
    roster(name, tmp_path)
    with pytest.raises(ValueError, match="no column 'Ident'"):
        Roster(tmp_path / TABLES[name][0], "lab1", "Ident")


@each
def test_two_with_one_id_cost_their_own_rows(name, tmp_path):
    """In Moodle whoever likes writes another's into their profile."""
    first, second, _ = IDS[name]
    encoding = "utf-16-le" if name == "Blackboard" else "utf-8"
    old, new = (one.encode(encoding) for one in (second, first.upper()))
    of = roster(name, tmp_path, lambda raw: raw.replace(old, new))
    assert IDS[name][2] in of.students.values()
    assert not {first, second} & {*of.students.values()}
    why = [said for who, said in of.left_out if "Ada" in who or "Eve" in who]
    assert len(why) == {"Moodle": 1}.get(name, 2)  # one has no name there
    assert all("stands in several rows" in said for said in why)
    files = {NAMES[name][0]: NOTEBOOK}
    if name != "Blackboard":  # its key is the id
        assert collected(packed(tmp_path, files), of) == ({}, {})


def moodle(tmp_path, *ids, most="24", by=",", first=""):
    """Return a class with these ids, and what a spreadsheet has made of the list."""
    columns = "Identifier|Full name|ID number|Username|Grade|Maximum Grade|Last modified (grade)"
    rows = [
        f"Participant {at}|Name {at}|{one}|user{at}||{most}|-"
        for at, one in enumerate(ids)
    ]
    text = io.StringIO(newline="")
    table = (row.split("|") for row in (columns, *rows))
    csv.writer(text, delimiter=by).writerows(table)
    (tmp_path / "class.csv").write_text(first + text.getvalue())
    return Roster(tmp_path / "class.csv", "lab1")


def test_the_column_of_the_ids_is_one_in_which_most_have_one(tmp_path):
    """What a spreadsheet has made of a number is none."""
    for ids, column, left_out in (
        (("", "", ""), "Username", []),
        (("7", "7", "7"), "Username", []),
        (("9.01E+15", "12345.0", "8,9e+14"), "Username", []),
        (("s1", "", "s3"), "ID number", ["Name 1 (1)"]),
        (("s1", "12345.0", "s3"), "ID number", ["Name 1 (1)"]),
        (("1e5", "12E4567", "1.2.3"), "ID number", []),
    ):
        of = moodle(tmp_path, *ids)
        assert (of.column, [who for who, _ in of.left_out]) == (
            column,
            left_out,
        )


def test_marks_go_back_with_the_comma_of_the_list(tmp_path):
    for most, mark in (("24.00", "20.5"), ("24,00", "20,5"), ("24", "20.5")):
        for first in ("", "sep=;\n"):
            of = moodle(tmp_path, "s1", "s2", most=most, by=";", first=first)
            raw, told = platforms.marks(of, {"s1": 20.5}, 24)
            assert f'"{mark}"' in raw.decode()
            assert told == []
            ((who, says),) = platforms.marks(of, {}, 26.5)[1]
            assert who == "Moodle"
            assert says.startswith("its maximum is 24 and the lab's 26.5; ")


@pytest.mark.parametrize("name", ["Canvas", "Blackboard"])
def test_a_title_that_the_platform_has_not_or_twice_is_refused(name, tmp_path):
    for title in ("lab2", "lab", ".*"):
        with pytest.raises(ValueError, match=r"0 columns .* --title"):
            roster(name, tmp_path, title=title)
