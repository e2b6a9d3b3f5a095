"""Every number in words is computed, given in a question's prompt, or printed beside the words."""

import re

from execute import EVERY
from here import code_cells, prose
from numbers_in_words import numbers, quantities, stands, typed_numbers

#: Numbers that are as they should be, by notebook, each with its reason.
EXCEPTIONS = {
    "glossary": {
        "5": "an example of odds, given",
        "11": "the number of a notebook",
    },
    "01_attack_first": dict.fromkeys(
        ("150", "34", "180", "97", "52.6%", "2010", "2020"),
        "of the census, each with its source, and in the titles of these",
    ),
    "07_choosing_epsilon": dict.fromkeys(
        ("800", "226"), "the number of a publication"
    ),
    "08_a_plan": {
        **dict.fromkeys(
            (
                "200 * (4 * 2 + 2 * 9) / (60 + 2 * 25 + 3 * 9 + 5 * 4 + 12 * 2)",
                "200 * (5 * 4 + 12 * 2) / 181",
                "200 * 26 / 100",
                "200 * 6 / 100",
                "26",
                "50",
                "60",
            ),
            "from the groups of patients above the question",
        ),
        **dict.fromkeys(
            (
                "6 / 12 / (30 / 9000 / 0.1)",
                "3 / 12 / (30 / 9000 / 0.1)",
                "12 / 0.1",
            ),
            "from the lines of the plan above the question",
        ),
        **dict.fromkeys(("6 / (30 / 9000)", "9,000"), "from the same lines"),
    },
    "11_a_hearing": {"2,000": "the patients of a hospital in a story"},
    "09_other_peoples_epsilon": {"29": "the name of a working party"},
}


def told(path):
    """Return the numbers in a notebook's code and in what it printed."""
    texts = []
    for cell in code_cells(path):
        texts.append(cell.source)
        for output in cell.outputs:
            texts.append(output.get("text", ""))
            data = output.get("data", {})
            texts += [
                data.get("text/plain", ""),
                re.sub("<[^>]*>", " ", data.get("text/html", "")),
            ]
    return numbers(" ".join(texts))


def test_numbers_in_words_are_computed_or_given_and_in_prose_stand_in_an_output_or_in_code():
    used = set()
    for path in EVERY:
        among = told(path)
        found = [
            one
            for cell in code_cells(path)
            for one in typed_numbers(cell.source)
        ]
        found += [
            one.written
            for one in quantities(prose(path))
            if not stands(one, among)
        ]
        allowed = EXCEPTIONS.get(path.stem, {})
        assert [one for one in found if one not in allowed] == [], path.stem
        used |= {(path.stem, one) for one in found}
    assert used == {
        (name, one) for name, ones in EXCEPTIONS.items() for one in ones
    }


def test_what_is_typed_and_what_prose_says_is_found():
    for source, found in (
        ("Question('80% of 1,000?', answer=0.8 * 1000, hint='0.8, 1000')", []),
        (
            "Question('?', answer=x, misconceptions={y: 'is 31%'}, hint='e^1.5')",
            ["1.5", "31%"],
        ),
        (
            "Task('?', e, reached=lambda r: r > 3, hint='At 4.7.', solution={'x': 4.7})",
            ["4.7"],
        ),
    ):
        assert typed_numbers(source) == found
    words = "In 2014, eq. (10) and Sec. 4.1: [x](http://a/12.5), `7.5`, from 1.341 to ±20%."
    assert [number.written for number in quantities(words)] == ["1.341", "20%"]
    for written, other, near in (
        ("5.08", "5.0833", True),
        ("3", "2.6", False),
    ):
        assert stands(*numbers(written), numbers(other)) is near
