"""A text means one number or none, wherever it is written: in a link, a plan, a list.

What a box does with it: test_interval.py.
"""

import math
from urllib.parse import quote

import pytest

from dpwidgets import ChoiceExplorer
from dpwidgets.decisions.plan import Statistic
from dpwidgets.inputs.column import read_column
from dpwidgets.inputs.typed import parse
from dpwidgets.page import link


def linked(text):
    return link.read(
        ChoiceExplorer, f"#choice?published=sum&low={quote(text)}"
    )["low"]


def planned(text):
    line = f"a: published=sum, low={text}, high=1e9, error=1e7"
    assert Statistic.read(line.replace(", ", ",")) == Statistic.read(line)
    return Statistic.read(line).case.low


def listed(text):
    numbers = read_column(f"{text}; 2; 3")
    assert read_column(f"Ann: {text}; Bob: 2") == {"Ann": numbers[0], "Bob": 2}
    return numbers[0]


ONE = {"text": parse, "link": linked, "plan": planned}
DOORS = ONE | {"list": listed}
READ = {
    "5": 5, "-5": -5, "−5": -5, "–5": -5, " 5 ": 5, "05": 5, "0.1": 0.1, "0,1": 0.1, "-0,5": -0.5,
    ",5": 0.5, ".5": 0.5, "1000,5": 1000.5, "1e-3": 1e-3, "1,5E3": 1500, "10%": 0.1, "5,5 %": 0.055,
}  # fmt: skip
#: What is a calculation where one number is asked for, and may be something
#: else among data.
CALCULATED = {
    "20-29": -9, "20–29": -9, "2020-01": 2019, "5 - 3": 2, "1+1": 2, "2 · 3": 6,
    "(5)": 5, "-(5)": -5,
    "1/2020": 1 / 2020, "2020/12": 2020 / 12, "01/02": 0.5, "1/02": 0.5, "1/2/3": 1 / 6, "0e": 0,
    "1/3": 1 / 3, "3/2": 1.5, "ln 3": math.log(3), "√2": math.sqrt(2), "2 ln 3": 2 * math.log(3),
    "2^-1": 0.5, "e^-0.1": math.exp(-0.1),
}  # fmt: skip
FORMULAS = {
    "0.08": 0.08, "01": 1, "80%": 0.8, "-1": -1, "4^50%": 2, "-2^2": -4, "ln(1,5)": math.log(1.5),
    "1/2 ln 3": math.log(3) / 2, "4ln2": 4 * math.log(2), "2e": 2 * math.e,
    "exp(-2)": math.exp(-2), "1 - e^(-2)": 1 - math.exp(-2),
}  # fmt: skip
#: What is said of those that follow: of each, one of these.
NO_NUMBER = (
    "two ways|is a date|may be a time|is not a number|may mean .+ or"
    "|too large|number is missing"
)
REFUSED = [
    "2020-01-31", "2020–01–31", "2020/1/31", "31/1/2020", "1/31/2020", "31.01.2020", "31-01-20",
    "31.1.20", "12:30", "12:30:15", "2020-01-31 12:30", "2020-01-31T12:30",
    "12:30+01:00", "3:2",
    "1,000", "1,000.5", "1_000", "1 000", "1'000", "1.000.000", "true", "True", "yes", "NA", "n/a",
    "ln 2^3", "√2^3", "2 ln 0,5^-1", "0·8", "8 e-1",
    "nan", "inf", "1e999", "0x1f", "½", "5€", "$5", "5 kg", "5,5,5", "1..2", "Jan 5", "5-Jan", "--",
    "",
]  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_a_number_is_read_the_same_everywhere(door):
    for text, number in READ.items():
        assert DOORS[door](text) == pytest.approx(number, rel=1e-15), text


@pytest.mark.parametrize("door", ONE)
def test_a_calculation_is_one_number(door):
    for text, number in (CALCULATED | FORMULAS).items():
        assert ONE[door](text) == pytest.approx(number, rel=1e-15), text


def test_a_calculation_is_none_of_data_but_of_masses():
    for text, number in CALCULATED.items():
        with pytest.raises(
            ValueError, match="may be a calculation, a range or a date"
        ):
            listed(text)
        masses = read_column(f"{text}; 0.5", masses=True)
        assert masses[0] == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_number_is_refused_everywhere(door):
    for text in REFUSED:
        with pytest.raises(ValueError, match=NO_NUMBER):
            print(text, DOORS[door](text))


def test_a_date_and_a_time_are_named():
    for text, says in {
        "2020-01-01, 2020-02-01": "the 1st entry: “2020-01-01” is a date; a calculation needs",
        "1/2/2020; 3/4/2020; 5": "the 1st entry: “1/2/2020” is a date; a calculation needs",
        "5; 31.01.2020": "the 2nd entry: “31.01.2020” is a date; a calculation needs",
        "12:30, 13:00, 14:00": "the 1st entry: “12:30” may be a time, which is no number",
        "12:30 13:00 14:00": "may be a time, which is no number",
        "Ann: 5, Bob: 12:30": "the 2nd entry: “Bob: 12:30” may be a time, which is no number",
        "2020-01-01 12:30\n2020-01-02 12:30": "may be a time, which is no number",
        "12:30+01:00; 13:30+01:00": "may be a time, which is no number",
    }.items():
        with pytest.raises(ValueError, match=says.replace("+", "[+]")):
            read_column(text)
    # Names, as they are written here.
    assert read_column("12: 30, 13: 5") == {"12": 30, "13": 5}
    assert read_column("P1:3, P2:5, at 10:30: 7") == {
        "P1": 3,
        "P2": 5,
        "at 10:30": 7,
    }
