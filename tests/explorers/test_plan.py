"""The plan's explorer: lines of statistics, switches of promises, and one factor."""

from dataclasses import replace

import pytest

from dpwidgets import PlanExplorer
from dpwidgets.calculators import plan
from dpwidgets.calculators.choice import BudgetGoal
from tools import ask, shown

BEDS = "beds: published=count, error=3"


@pytest.fixture
def explorer():
    return PlanExplorer()


def test_one_number_moves_all_and_each_promise_is_said(explorer):
    first = explorer.result.scales
    explorer.factor, explorer.household = 0.5, 2
    assert explorer.result.scales == pytest.approx([scale / 2 for scale in first])
    assert eval(explorer.code.splitlines()[-1], {"plan": plan}) == explorer.result
    explorer.use_belief = explorer.use_success = explorer.use_advantage = explorer.use_rho = True
    notes = shown(explorer, "notes")["items"]
    assert sum("The factor keeps it" in note or "breaks it" in note for note in notes) == 5
    explorer.prior = None
    assert "prior" in explorer.sentence


def test_lines_are_added_changed_and_taken_away(explorer):
    explorer.statistics += f"\n{BEDS}, neighbours=replace"
    assert [name for name, _ in explorer.result.rows] == ["visits", "stay", "age", "beds"]
    last = explorer.result
    explorer.statistics += "\nnurses: published=count"
    message = shown(explorer, "statistics")["message"]
    assert message.startswith("line 5: goals must bound the noise of nurses")
    assert explorer.result == last  # what was there stays
    explorer.statistics = BEDS
    assert explorer.result.plan.neighbours == "add/remove"


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
    assert shown(other, "record names")["text"] == "Ann"
    refused = replace(explorer.record(), factor=None)
    with pytest.raises(ValueError, match="it is a refusal"):
        other.load(refused.json())
    two = plan.Plan(statistics=[plan.Statistic.read(BEDS)], promises=[BudgetGoal(1), BudgetGoal(2)])
    with pytest.raises(ValueError, match="two promises about budget"):
        other.load(plan.Record(plan=two, factor=1.0).json())
    assert other.result == explorer.result
