"""Every number in words is computed, given in a question's prompt, or printed beside the words."""

import re

import nbformat
import pytest

from execute import NOTEBOOKS
from numbers_in_words import ALWAYS, NAMED, numbers, quantities, stands, typed_numbers

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
every = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)

#: Numbers that are as they should be, by notebook, each with its reason.
EXCEPTIONS = {
    "glossary": {"5": "an example of odds, given"},
    "06_choosing_epsilon": {
        "800": "the number of a publication",
        "226": "the number of a publication",
    },
    "08_other_peoples_epsilon": {
        "26": "the number of a recital",
        "29": "the number of an article",
    },
}


def cells(path, kind):
    notebook = nbformat.read(path, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def told(path):
    """Return the numbers in a notebook's code and in what it printed."""
    texts = []
    for cell in cells(path, "code"):
        texts.append(cell.source)
        for output in cell.outputs:
            texts.append(output.get("text", ""))
            data = output.get("data", {})
            texts += [data.get("text/plain", ""), re.sub("<[^>]*>", " ", data.get("text/html", ""))]
    return numbers(" ".join(texts))


def left(found, name):
    """Return what is found without the named exceptions."""
    return [written for written in found if written not in EXCEPTIONS.get(name, {})]


@every
def test_numbers_in_the_words_of_questions_are_computed_or_given(path):
    found = [one for cell in cells(path, "code") for one in typed_numbers(cell.source)]
    assert left(found, path.stem) == []


@every
def test_numbers_in_prose_stand_in_an_output_or_in_code(path):
    among = told(path)
    found = [
        number.written
        for cell in cells(path, "markdown")
        for number in quantities(cell.source)
        if not stands(number, among)
    ]
    assert left(found, path.stem) == []


def test_every_exception_has_a_reason_and_is_used():
    for name, exceptions in EXCEPTIONS.items():
        assert all(exceptions.values())
        text = " ".join(cell.source for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells)
        assert all(written in text for written in exceptions)
    assert all(ALWAYS.values())
    assert all(NAMED.values())


def test_what_is_typed_is_found():
    for source, found in (
        ("Question('Is ε 0.5 or 3?', answer=0.5, solution='It is 0.5.')", []),
        ("Question('?', answer=loss.epsilon(1, 3), solution=f'It is {7.25:.2f}.')", []),
        ("Question('80% of 1,000?', answer=0.8 * 1000, hint='0.8, 1000')", []),
        ("Question('?', answer=0.75)", ["0.75"]),
        ("Question('?', 1, answer=-3, misconceptions={3 / 4: 'x'})", ["-3", "3 / 4", "3 / 4"]),
        ("Question('?', answer=x, misconceptions={y: 'is 31%'}, hint='e^1.5')", ["1.5", "31%"]),
        ("Question('?', answer='up', choices=('up', '31%'), solution='31%, eq. (10)')", []),
        ("Task('?', e, reached=lambda r: r > 3, hint='At 4.7.', solution={'x': 4.7})", ["4.7"]),
        ("%matplotlib inline", []),
    ):
        assert typed_numbers(source) == found


def test_quantities_are_found_in_prose():
    for prose, found in (
        ("In 2014, eq. (10) and Sec. 4.1 of notebook 03: [x](http://a/12.5), `7.5`.", []),
        ("One of 12 pupils missed 5.08 days.", ["12", "5.08"]),
        ("From 1.341 to 1,000, ±20%, 1e-6, e^0.1.", ["1.341", "1,000", "20%", "1e-6", "0.1"]),
        ("3. Half of 100.\n4. Twice 1.", []),
    ):
        assert [number.written for number in quantities(prose)] == found


def test_a_number_stands_beside_one_with_more_digits():
    for written, near, far in (
        ("5.08", ["5.0833"], ["5.09"]),
        ("80%", ["0.8", "80.0%"], []),
        ("0.8", ["80%"], []),
        ("12", ["12.4"], ["11.4"]),
        ("1,000", ["1000.0"], []),
        ("3", [], ["2.6"]),
    ):
        for among in near + far:
            assert stands(*numbers(written), numbers(among)) is (among in near)
