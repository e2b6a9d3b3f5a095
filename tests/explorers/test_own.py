"""What is one text's own in its explorer, without a browser: functions, columns, lists, lines."""

import math
import re

import numpy as np
import pytest
from traitlets import TraitError

import tools
from dpwidgets import (
    AttackExplorer,
    BreachExplorer,
    Draws,
    LossExplorer,
    MeaningsExplorer,
    PlanExplorer,
    WorldsExplorer,
)
from dpwidgets.decisions import meanings, plan
from dpwidgets.decisions.case import Case
from dpwidgets.explorers.case import HOSPITAL
from dpwidgets.plots.panel import Drawn
from tools import ask, opened, shown, visible

COIN = {"mechanism": "finite", "p": [1, 0], "q": [0.5, 0.5]}
STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
SCHOOL = Case(
    published="mean",
    n=12,
    low=0,
    high=10,
    unit="days",
    releases=2,
    prior=1 / 11,
)
BEDS = "beds: published=count, error=3"
#: From the least surprising answer to the most surprising: a million counts
#: matter then.
A_MILLION = """
from dpwidgets import BayesExplorer
explorer = BayesExplorer(n=10**6, p=1e-9, answer=1e6, epsilon=1e-8)
explorer.epsilon = 1000
assert explorer.result.counts.size > 10**6
explorer.still.png
"""


@pytest.mark.slow
def test_a_million_records_take_less_than_400_megabytes():
    assert tools.peak_megabytes(A_MILLION) < 400


def test_the_lists_are_typed_one_after_the_other_and_refused_beside_their_box():
    explorer = LossExplorer(**COIN)
    ask(explorer, "p", text="0.5 0.6")
    assert (
        "p must have the sum 1; its 2 masses sum to 1.1"
        in explorer.messages["p"]
    )
    ask(explorer, "p", text="1/2, 1/4, 1/4")
    ask(explorer, "q", text="0,25; 0,25; 0,5")
    assert not explorer.messages
    assert (explorer.p, explorer.q) == ((0.5, 0.25, 0.25), (0.25, 0.25, 0.5))
    assert "p=(0.5, 0.25, 0.25), q=(0.25, 0.25, 0.5)" in explorer.code


def test_several_draws_are_summed_and_only_an_infinite_loss_makes_certain():
    result = LossExplorer(mechanism="gaussian", mu=0.5, compositions=16).result
    draws, none = np.array([[1.5, 3.0]]), np.empty((0, 2))
    said = LossExplorer().say_drawn(Drawn(result, 1, draws, none))
    assert said.endswith("The first of them is 1.5. The losses add up to 3.")
    explorer = LossExplorer(**COIN)
    # Each answer doubles the odds.
    asked = np.column_stack([np.ones(60), np.zeros(60)])
    said = explorer.say_asked(Drawn(explorer.result, 1, asked, asked))
    assert "with a probability of nearly 100%" in said
    explorer.swapped = True
    asked = np.array([[2.0, math.inf]])
    assert "of 100%, that" in explorer.say_asked(
        Drawn(explorer.result, 0, asked, asked)
    )


def test_several_answers_have_no_more_together_than_is_said():
    explorer = BreachExplorer(view="attack", epsilon=1.2345)
    asked = np.full(3, 4.0)
    said = explorer.say_asked(Drawn(explorer.result, 1, asked, asked))
    assert "3 answers have ε = 3.71 together" in said  # 3.7035


def test_typed_values_are_the_values_and_what_is_no_column_loses_nothing():
    explorer = WorldsExplorer()
    assert (
        shown(explorer, "values")["text"]
        == "Chris: 1; Kelly: 2; Pat: 3; Terry: 10"
    )
    ask(explorer, "values", text="1 2 3 4")
    assert explorer.values == (1, 2, 3, 4)
    assert shown(explorer, "values")["text"] == "1 2 3 4"
    assert explorer.messages == {}
    last = explorer.still.png
    # The page sets all else as text.
    assert "'html'" not in str(explorer._about)
    for text, message in {
        "1, 2": "a list of at least three finite numbers; got an array of shape (2,)",
        "<img src=x>: 1, b: <b>": "the 2nd entry: “<b>” is not a number",
        "1e200, -1e308, 1e308": "got 1e+308. Choose another unit: nothing else changes",
    }.items():
        ask(explorer, "values", text=text)
        assert (
            message
            in explorer.messages["values"]
            == shown(explorer, "values")["message"]
        )
        assert (explorer.still.png, shown(explorer, "values")["text"]) == (
            last,
            text,
        )
    explorer = WorldsExplorer()
    explorer.values["Terry"] = 11.0
    # No explorer shares them with another.
    assert WorldsExplorer().values == STUDENTS


def test_a_long_column_is_shown_shortened_and_cannot_be_lost():
    column = np.random.default_rng(9).lognormal(10, 1, 5000).round(2)
    explorer = WorldsExplorer(values=column)
    text = shown(explorer, "values")["text"]
    assert "… 4,997 more …" in text
    assert "5,000 records" in shown(explorer, "values")["remark"]
    ask(explorer, "values", text=text.replace("…", "…,", 1))
    assert "shortened" in explorer.messages["values"]
    assert explorer.values == tuple(column)
    explorer.values = column[::-1]
    assert not explorer.messages
    names = {}
    # Whole, and it runs.
    exec(explorer.code.replace("\nworlds.", "\nresult = worlds."), names)
    assert names["result"] == explorer.result
    page = shown(explorer, "code")["text"]
    assert len(page) < 500
    assert "… 4,997 more …" in page


def test_the_answers_slider_spans_the_picture():
    explorer = WorldsExplorer()
    for values in (STUDENTS, [1e6, 2e6, 5e6, 3e6], [0.01, 0.02, 0.05]):
        explorer.values, explorer.answer = values, None
        low, high = explorer.result.frame
        ask(explorer, "answer", place=0)
        assert low <= explorer.answer <= low + (high - low) / 50
        ask(explorer, "answer", place=shown(explorer, "answer")["max"])
        assert high - (high - low) / 50 <= explorer.answer <= high


def test_it_takes_a_case_or_a_hospitals_and_a_case_warns():
    explorer = MeaningsExplorer()
    assert explorer.case == HOSPITAL
    explorer.delta = 1e-4
    assert explorer.sentence.endswith(explorer.case.large_deltas[0])
    explorer = MeaningsExplorer(case=SCHOOL, epsilon=1.4)
    assert explorer.case == SCHOOL
    assert MeaningsExplorer(case=SCHOOL, releases=3).case.releases == 3
    with pytest.raises(TypeError, match="case must be a Case; got 3"):
        MeaningsExplorer(case=3)
    ask(explorer, "prior", text="")  # left open
    assert explorer.prior is None
    assert "prior" not in explorer.code
    ask(explorer, "unit", text=" ")
    assert "unit must be words on one line" in explorer.messages["unit"]


def test_an_open_bound_is_once_in_each_release():
    explorer = MeaningsExplorer(contributions=3)
    assert explorer.case.moves() == (1, 3)
    again = MeaningsExplorer.from_link(explorer.link())
    assert again.case == explorer.case
    assert again.case == MeaningsExplorer(case=explorer.case).case
    ask(explorer, "contributions", text="")
    assert (explorer.case.contributions, explorer.case.moves()) == (
        None,
        (1, 12),
    )
    assert not explorer.messages


def test_every_row_of_the_picture_opens_to_its_sentence():
    few, explorer = opened(MeaningsExplorer()), MeaningsExplorer(rows="all")
    said, scale = opened(explorer), HOSPITAL.scale(0.2)
    assert said == [
        meaning.sentence(scale) for meaning in meanings.meanings(HOSPITAL)
    ]
    # And no row again.
    assert shown(explorer, "notes")["items"] == [*HOSPITAL.warnings]
    assert set(few) < set(said)
    published = opened(MeaningsExplorer(view="published"))
    assert len(published) == 19
    assert all("https://" in line for line in published)


def test_no_slider_leaves_what_n_and_the_reference_allow_each_other():
    """Of the merge: at n = 10 the reference of 400 was refused, and a sweep stopped there."""
    explorer = MeaningsExplorer()
    ask(explorer, "n", place=0)
    assert (explorer.n, explorer.messages) == (400, {})
    explorer.reference, explorer.n = None, 3
    for name in ("reference", "household"):
        ask(explorer, name, place=shown(explorer, name)["max"])
        assert (getattr(explorer, name), explorer.messages) == (3, {})


def test_one_number_moves_all_and_each_promise_is_said():
    explorer = PlanExplorer()
    first = explorer.result.scales
    explorer.factor, explorer.household = 0.5, 2
    assert explorer.result.scales == pytest.approx(
        [scale / 2 for scale in first]
    )
    assert (
        eval(explorer.code.splitlines()[-1], {"plan": plan}) == explorer.result
    )
    explorer.use_belief = explorer.use_success = explorer.use_rho = True
    notes = shown(explorer, "notes")["items"]
    assert (
        sum(
            "The factor keeps it" in note or "breaks it" in note
            for note in notes
        )
        == 4
    )
    # The ε of everything stands in the sentence alone.
    assert "has ε = " in explorer.sentence
    assert not any(" other, have ε = " in note for note in notes)
    explorer.prior = None
    assert "prior" in explorer.sentence


def test_lines_are_added_changed_and_taken_away():
    explorer = PlanExplorer()
    explorer.statistics += f"\n{BEDS}, neighbours=replace"
    assert [name for name, _ in explorer.result.rows] == [
        "visits",
        "stay",
        "age",
        "beds",
    ]
    last = explorer.result
    explorer.statistics += "\nnurses: published=count"
    message = shown(explorer, "statistics")["message"]
    assert message.startswith("line 5: goals must bound the noise of nurses")
    assert explorer.result == last  # what was there stays
    explorer.statistics = BEDS
    assert explorer.result.plan.neighbours == "add/remove"


def forgets(before, after):
    after - before > 0.5  # noqa: B015


def fails(before, after):
    raise KeyError("<b>")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (forgets, "return True or False; for ("),
        (fails, "it raises KeyError: '<b>'"),
        (lambda: True, "it raises TypeError: "),
        (lambda before, after: "yes", "it returned 'yes'"),
        (lambda before, after: math.nan, "it returned nan"),
        (lambda before, after: np.ones(2), "it returned array"),
    ],
)
def test_a_rule_that_cannot_be_played_is_told_and_what_was_drawn_stays(
    rule, said
):
    explorer = AttackExplorer(epsilon=5)
    draws = Draws(explorer, seed=2)
    ask(draws, "Draw 10", pressed=True)
    drawn, picture = draws.drawn, explorer._layers
    explorer.rule = rule
    told = shown(explorer, "wrong")["text"]
    assert told.startswith("rule must ")
    assert said in told
    assert draws.drawn.draws is drawn.draws
    assert explorer._layers == picture
    ask(draws, "Draw 10", pressed=True)
    assert "20 games the guess wins" in draws.words


@pytest.mark.parametrize(
    ("solve", "said"),
    [
        (lambda groups, sums: None, "must return 24 numbers; it returned"),
        (lambda groups, sums: sums, "must return 24 numbers; it returned"),
        (lambda groups, sums: 24 * ["<b>"], "must return 24 numbers; "),
        (lambda groups: None, "must take (array"),
    ],
)
def test_a_table_is_rebuilt_by_a_readers_own_lines_or_it_is_told_why_not(
    solve, said
):
    explorer = AttackExplorer(view="rebuild", epsilon=0.2)
    truth = explorer.result.truth
    explorer.solve = lambda groups, sums: truth.astype(int)
    assert explorer.sentence.startswith("Your lines are right about 24 of 24")
    explorer.solve = solve
    assert f"solve {said}" in shown(explorer, "wrong")["text"]
    explorer.solve = lambda groups, sums: np.linalg.lstsq(groups, sums, None)[
        0
    ]
    by_line = explorer.result.right
    explorer.solve = None
    assert (by_line == explorer.result.right).all()
    assert not shown(explorer, "wrong")["text"]


@pytest.mark.parametrize("name", ["rule", "solve"])
def test_a_rule_is_a_function(name):
    with pytest.raises(TraitError, match=r"expected a callable, not the int"):
        setattr(AttackExplorer(), name, 3)


def test_a_readers_own_rule_is_played_in_place_of_the_best():
    explorer = AttackExplorer(epsilon=5)
    explorer.rule = lambda before, after: True
    assert explorer.sentence.startswith(
        "Of 100 with you 100 are “with you” by your rule, of 100 without you 100."
    )
    assert "threshold" not in visible(explorer)
    draws = Draws(explorer, seed=2)
    draws.draw(1000)
    wins = int(re.search(r"your rule wins (\d+): ", draws.words)[1])
    assert 440 < wins < 560
    assert "the best rule in 95.9%." in explorer.sentence
    explorer.rule = None
    draws.clear()
    draws.draw(1000)
    assert int(re.search(r"the guess wins (\d+): ", draws.words)[1]) > 930
    explorer.view = "rebuild"
    assert draws.words.startswith("This picture shows no draws")
