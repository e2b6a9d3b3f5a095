"""CSV files as people and programs write them: read as they are meant, asked about, or refused."""

import contextlib
import random
import re

import numpy as np
import pytest

from dpwidgets.inputs.cells import Column, TwofoldError, number
from dpwidgets.inputs.column import LIMIT, read_csv
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.table import read_rows

EUROSTAT = "freq,unit,geo\\TIME_PERIOD\t2023 \t2024 \nA,PC,DE\t12.3 p\t14.5 \nA,PC,FR\t: \t15.1 e\n"


def numbers(text, **choices):
    """Return the columns of a file that are numbers."""
    read = {}
    for name, column in read_csv(text.encode(), **choices).items():
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
        ("Region;2019;2020\nUlm;41,5;1.234,5\n", {"2019": [41.5], "2020": [1234.5]}),
        ("sep=;\r\nage;kg\r\n41;61\r\n29;80\r\n", {"age": [41, 29], "kg": [61, 80]}),
        ("sep=,\nage\n41\n29\n33\n", {"age": [41, 29, 33]}),
        ("sep=,\nage,children\n41,5\n", {"age": [41], "children": [5]}),
        ('"SEP=\t"\nage\tkg\n41\t5\n', {"age": [41], "kg": [5]}),
        ('"age\n(years)";kg\n41;61\n29;80\n', {"age\n(years)": [41, 29], "kg": [61, 80]}),
        ('"Alter, J.";"Gewicht, kg"\n41,5;61,2\n', {"Alter, J.": [41.5], "Gewicht, kg": [61.2]}),
        ('id;"Alter, Jahre"\n1;"41,5"\n', {"id": [1], "Alter, Jahre": [41.5]}),
        ('id, "Alter, Jahre"\n1, "41,5"\n', {"id": [1], "Alter, Jahre": [41.5]}),
        ('"age","children"\n41,5\n', {"age": [41], "children": [5]}),
        ('Cost\t"Each 1,000"\n"10,143.27"\t0.00\n', {"Cost": [10143.27], "Each 1,000": [0]}),
        ("Talla (cm, oblig.);Peso\n170;61\n", {"Talla (cm, oblig.)": [170], "Peso": [61]}),
        ("Kg, netto;Ort\n61,5;Ulm\n80;Ulm\n7;Bonn\n61;Ulm\n", {"Kg, netto": [61.5, 80, 7, 61]}),
        ("kg\n61,5\n80\n", {"kg": [61.5, 80]}),
        ("kg\n0,125\n0,500\n", {"kg": [0.125, 0.5]}),
        ("people\n3.769.495\n126.405\n", {"people": [3769495, 126405]}),
        ("a\n−5\n+10 %\n1e-3\n1’234’567.5\n2\u202f500\n", {"a": [-5, 0.1, 1e-3, 1234567.5, 2500]}),
        ("a\n.5\n5.\n−1/4\n", {"a": [0.5, 5, -0.25]}),
        ("smoker\nTRUE\nfalse\n True\n", {"smoker": [1, 0, 1]}),
        ('age,note\n\n41,"two\nlines"\n ,\n29,"a ""word"""\n,\n', {"age": [41, 29]}),
        (EUROSTAT, {}),
        (EUROSTAT.replace(" p", "").replace(" e", ""), {"2024": [14.5, 15.1]}),
    ],
)  # fmt: skip
def test_a_file_is_read_as_it_is_meant(text, columns):
    assert numbers(text) == columns


def test_of_400_files_with_commas_in_their_names_and_numbers_none_is_read_with_others():
    """In 272 of such files the first reader took other numbers, without a word."""
    rng, whole = random.Random(0), 0
    for _ in range(400):
        header = rng.sample(
            ["Miete, kalt", "ID", "Größe", "Gewicht, kg", "Netto, USD"], 4
        )
        header = header[: rng.randint(1, 4)]
        columns = {
            name: [
                f"{rng.uniform(0, 200):.{rng.choice([0, 1, 1, 2])}f}"
                for _ in range(12)
            ]
            for name in header
        }
        delimiter = rng.choice(";\t")
        rows = zip(*columns.values(), strict=True)
        lines = [
            delimiter.join(header),
            *(delimiter.join(row).replace(".", ",") for row in rows),
        ]
        meant = {
            name: [float(cell) for cell in cells]
            for name, cells in columns.items()
        }
        with contextlib.suppress(TwofoldError):
            assert numbers("\n".join(lines)) == meant
            whole += 1
    assert whole > 200  # the others are asked about


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
    ("text", "answers"),
    [
        ("Alter, Jahre;Gewicht, kg\n41,5;61,2\n29,1;80,7\n", {
            ";": {"Alter, Jahre": [41.5, 29.1], "Gewicht, kg": [61.2, 80.7]},
            ",": {"Alter": [41, 29], "kg": [2, 7]},
        }),
        ("Gewicht, kg\n61,5\n80,2\n70,1\n", {
            "": {"Gewicht, kg": [61.5, 80.2, 70.1]},
            ",": {"Gewicht": [61, 80, 70], "kg": [5, 2, 1]},
        }),
        ("age,children\n41,5\n29,0\n", {
            "": {"age,children": [41.5, 29]},
            ",": {"age": [41, 29], "children": [5, 0]},
        }),
        ("Name, Vorname;Alter\nArp, Ann;41\nOtt, Bo;29\n", {";": {"Alter": [41, 29]}, ",": {}}),
        ("Income, USD\n61500\n80200\n", {"": {"Income, USD": [61500, 80200]}, ",": None}),
        ("a,b\n1,2\n3\n", {"": {"a,b": [1.2, 3]}, ",": None}),
    ],
)  # fmt: skip
def test_where_two_delimiters_may_be_meant_nothing_is_guessed(text, answers):
    with pytest.raises(TwofoldError) as caught:
        read_csv(text.encode())
    assert caught.value.argument == "delimiter"
    assert caught.value.readings.keys() == answers.keys()
    for delimiter, columns in answers.items():
        assert f"delimiter={delimiter!r}" in str(caught.value)
        shown = caught.value.readings[delimiter]
        if columns is None:
            assert isinstance(shown, str)
            with pytest.raises(DomainError, match=re.escape(shown)):
                read_csv(text.encode(), delimiter=delimiter)
        else:
            assert numbers(text, delimiter=delimiter) == columns
            assert list(shown) == list(read_rows(text, delimiter).values())[:4]


@pytest.mark.parametrize(
    ("cells", "with_a_point", "with_a_comma"),
    [
        (("61,500", "80,200"), [61500, 80200], [61.5, 80.2]),
        (("1.234",), [1.234], [1234]),
        # Twice a comma: it sets thousands apart.
        (("5", "1,234,567", "-12,500"), None, None),
        (("12.500%", "7"), [0.125, 7], [125, 7]),
        (("1.000", "2.000"), [1, 2], [1000, 2000]),
    ],
)  # fmt: skip
def test_where_two_decimal_signs_may_be_meant_nothing_is_guessed(
    cells, with_a_point, with_a_comma
):
    text = "\n".join(["n", *cells]).encode()
    if with_a_point is None:
        assert read_csv(text)["n"].numbers.tolist() == [5, 1234567, -12500]
        return
    with pytest.raises(
        TwofoldError, match=r"row 2, column “n”: .* may mean"
    ) as caught:
        _ = read_csv(text)["n"].numbers
    for decimal, meant in ((".", with_a_point), (",", with_a_comma)):
        assert read_csv(text, decimal=decimal)["n"].numbers.tolist() == meant
        written = [
            [cell, f"{one:.15g}"]
            for cell, one in zip(cells, meant, strict=True)
        ]
        assert list(map(list, caught.value.readings[decimal]))[1:] == written
        assert f"{meant[0]:.15g} (decimal={decimal!r})" in str(caught.value)


@pytest.mark.parametrize(
    "cell",
    ["n/a", "nan", "inf", "1_0", "1 000", "1,00", "12.5.2020", "2020-01-01", "12:30", "1/2/2020",
     "01/02", "1/0", "0x1", "5-7", "(5)", "1e400", "<b>", "5 €", "--1", ""],
)  # fmt: skip
def test_a_cell_that_is_no_number_is_named(cell):
    read = read_csv(f"age;x\n41.5;1\n\n{cell};2\nn/a;3\n".encode())
    what = f"“{cell}” is no number" if cell else "the cell is empty"
    with pytest.raises(
        DomainError, match=f"^row 4, column “age”: {re.escape(what)}"
    ):
        _ = read["age"].numbers
    assert read["x"].numbers.tolist() == [1, 2, 3]


def test_a_column_with_two_decimal_signs_is_refused_where_the_other_begins():
    message = "row 4, column “kg”: “61.5” is no number where “,” stands before the decimals"
    with pytest.raises(DomainError, match=message):
        _ = read_csv(b"kg\n41,5\n7\n61.5\n")["kg"].numbers
    assert np.isnan(number("61.5", ","))


def test_what_is_no_table_is_refused():
    for data, message in (
        (b"", "hold a row of names and rows of numbers below; it has 0 in all"),
        (b"age,name\n", "hold a row of names and rows of numbers below; it has 1 in all"),
        (b"41;29\n29;30\n", "have names in its first row; got the number 41 there"),
        (b"1,5;2,5\n3;4\n4;4\n", "have names in its first row; got the number 1,5 there"),
        (b"age,age\n1,2,\n", "nothing else; row 2 has 3 cells between commas instead of 2"),
        (b"age;age\n1;2\n", "have each name once in its first row; got “age” again"),
        (b"age,name\n1,Ann\n\n2\n", "nothing else; row 4 has 1 cell between commas instead of 2"),
        (b"a;b\n1;2\n3;4;5\n", "nothing else; row 3 has 3 cells between semicolons instead of 2"),
        (b"Bericht, 2020\nOrt;2019\nUlm;1\n", "row 2 has 2 cells between semicolons instead of 1"),
        (b"Ort\tn\nUlm\t1\n(c) Amt\n", "row 3 has 1 cell between tabs instead of 2"),
        (b'age;note\n1;5" disk\n', "row 2 has a quotation mark inside a cell, or one that is not"),
        (b'age,note\n1,"a\n2,b\n', "row 2 has a quotation mark inside a cell, or one that is not"),
        ("a\nÅsa\n".encode("latin-1"), "be text in UTF-8; row 2 is not"),
        (b'age\n"' + b"x" * 200_000 + b'"\n', "be a table in CSV; it is not: field larger than"),
    ):  # fmt: skip
        with pytest.raises(
            DomainError, match=f"file must .*{message}"
        ) as caught:
            read_csv(data)
        assert caught.value.argument == "file"
    for choice in ({"delimiter": ":"}, {"decimal": "·"}, {"delimiter": 1}):
        with pytest.raises(
            DomainError, match=f"{next(iter(choice))} must be one of"
        ):
            read_csv(b"a\n1\n", **choice)


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
