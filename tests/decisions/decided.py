"""How a reader decides and reads: words in, a decision, and what the rows of its record say."""

import re

from dpwidgets.decisions import choice
from printed import NUMBER, lines, read

#: The words of the case that several tests decide about.
HOSPITAL = {
    "published": "count",
    "n": 2000,
    "unit": "patients",
    "releases": 4,
    "delta": 1e-6,
    "prior": 0.2,
    "reference": 400,
    "confidence": 0.95,
}
#: A goal that nearly every noise meets, for a case that is asked about and no goal.
ANY = {"error": 1e9}
GOALS = "What shall be true"


def decided(*words, **more):
    """Decide about a case in words: what is published, and the numbers of goals."""
    asked = {
        word: value for some in (*words, more) for word, value in some.items()
    }
    return choice.decide(**asked)


def rows(record, begins, under=""):
    """Return the cells of each row of a record's page that begins so, without the first."""
    found = [
        [cell.strip() for cell in line.split(" | ")]
        for title, said in lines(record).items()
        for line in said
        if under in title and line.startswith(begins)
    ]
    return [cells[1:] for cells in found]


def row(record, begins, under=""):
    """Return the cells of the only row that begins so."""
    (cells,) = rows(record, begins, under)
    return cells


def last(words):
    """Return the last number of some words, a percentage as a share."""
    return read(re.findall(NUMBER, words)[-1])
