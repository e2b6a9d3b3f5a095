"""The choice explorer without a browser: goals, a column of one's own, and the record."""

from dataclasses import replace

import pytest

from dpwidgets import ChoiceExplorer
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import KINDS, ErrorGoal, IntervalGoal, Record, record, risk_goal
from tools import ask, shown, upload, visible

SCHOOL = Case(
    published="mean", n=4, low=0, high=100, unit="years", releases=2, prior=0.1, reference=40,
    confidence=0.8,
)  # fmt: skip


@pytest.fixture
def explorer():
    return ChoiceExplorer()


def test_all_goals_are_shown_at_once_each_with_a_switch(explorer):
    goals = {"about", "epsilon", "view", "half_width", "posterior", "belief_reach", "total"}
    switches = {f"use_{kind}" for kind in KINDS}
    assert visible(explorer) == goals | switches | {"budget_reach"}
    explorer.use_error = explorer.use_risk = explorer.use_advantage = True
    explorer.use_success = explorer.use_rho = True
    assert {"error", "risk", "values", "advantage", "success", "rho_reach"} < visible(explorer)
    assert {goal.kind for goal in explorer.result.goals} == set(KINDS)
    explorer.about = "people"
    assert {"prior", "reference", "household"} < visible(explorer)
    assert "total" not in visible(explorer)


def test_what_is_refused_is_a_message_and_the_result_stays(explorer):
    before = explorer.result
    for name, value, message in (
        ("used", "-1", "used must be a number from 0"),
        ("household", "2001", "household must be at most n"),
        ("n", "0", "n must be a whole number"),
        ("delta", "1", "delta must be"),
    ):
        ask(explorer, name, text=value)
        assert message in explorer.messages[name]
        assert explorer.result == before
        ask(explorer, name, text=str(getattr(before.case, name)))
    explorer.use_interval = explorer.use_belief = explorer.use_budget = False
    assert "goals must hold at least one goal" in str(explorer.messages)
    explorer.use_belief = True
    assert not explorer.messages


def test_epsilon_follows_the_suggestion_until_it_is_chosen(explorer):
    assert explorer.epsilon == 0.15
    options = shown(explorer, "options")["options"]
    words = [label for label, _ in options]
    assert words == ["most private: ε = 0.15", "middle: ε = 0.193", "most precise: ε = 0.25"]
    assert "within ±12 patients (3%)" in options[2][1]
    explorer.half_width = 0.04
    assert explorer.epsilon == 0.188
    explorer.epsilon = 0.3
    explorer.half_width = 0.2
    assert explorer.epsilon == 0.3
    explorer.epsilon = None
    assert explorer.epsilon == 0.0375
    explorer.half_width = 0.05
    ask(explorer, "options", place=2)
    assert explorer.epsilon == 0.25


def test_what_the_goals_say_of_each_other_of_stress_data_and_a_large_delta(explorer):
    explorer.use_risk = True
    assert "depends on your data: not for publishing" in str(shown(explorer, "notes")["items"])
    explorer.use_risk = False
    assert "not for publishing" not in str(shown(explorer, "notes")["items"])
    explorer.view = "stress"
    said = str(shown(explorer, "notes")["items"])
    assert "4 people with dependent records: belief from 20%" in said
    assert "(not met)" in said
    explorer.releases = 12
    assert explorer.result.choice.feasible.empty
    assert "changes is enough: “The count shall lie within ±35.8 patients" in explorer.sentence
    assert "Or: at most 6 releases." in explorer.sentence
    assert shown(explorer, "options")["options"] == []
    explorer.delta = 1e-5
    (warning,) = explorer.case.warnings
    assert explorer.sentence.endswith(warning)


def test_a_file_brings_a_column(explorer):
    assert shown(explorer, "column")["hidden"]
    upload(explorer, "csv", b"<b>age</b>,name\n41,Ann\n29,Bob\n50,Cy\n")
    assert "3 rows and these columns: <b>age</b>, name." in shown(explorer, "csv said")["text"]
    assert shown(explorer, "column")["options"] == ["choose …", "<b>age</b>", "name"]
    assert explorer.values == (1,) * 400 + (0,) * 1600
    ask(explorer, "column", place=2)
    assert shown(explorer, "csv wrong")["text"] == "row 2, column “name”: “Ann” is no number"
    ask(explorer, "column", place=1)
    assert explorer.values == (41, 29, 50)
    assert "Taken: 3 numbers" in shown(explorer, "csv said")["text"]
    assert shown(explorer, "csv wrong")["text"] == ""
    ask(explorer, "column", place=0)
    assert explorer.values == (41, 29, 50)


def test_a_bad_file_or_column_is_refused_and_nothing_is_lost(explorer):
    before = explorer.values
    assert all(words in str(explorer._about) for words in ("at most 5 MB", "on Binder"))
    upload(explorer, "csv", b"1,2\n3,4\n")
    assert "must have names in its first row" in shown(explorer, "csv wrong")["text"]
    upload(explorer, "csv", b"age\n41\n29\n")
    ask(explorer, "column", place=1)
    assert "at least three" in shown(explorer, "csv wrong")["text"]
    assert shown(explorer, "csv said")["text"] == ""
    assert explorer.values == before


def test_the_record_is_a_link_and_a_file(explorer, tmp_path):
    explorer.use_risk = True
    ask(explorer, "record about", text="<script>absences</script>")
    ask(explorer, "write", pressed=True)
    texts = {name: text for name, _, text in shown(explorer, "files")["files"]}
    assert set(texts) == {
        f"{name}{suffix}"
        for name in ("decision", "decision-public")
        for suffix in (".html", ".md", ".json")
    } | {"decision.py"}
    assert Record.load(texts["decision-public.json"]).left_out
    assert "<script>" not in texts["decision.md"]
    assert Record.load(texts["decision.json"]).about == "<script>absences</script>"
    explorer.save(tmp_path / "decision.json")
    assert (tmp_path / "decision.json").read_text(encoding="utf-8") == texts["decision.json"]
    explorer.save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    ask(explorer, "record names", text="A and B")
    assert shown(explorer, "files")["files"] == []  # they lack the names
    ask(explorer, "write", pressed=True)
    assert shown(explorer, "files")["files"]
    explorer.epsilon = 0.2
    assert shown(explorer, "files")["files"] == []
    assert shown(explorer, "record about")["text"] == "<script>absences</script>"


def test_a_record_comes_back(explorer):
    explorer.use_risk, explorer.half_width, explorer.epsilon, explorer.prior = True, 0.15, 0.3, 0.05
    explorer.risk_reach = "all releases"
    words = {"about": "absences", "names": "A and B", "reasons": "because"}
    kept = explorer.record(**words)
    other = ChoiceExplorer(half_width=0.5)
    other.load(kept.json())
    assert other.result == explorer.result
    assert {name: shown(other, f"record {name}")["text"] for name in words} == words
    third = ChoiceExplorer()
    upload(third, "bring", kept.json().encode())
    assert third.result == explorer.result
    assert "bring the column again" in shown(third, "record said")["text"]
    assert {name: shown(third, f"record {name}")["text"] for name in words} == words


def test_a_record_of_another_number_of_people_comes_back_without_its_goal_about_data():
    column = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 30]
    explorer = ChoiceExplorer(case=replace(SCHOOL, n=12), values=column, use_risk=True, risk=0.25)
    other = ChoiceExplorer()
    upload(other, "bring", explorer.record().json().encode())
    assert "then let its goal count" in shown(other, "record said")["text"]
    assert (other.use_risk, other.risk, other.n) == (False, 0.25, 12)
    other.values = column
    other.use_risk = True
    assert other.result == explorer.result
    case = ChoiceExplorer(case=SCHOOL, half_width=0.3, use_budget=False)
    assert case.case == SCHOOL
    other.load(case.record().json())
    assert other.result == case.result


COUNT = replace(SCHOOL, published="count", low=None, high=None, neighbours=None, reference=4)


def test_a_record_that_cannot_be_shown_changes_nothing(explorer):
    before = explorer.result, explorer.state
    for content in (
        b"{",
        record(COUNT, [IntervalGoal(0.2), IntervalGoal(0.3)], 1).json().encode(),
        record(COUNT, [], 1).json().encode(),
        record(COUNT, [risk_goal(COUNT, [1, 0, 0, 0], 0.5)], 1).public().json().encode(),
        record(COUNT, [ErrorGoal(9)], None).json().encode(),
    ):
        upload(explorer, "bring", content)
        assert shown(explorer, "record wrong")["text"]
        with pytest.raises(ValueError, match=r"."):
            explorer.load(content)
        assert (explorer.result, explorer.state) == before
        assert not explorer.messages


def test_a_long_column_waits_for_the_release():
    column = [float(i % 97) for i in range(30_000)]
    explorer = ChoiceExplorer(case=replace(SCHOOL, n=30_000), use_risk=True, values=column)
    assert shown(explorer, "risk")["slow"]
    assert explorer.result.choice.goals


def test_the_risk_goal_can_be_switched_on_at_once(explorer):
    """Of the merge: its default column had 10 records, and the case 2,000 people."""
    for published in ("count", "sum", "mean"):
        fresh = ChoiceExplorer(published=published)
        fresh.use_risk = True
        assert not fresh.messages
        assert fresh.result.goals[1].kind == "risk"
    explorer.use_risk = True
    explorer.values = (1, 0, 0)
    assert "n must be the number of values, 3, or left open; got 2,000" in str(explorer.messages)


def test_without_a_suggestion_the_explorer_refuses(explorer):
    explorer.posterior = 0.1  # below the prior
    assert explorer.result.epsilon is None
    assert explorer.sentence.endswith("So no ε is suggested.")
    assert shown(explorer, "options")["options"] == []
    assert "the chosen one" not in " ".join(shown(explorer, "notes")["items"])
    refusal = explorer.record()
    assert (refusal.epsilon, refusal.met) == (None, ())
    assert "nothing is published" in refusal.markdown()
    explorer.view = "stress"
    assert not explorer.messages
    explorer.posterior = 0.25
    assert explorer.result.epsilon == 0.15
