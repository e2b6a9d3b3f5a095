"""The plan's explorer: lines of statistics, switches of promises, and one factor."""

from dataclasses import replace

import pytest

from dpwidgets import PlanExplorer
from dpwidgets.calculators import plan
from dpwidgets.calculators.choice import BudgetGoal
from tools import ask, shown, visible

BEDS = "beds: published=count, error=3"


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


def test_its_record_is_a_file_and_comes_back(explorer, tmp_path):
    explorer.use_belief, explorer.factor, explorer.household = True, 0.8, 2
    ask(explorer, "record names", text="Ann")
    ask(explorer, "write", pressed=True)
    texts = {name: text for name, _, text in shown(explorer, "files")["files"]}
    assert set(texts) == {f"decision.{suffix}" for suffix in ("html", "md", "json", "py")}
    assert "the registry needs what nobody has said yet" in shown(explorer, "record said")["text"]
    for word in ("about", "use", "region", "curator"):
        ask(explorer, f"record {word}", text=word)
    ask(explorer, "record date", text="2026-11-23")
    ask(explorer, "write", pressed=True)
    assert shown(explorer, "files")["files"][-1][0] == "decision.yaml"
    explorer.save(tmp_path / "plan.json")
    other = PlanExplorer()
    other.load(tmp_path / "plan.json")
    assert other.result == explorer.result
    assert shown(other, "record names")["text"] == "Ann"
    refused = replace(explorer.record(), factor=None)
    with pytest.raises(ValueError, match="it is a refusal"):
        other.load(refused.json())
    two = plan.Plan(statistics=[plan.Statistic.read(BEDS)], promises=[BudgetGoal(1), BudgetGoal(2)])
    with pytest.raises(ValueError, match="two promises about budget"):
        other.load(plan.Record(plan=two, factor=1.0).json())
    assert other.result == explorer.result
