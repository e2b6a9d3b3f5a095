"""CSV files as people and programs write them: read as they are meant, asked about, or refused."""

import re

import pytest

from dpwidgets.inputs.column import LIMIT, read_column, read_csv
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.outside import quoted
from dpwidgets.inputs.table import Column

EUROSTAT = "freq,unit,geo\\TIME_PERIOD\t2023 \t2024 \nA,PC,DE\t12.3 p\t14.5 \nA,PC,FR\t: \t15.1 e\n"


def numbers(text):
    """Return the columns of a file that are numbers."""
    read = {}
    for name, column in read_csv(text.encode()).items():
        try:
            read[name] = column.numbers.tolist()
        except DomainError:
            continue
    return read


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("age\n41\n29\n", {"age": [41, 29]}),
        ("age\r\n41\r\n29", {"age": [41, 29]}),
        ("\n \r\nage\r41\r29", {"age": [41, 29]}),
        ("\ufeffage;kg\n41;61\n", {"age": [41], "kg": [61]}),
        ("age;kg\r41,5;61,2\r29,1;80,7\r", {"age": [41.5, 29.1], "kg": [61.2, 80.7]}),
        ("age\tkg\n41\t61,2\n29\t80\n", {"age": [41, 29], "kg": [61.2, 80]}),
        ("\tx\n1\t2\n", {"column 1": [1], "x": [2]}),
        ("region,2019,2020 \nA,1,2\nB,3,4\n", {"2019": [1, 3], "2020": [2, 4]}),
        ("sep=;\r\nage;kg\r\n41;61\r\n29;80\r\n", {"age": [41, 29], "kg": [61, 80]}),
        ("sep=,\nage,children\n41,5\n", {"age": [41], "children": [5]}),
        ('"SEP=\t"\nage\tkg\n41\t5\n', {"age": [41], "kg": [5]}),
        ('"Alter, J.";"Gewicht, kg"\n41,5;61,2\n', {"Alter, J.": [41.5], "Gewicht, kg": [61.2]}),
        ('id;"Alter, Jahre"\n1;"41,5"\n', {"id": [1], "Alter, Jahre": [41.5]}),
        ('id, "Alter, Jahre"\n1, "41,5"\n', {"id": [1], "Alter, Jahre": [41.5]}),
        ('"age","children"\n41,5\n', {"age": [41], "children": [5]}),
        ("Talla (cm, oblig.);Peso\n170;61\n", {"Talla (cm, oblig.)": [170], "Peso": [61]}),
        ("kg\n61,5\n80\n", {"kg": [61.5, 80]}),
        ("kg\n0,125\n0,500\n", {"kg": [0.125, 0.5]}),
        ("a\n.5\n5.\n−1/4\n", {"a": [0.5, 5, -0.25]}),
        ("smoker\nTRUE\nfalse\n True\n", {"smoker": [1, 0, 1]}),
        ('"Netto; EUR","kg"\n1,2\n', {"Netto; EUR": [1], "kg": [2]}),
        ('"Weight, kg"\n"61,5"\n"80,2"\n', {"Weight, kg": [61.5, 80.2]}),
        ("age,children\n41,5\n29,0\n", {"age": [41, 29], "children": [5, 0]}),
        ("age\n41\n29\n\n  \n", {"age": [41, 29]}),
        ("share\n15/20\n3/4\n", {"share": [0.75, 0.75]}),
        ('age,note\n\n41,"two\nlines"\n ,\n29,"a ""word"""\n,\n', {"age": [41, 29]}),
        (EUROSTAT, {}),
        (EUROSTAT.replace(" p", "").replace(" e", ""), {"2024": [14.5, 15.1]}),
    ],
)  # fmt: skip
def test_a_file_is_read_as_it_is_meant(text, columns):
    assert numbers(text) == columns


def test_what_is_read_says_where_it_stood():
    read = read_csv(b'age,note\n\n41,"two\nlines"\n ,\n29,"a ""word"""\n,\n')
    # Blank lines count, a cell of two lines is one row.
    assert read["note"].rows == (3, 5)
    assert read["note"].cells == ("two\nlines", 'a "word"')
    assert list(read_csv(EUROSTAT.encode())) == [
        "freq,unit,geo\\TIME_PERIOD",
        "2023",
        "2024",
    ]
    for name, message in (
        ("2023", "row 2, .*“12.3 p”"),
        ("2024", "row 3, .*“15.1 e”"),
    ):
        with pytest.raises(DomainError, match=f"{message} is no number"):
            _ = read_csv(EUROSTAT.encode())[name].numbers


@pytest.mark.parametrize(
    "cells", [("61,500", "80,200"), ("1.234",), ("1.000", "2.000", "5")]
)
def test_what_may_be_decimals_or_thousands_is_refused(cells):
    text = "\n".join(["n", *cells]).encode()
    with pytest.raises(DomainError, match=r"row 2, .* decimals, or thousands"):
        _ = read_csv(text)["n"].numbers


@pytest.mark.parametrize(
    "text",
    [
        'age\n41\n""\n29\n', "age\n41\n\n29\n", "age\r\n41\r\n \r\n29\r\n",
        '"age"\n"41"\n""\n', "sep=;\nage\n41\n\n29\n", '\ufeff\nage\n""\n29\n',
        "age;kg\n41;1\n;2\n", "age,kg\n41,1\n29,2\n,3\n",
    ],
)  # fmt: skip
def test_a_person_who_did_not_answer_is_no_row_that_is_missing(text):
    """Else n is another one; also in a file of one column, where such a row is empty."""
    table = read_csv(text.encode())
    empty = next(iter(table.values()))
    place = empty.rows[
        [bool(cell.strip()) for cell in empty.cells].index(False)
    ]
    message = f"row {place}, column “age”: the cell is empty"
    for ask in (lambda: empty.numbers, lambda: empty.coded("41")):
        with pytest.raises(DomainError, match=message):
            ask()
    # Where it stood in the file.
    lines = text.removeprefix("sep=;\n").replace("\r", "").split("\n")
    assert lines[place - 1].strip('" ')[:1] in ("", ",", ";")


@pytest.mark.parametrize(
    "cells",
    [("12/31", "12/30", "11/28"), ("31/12", "1/5"), ("1/31", "2/28", "3/31"), ("1 / 31", " 9/9")],
)  # fmt: skip
def test_what_may_be_a_day_is_no_fraction(cells):
    text = "\n".join(["d;n", *(f"{cell};1" for cell in cells)])
    with pytest.raises(DomainError, match=r"row 2, column “d”: .* be a day"):
        _ = read_csv(text.encode())["d"].numbers
    # Nor in a list that is typed; beside anything else it is one.
    cells = [cell.replace(" ", "") for cell in cells]
    for typed in (", ".join(cells), "\n".join(f"n: {cell}" for cell in cells)):
        with pytest.raises(ValueError, match="may be a day, as all"):
            read_column(typed)
    assert read_column(f"5, {cells[-1]}")[0] == 5
    # Masses are fractions, and no days.
    assert len(read_column(", ".join(cells), masses=True)) == len(cells)


def test_a_number_below_a_name_with_a_comma_may_be_two_cells():
    message = "“61,5” below “Weight, kg” may be one cell or two"
    with pytest.raises(DomainError, match=message):
        read_csv(b"Weight, kg\n61,5\n80,2\n")
    with pytest.raises(
        DomainError, match=r"row 2 has 1 cell .* quotation marks"
    ):
        read_csv(b"Income, USD\n61500\n80200\n")
    assert numbers("sep=,\nWeight, kg\n61,5\n") == {"Weight": [61], "kg": [5]}


@pytest.mark.parametrize(
    "cell",
    ["n/a", "nan", "inf", "1_0", "1 000", "12.5.2020", "2020-01-01", "12:30", "1/2/2020",
     "01/02", "1/0", "0x1", "5-7", "(5)", "1e400", "1" * 400, "<b>", "5 €", "--1", ""],
)  # fmt: skip
def test_a_cell_that_is_no_number_is_named(cell):
    read = read_csv(f"age;x\n41.5;1\n\n{cell};2\nn/a;3\n".encode())
    what = f"{quoted(cell)} is no number" if cell else "the cell is empty"
    with pytest.raises(
        DomainError, match=f"^row 4, column “age”: {re.escape(what)}"
    ):
        _ = read["age"].numbers
    assert read["x"].numbers.tolist() == [1, 2, 3]


def test_a_column_with_two_decimal_signs_is_refused_where_the_other_begins():
    message = (
        "row 4, column “kg”: “61.5”: “41,5” above has another decimal sign"
    )
    with pytest.raises(DomainError, match=message):
        _ = read_csv(b"kg\n41,5\n7\n61.5\n")["kg"].numbers


def test_what_is_no_table_is_refused():
    for data, message in (
        (b"", "hold a row of names and rows of numbers below; it has 0 in all"),
        (b"age,name\n", "hold a row of names and rows of numbers below; it has 1 in all"),
        (b"41;29\n29;30\n", "have names in its first row; got the number 41 there"),
        (b"1,5;2,5\n3;4\n4;4\n", "have names in its first row; got the number 1,5 there"),
        (b"age,age\n1,2,\n", "names; row 2 has 3 cells.* instead of 2"),
        (b"age;age\n1;2\n", "have each name once in its first row; got “age” again"),
        (b"age,name\n1,Ann\n\n2\n", "names; row 4 has 1 cell.* instead of 2"),
        (b"a;b\n1;2\n3;4;5\n", "names; row 3 has 3 cells.* instead of 2"),
        (b"Bericht, 2020\nOrt;2019\nUlm;1\n", "row 2 has 1 cell.* instead of 2"),
        (b"Ort\tn\nUlm\t1\n(c) Amt\n", "row 3 has 1 cell.* instead of 2"),
        (b'age,note\n1,"a\n2,b\n', "be a table in CSV"),
        ("a\nÅsa\n".encode("latin-1"), "be text in UTF-8; row 2 is not"),
        (b'age\n"' + b"x" * 200_000 + b'"\n', "be a table in CSV; it is not: field larger than"),
    ):  # fmt: skip
        with pytest.raises(
            DomainError, match=f"file must .*{message}"
        ) as caught:
            read_csv(data)
        assert caught.value.argument == "file"


def test_an_upload_has_a_limit_and_a_file_has_none(tmp_path):
    data = b"age\n" + b"41\n" * (LIMIT // 3)
    with pytest.raises(
        DomainError, match=r"at most 5 MB. Pass the path of a larger one"
    ):
        read_csv(data)
    path = tmp_path / "large.csv"
    path.write_bytes(data[:304])
    for source in (path, str(path)):
        assert read_csv(source, limit=10)["age"].numbers.size == 100
    with pytest.raises(FileNotFoundError):
        read_csv(tmp_path / "none.csv")


def test_a_code_means_yes_and_all_others_no():
    smoker = Column("smoker", ("1", " 2", "2 ", "-9"), (2, 3, 4, 5))
    assert smoker.counted == {"2": 2, "1": 1, "-9": 1}
    assert smoker.coded("2").numbers.tolist() == [0, 1, 1, 0]
    assert smoker.coded("2").name == "smoker = 2"
    with pytest.raises(
        DomainError, match="yes must be a cell of “smoker”; got '3'"
    ):
        smoker.coded("3")
    for read in (
        lambda column: column.coded("1"),
        lambda column: column.counted,
    ):
        with pytest.raises(
            DomainError, match="row 3, column “smoker”: the cell is empty"
        ):
            read(Column("smoker", ("1", " "), (2, 3)))
