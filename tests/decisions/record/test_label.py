"""The privacy label: the odds of its guesses, nothing secret, nothing typed out of hand."""

import html
import re
from dataclasses import replace

import pytest

from decided import GROUP, MEANS, PLAN_OF_MEANS, SAID, recorded
from dpwidgets.decisions import plan
from dpwidgets.decisions.case import Case, guesses
from dpwidgets.decisions.record import WORDS
from known import HOSPITAL, others_used
from printed import plain

OPEN = "Nobody has said yet"
COUNT = Case(published="count")
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


def right(made):
    """Return how many of 100 guesses a label says are right at most, and that it draws them."""
    page = made.label()
    said = [*map(int, re.findall(r"(\d+) of 100 guesses", plain(page)))]
    spoken = re.findall('<svg role="img" aria-label="(.*?)"', page)
    paths = re.findall('<path class="(.*?)" d="(.*?)"', page)
    for shown, words, filled, empty in zip(
        said, spoken, paths[::2], paths[1::2], strict=True
    ):
        # Each person is a head and a body.
        people = {kind: path.count("M") / 2 for kind, path in (filled, empty)}
        assert people == {"right": shown, "wrong": 100 - shown}
        assert f"100 people, of whom {shown} are filled in" in words
    return said[-1]


FEW = replace(COUNT, household=3, before=others_used(0.4), delta=1e-6)
BEDS = "beds: published=count, error=5\nstays: published=sum, low=0, high=9, error=90"
OF_PLAN = plan.decide(BEDS, delta=1e-6).record()


@pytest.mark.parametrize(
    "made", [*(recorded(FEW, epsilon) for epsilon in (1e-8, 0.3, 20)), OF_PLAN]
)
def test_the_odds_are_those_of_the_last_guess_at_everything_published(made):
    """For a household beside others, and of all statistics of a plan."""
    often = guesses(made.whole)[-1].right(made.noise)
    assert 100 * often - 1e-6 <= right(made) < 100 * often + 1


def test_consequences_stand_first_and_each_word_is_there_or_open():
    full, bare = (recorded(HOSPITAL, 0.2, **words) for words in (SAID, {}))
    for made in (full, bare):
        text = plain(made.label())
        assert sorted(SECTIONS, key=text.index) == SECTIONS
        assert text.index("50 of 100") < text.index("ε")
    text = plain(full.label())
    assert [text.count(words) for words in SAID.values()] == [1] * len(SAID)
    for kind in KINDS:
        assert kind in text
    # No record says which attacks were tried.
    assert text.count(OPEN) == 1
    said = plain(bare.label()).partition(OPEN)[2]
    assert all(called in said for called in WORDS.values())
    assert bare.label().count("<h1>A count of patients</h1>") == 1


def test_where_the_choice_depends_on_data_it_says_so_and_has_no_odds():
    """That it says nothing of the data: test_record.py, of all that a record writes."""
    column = [1, 2, 3, 4, 990_001.5]
    made = recorded(
        SCHOOL, 2.125, values=column, risk=0.5, posterior=0.9, **SAID
    )
    assert made.label() == replace(made, number=None).label()
    page = made.label()
    assert "<svg" not in page
    assert not re.search(r"(src|href)=|url\(|@import", made.label())
    said = "it follows from a choice that was made with the secret data"
    assert plain(page).count(said) == 2


TABLE = Case(published="table", cells=4)
NOISE = "noise changes {} published number by"
SAYS = (
    (recorded(FEW, 0.3), "3 people that depend on each other"),
    (recorded(FEW, 0.3), "with ε = 0.4 used up by others"),
    (recorded(COUNT, 0.2), NOISE.format("the")),
    (recorded(replace(COUNT, releases=2), 0.2), NOISE.format("each")),
    (recorded(TABLE, 0.2), NOISE.format("each")),
    (recorded(replace(TABLE, releases=4), 0.2), NOISE.format("each")),
    *((made, GROUP) for made in (recorded(MEANS), PLAN_OF_MEANS.record())),
    (recorded(MEANS), "is replaced by another of the same group, one mean"),
    (recorded(MEANS), "n = at least 900 people in each of 3 groups"),
    (OF_PLAN, "Beds, stays"),
    (
        OF_PLAN,
        "Beds: the noise changes the published number by 5 people on average.",
    ),
    (
        OF_PLAN,
        "Stays: the noise changes the published number by 90 people on average.",
    ),
    (OF_PLAN, "beds: Laplace noise"),
    (
        OF_PLAN,
        "Whether somebody is in the data, and what they say of this person.",
    ),
)


@pytest.mark.parametrize(("made", "words"), SAYS)
def test_a_label_says_what_is_so(made, words):
    assert words in plain(made.label())


def test_a_refusal_says_that_nothing_is_published():
    for made in (
        recorded(HOSPITAL, None, **SAID),
        replace(OF_PLAN, number=None, **SAID),
    ):
        page = made.label()
        assert "Nothing is published, and so it tells nothing" in plain(page)
        assert "<svg" not in page
        assert SECTIONS[1] not in plain(page)
        assert all(words in plain(page) for words in SAID.values())


def test_a_notebook_shows_it_in_a_frame():
    made = recorded(HOSPITAL, 0.2)
    for shown, title, page in (
        (made, "Decision record", made.html()),
        (made.label(), "Privacy label", made.label()),
    ):
        frame = f'<iframe srcdoc="{html.escape(page)}" title="{title}"'
        assert shown._repr_html_().startswith(frame)


@pytest.mark.parametrize(
    "words", ["whose data depend on each other", "Who can be asked?"]
)
def test_a_label_does_not_say_what_nobody_said_or_is_not_so(words):
    assert words not in plain(recorded(COUNT, 0.2).label())
