"""The plan's explorer: lines of statistics, switches of promises, and one factor."""

import pytest

from dpwidgets import PlanExplorer
from dpwidgets.calculators import plan
from tools import shown, visible


@pytest.fixture
def explorer():
    return PlanExplorer()


def test_one_number_moves_all(explorer):
    assert explorer.factor == 1
    assert explorer.sentence.startswith("Factors of the noise from 0.442 to 1 keep all promises")
    first = explorer.result.scales
    explorer.factor = 0.5
    assert explorer.result.scales == pytest.approx([scale / 2 for scale in first])
    explorer.factor = None  # it follows the suggestion again
    assert explorer.factor == 1


def test_a_promise_that_does_not_fit_moves_the_suggestion_and_names_ways_out(explorer):
    explorer.total = 2
    assert explorer.factor == pytest.approx(explorer.result.plan.factors.low)
    assert "leaving out visits" in explorer.sentence
    explorer.used = 2
    assert "nothing is left" in explorer.sentence
    assert explorer.factor is None


def test_lines_are_added_changed_and_taken_away(explorer):
    explorer.statistics += "\nbeds: published=count, neighbours=replace, error=3"
    assert [name for name, _ in explorer.result.rows] == ["visits", "stay", "age", "beds"]
    last = explorer.result
    explorer.statistics += "\nnurses: published=count"
    message = shown(explorer, "statistics")["message"]
    assert message.startswith("line 5: goals must bound the noise of nurses")
    assert explorer.result == last  # what was there stays
    explorer.statistics = "beds: published=count, error=3"
    assert explorer.result.plan.neighbours == "add/remove"


def test_each_promise_has_a_switch_and_says_whether_it_is_kept(explorer):
    assert {"total", "use_rho"} < visible(explorer)
    assert "posterior" not in visible(explorer)
    explorer.use_belief = explorer.use_success = explorer.use_advantage = explorer.use_rho = True
    assert {"posterior", "success", "advantage", "rho"} < visible(explorer)
    notes = shown(explorer, "notes")["items"]
    assert sum("The factor keeps it" in note or "breaks it" in note for note in notes) == 5
    assert any("An attacker who is right about a person in 20% of cases" in one for one in notes)
    explorer.prior = None
    assert "prior" in str(explorer.sentence)


def test_its_code_makes_its_result(explorer):
    explorer.household = 2
    made = eval(explorer.code.splitlines()[-1], {"plan": plan})
    assert made == explorer.result
    assert "for 2 people with dependent records" in explorer.sentence
    again = PlanExplorer(**explorer.settings())
    assert again.result == explorer.result
