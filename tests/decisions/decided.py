"""How a reader decides and reads: words in, a decision, and what the rows of its record say."""

import re
from dataclasses import replace

import known
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import KINDS
from dpwidgets.decisions.record import WORDS
from printed import NUMBER, lines, read

#: The case that several tests decide about, in words.
HOSPITAL = known.HOSPITAL.to_dict()
#: A goal that nearly every noise meets, for a case that is asked about and no goal.
ANY = {"error": 1e9}
#: All that people may say on a record.
SAID = {name: f"the words for {name}" for name in WORDS}
#: Means of groups, in a case and in a plan, and what is said of them.
MEANS = Case(published="mean", low=-1, high=3, n=900, groups=3)
PLAN_OF_MEANS = plan.decide(
    "a: published=mean, n=900, groups=3, low=0, high=9, scale=2"
)
GROUP = "In which group somebody is, is not protected"
GOALS = "What shall be true"


def decided(*words, **more):
    """Decide about a case in words: what is published, and the numbers of goals."""
    asked = {
        word: value for some in (*words, more) for word, value in some.items()
    }
    return choice.decide(**asked)


def recorded(case, epsilon=0.2, **more):
    """Return the record of a case, in words or made; without an ε, that nothing is published.

    Among the rest are goals, none of them perhaps, and what people say.
    """
    said = {name: more.pop(name) for name in WORDS if name in more}
    if not isinstance(case, dict):
        case = case.to_dict() | {"before": case.before}
    asked = case | more
    if not asked.keys() & {
        "values",
        *(kind.limits for kind in KINDS.values()),
    }:
        asked |= ANY
    made = decided(asked, epsilon=epsilon).record(**said)
    return made if epsilon else replace(made, number=None)


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
