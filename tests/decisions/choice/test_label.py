"""The privacy label: the odds of its guesses, nothing secret, nothing typed out of hand."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import HOUSEHOLD, Case, guesses
from dpwidgets.decisions.choice import WORDS, BeliefGoal, record
from known import HOSPITAL

OPEN = "Nobody has said yet"
SAID = {name: f"the words for {name}" for name in WORDS}
#: A count with geometric noise of scale 2, once and twice.
COUNT = Case(published="count", mechanism="geometric")
SCHOOL = Case(published="mean", n=5, low=0, high=1e6, unit="euros")
#: Of the nine kinds of fields that twelve experts named, all but the rest.
KINDS = [
    "Privacy parameters", "Unit of privacy", "Utility", "Mechanism", "Settings of the mechanism",
    "Deployment model", "attacks that were tried on it", "Its meaning",
]  # fmt: skip
SECTIONS = [
    "What it can tell about you",
    "Questions and answers",
    "What is not promised",
    "What experts ask for",
]


class Read(HTMLParser):
    """What a reader of a page meets: its elements and their attributes, and its texts."""

    def __init__(self, page):
        super().__init__()
        self.met, self.texts = [("", {})], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.met.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.met[-1][0] != "style":
            self.texts.append(data)

    def __getitem__(self, wanted):
        return [given for tag, given in self.met if tag == wanted]

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def right(made):
    """Return how many of 100 guesses a label says are right at most, and that it draws them."""
    page = Read(made.label())
    said = re.findall(r"(\d+) of 100 guesses", page.text)
    pictures = zip(
        page["svg"], page["path"][::2], page["path"][1::2], strict=True
    )
    for (svg, filled, empty), shown in zip(
        pictures, map(int, said), strict=True
    ):
        # Each person is a head and a body.
        people = [path["d"].count("M") / 2 for path in (filled, empty)]
        assert people == [shown, 100 - shown]
        assert svg["role"] == "img"
        assert (
            f"100 people, of whom {shown} are filled in" in svg["aria-label"]
        )
    return int(said[-1])


@pytest.mark.parametrize("epsilon", [1e-8, 0.3, 20])
def test_the_odds_are_those_of_the_last_guess_for_a_household_beside_others(
    epsilon,
):
    case = replace(COUNT, household=3, used=0.4, delta=1e-6)
    made = record(case, [], epsilon)
    often = guesses(case)[-1].right(made.noise, HOUSEHOLD)
    assert 100 * often - 1e-6 <= right(made) < 100 * often + 1
    text = Read(made.label()).text
    assert "3 people that depend on each other" in text
    assert "with ε = 0.4 used up by others" in text


def test_consequences_stand_first_and_each_word_is_there_or_open():
    full, bare = (record(HOSPITAL, [], 0.2, **words) for words in (SAID, {}))
    for made in (full, bare):
        text = Read(made.label()).text
        assert sorted(SECTIONS, key=text.index) == SECTIONS
        assert text.index("50 of 100") < text.index("ε")
    text = Read(full.label()).text
    assert [text.count(words) for words in SAID.values()] == [1] * len(SAID)
    for kind in KINDS:
        assert kind in text
    # No record says which attacks were tried.
    assert text.count(OPEN) == 1
    said = Read(bare.label()).text.partition(OPEN)[2]
    assert all(called in said for called in WORDS.values())
    assert bare.label().count("<h1>A count of patients</h1>") == 1


def test_where_the_choice_depends_on_data_it_says_so_and_has_no_odds():
    """That it says nothing of the data: test_record.py, of all that a record writes."""
    hidden = choice.risk_goal(SCHOOL, [1, 2, 3, 4, 990_001.5], 0.5)
    made = record(SCHOOL, [hidden, BeliefGoal(0.9)], 2.125, **SAID)
    assert made.label() == replace(made, number=None).label()
    page = Read(made.label())
    assert not page["svg"]
    assert not re.search(r"(src|href)=|url\(|@import", made.label())
    said = "it follows from a choice that was made with the secret data"
    assert page.text.count(said) == 2


def test_of_several_published_numbers_it_says_what_noise_each_has():
    count, table = COUNT, Case(published="table", cells=4)
    for case, which in (
        (count, "the"),
        (replace(count, releases=2), "each"),
        (table, "each"),
        (replace(table, releases=4), "each"),
    ):
        text = Read(record(case, [], 0.2).label()).text
        assert f"noise changes {which} published number by" in text


def test_a_refusal_says_that_nothing_is_published():
    goals = "beds: published=count, error=5"
    planned = plan.decide(goals, delta=1e-6).record(**SAID)
    for made in (
        record(HOSPITAL, [], None, **SAID),
        replace(planned, number=None),
    ):
        page = Read(made.label())
        assert "Nothing is published, and so it tells nothing" in page.text
        assert not page["svg"]
        assert SECTIONS[1] not in page.text
        assert all(words in page.text for words in SAID.values())


def test_a_notebook_shows_it_in_a_frame():
    made = record(HOSPITAL, [], 0.2)
    for shown, title in (
        (made, "Decision record"),
        (made.label(), "Privacy label"),
    ):
        _, (name, given) = Read(shown._repr_html_()).met
        assert (name, given["title"]) == ("iframe", title)
    assert given["srcdoc"] == made.label()


def test_a_plan_has_a_label_of_all_its_statistics():
    lines = "beds: published=count, error=5\nstays: published=sum, low=0, high=9, error=90"
    made = plan.decide(lines, delta=1e-6).record()
    often = guesses(made.plan)[-1].right(made.noise, HOUSEHOLD)
    assert right(made) == np.ceil(100 * often)
    text = Read(made.label()).text
    for said in (
        "Beds, stays",
        "Beds: the noise changes the published number by 5 people on average.",
        "Stays: the noise changes the published number by 90 people on average.",
        "beds: Laplace noise",
        "Whether somebody is in the data, and what they say of this person.",
    ):
        assert said in text
