"""The choice explorer without a browser: goals, a column of one's own, and the record."""

import base64
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dpwidgets import ChoiceExplorer
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import (
    KINDS,
    ErrorGoal,
    IntervalGoal,
    Record,
    record,
    risk_goal,
)
from tools import upload

SCHOOL = Case(
    published="mean", n=4, low=0, high=100, unit="years", releases=2, prior=0.1, reference=40,
    confidence=0.8,
)  # fmt: skip
OLD = Path(__file__).parents[1] / "calculators/choice/record_of_format_1.json"


@pytest.fixture
def explorer():
    return ChoiceExplorer()


def shown(explorer):
    return {name for name, control in explorer.controls.items() if control.layout.display != "none"}


def test_all_goals_are_shown_at_once_each_with_a_switch(explorer):
    goals = {"about", "epsilon", "view", "half_width", "posterior", "belief_reach", "total"}
    switches = {f"use_{kind}" for kind in KINDS}
    assert shown(explorer) == goals | switches | {"budget_reach"}
    explorer.use_error = explorer.use_risk = explorer.use_advantage = True
    assert {"error", "risk", "values", "advantage", "advantage_reach"} < shown(explorer)
    assert {goal.kind for goal in explorer.result.goals} == set(KINDS)
    explorer.about = "people"
    assert {"prior", "reference", "household"} < shown(explorer)
    assert "total" not in shown(explorer)


def test_no_goal_at_all_is_a_message_and_the_state_stays(explorer):
    explorer.use_interval = explorer.use_belief = False
    before = explorer.result
    explorer.use_budget = False
    assert "goals must hold at least one goal" in str(explorer.messages)
    assert explorer.result == before
    explorer.use_belief = True
    assert not explorer.messages


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("used", 1, "used must be below 1, the budget"),
        ("household", 2001, "household must be at most n"),
        ("n", 0, "n must be a whole number"),
        ("delta", 1, "delta must be"),
    ],
)
def test_bad_input_keeps_the_state(explorer, name, value, message):
    before = explorer.result
    explorer.controls[name].box.value = str(value)
    assert message in explorer.messages[name]
    assert explorer.result == before


def test_the_suggested_numbers_are_buttons(explorer):
    rows = explorer.options_box.children[1:]
    words = [row.children[0].description for row in rows]
    assert words == ["most private: ε = 0.15", "middle: ε = 0.193", "most precise: ε = 0.25"]
    assert "within ±12 patients (3%)" in rows[2].children[1].value
    rows[2].children[0].click()
    assert explorer.epsilon == 0.25
    explorer.releases = 12
    assert explorer.options_box.children == ()


def test_epsilon_follows_the_suggestion_until_it_is_chosen(explorer):
    assert explorer.epsilon == 0.15
    explorer.half_width = 0.04
    assert explorer.epsilon == 0.188
    explorer.epsilon = 0.3
    explorer.half_width = 0.2
    assert explorer.epsilon == 0.3
    explorer.epsilon = None
    assert explorer.epsilon == 0.0375


def test_goals_that_contradict_each_other_say_how_to_give_way(explorer):
    explorer.releases = 12
    assert explorer.result.choice.feasible.empty
    assert "changes is enough: “The count shall lie within ±35.8 patients" in explorer.sentence
    assert "Or: at most 6 releases." in explorer.sentence


def test_stress_is_a_picture_and_a_table_in_words(explorer):
    explorer.view = "stress"
    said = explorer.noted.value
    assert "4 people with dependent records: belief from 20%" in said
    assert "(not met)" in said


def test_the_warning_stands_below(explorer):
    explorer.use_risk = True
    assert "depends on your data: not for publishing" in explorer.noted.value
    explorer.use_risk = False
    assert "not for publishing" not in explorer.noted.value


def test_a_file_brings_a_column(explorer):
    box = explorer.column_upload
    upload(box.upload, b"<b>age</b>,name\n41,Ann\n29,Bob\n50,Cy\n")
    assert "3 rows and these columns: &lt;b&gt;age&lt;/b&gt;, name." in box.said.value
    assert explorer.values == (1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    box.columns.value = box.columns.options[2][1]
    assert "3 cells are no numbers: row 2 (“Ann”)" in box.said.value
    box.columns.value = box.columns.options[1][1]
    assert explorer.values == (41, 29, 50)
    assert "Taken: 3 numbers" in box.said.value
    assert box.upload.value == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "file must"),
        (b"1,2\n3,4\n", "must have names in its first row"),
        ("grüße\n1\n".encode("latin-1"), "must be text in UTF-8"),
        (b"a\n" + b"1\n" * 2_500_001, "5"),
    ],
    ids=["empty", "no header", "encoding", "size"],
)
def test_a_bad_file_is_refused_and_nothing_is_lost(explorer, content, message):
    before = explorer.values
    upload(explorer.column_upload.upload, content)
    assert 'role="alert"' in explorer.column_upload.said.value
    assert message in explorer.column_upload.said.value
    assert explorer.values == before


def test_where_the_file_goes_is_said(explorer):
    words = explorer.column_upload.children[1].value
    assert "at most 5 MB" in words
    assert "on Binder" in words


def test_the_record_is_a_link_and_a_file(explorer, tmp_path):
    box, explorer.use_risk = explorer.record_box, True
    box.fields["about"].value = "<script>absences</script>"
    box.write_button.click()
    links = re.findall(r'download="([^"]+)" href="data:[^,]+,([^"]+)"', box.links.value)
    texts = {name: base64.b64decode(data).decode() for name, data in links}
    assert set(texts) == {
        f"{name}{suffix}"
        for name in ("decision", "decision-public")
        for suffix in (".html", ".md", ".json")
    }
    assert Record.load(texts["decision-public.json"]).left_out
    assert "<script>" not in texts["decision.md"]
    assert Record.load(texts["decision.json"]).about == "<script>absences</script>"
    explorer.save(tmp_path / "decision.json")
    assert (tmp_path / "decision.json").read_text(encoding="utf-8") == texts["decision.json"]
    explorer.save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    explorer.epsilon = 0.2
    assert box.links.value == ""


def test_a_record_comes_back(explorer):
    explorer.use_risk, explorer.half_width, explorer.epsilon, explorer.prior = True, 0.15, 0.3, 0.05
    explorer.risk_reach = "all releases"
    words = {"about": "absences", "names": "A and B", "reasons": "because"}
    kept = explorer.record(**words)
    other = ChoiceExplorer(half_width=0.5)
    other.load(kept.json())
    assert other.result == explorer.result
    assert {name: said for name, said in other.record_box.words.items() if said} == words
    third = ChoiceExplorer()
    upload(third.record_box.upload, kept.json().encode())
    assert third.result == explorer.result
    assert "bring the column again" in third.record_box.said.value


def test_a_case_and_an_earlier_record_come_back():
    explorer = ChoiceExplorer(case=SCHOOL, half_width=0.3, use_budget=False)
    assert explorer.case == SCHOOL
    other = ChoiceExplorer()
    other.load(explorer.record().json())
    assert other.result == explorer.result
    upload(other.record_box.upload, OLD.read_bytes())
    assert other.result == ChoiceExplorer(**other.settings()).result
    assert other.case.releases == 10
    assert "format 1" in other.record_box.said.value


COUNT = replace(SCHOOL, published="count", low=None, high=None, neighbours=None)
SECRET = (
    '{"goal": "count", "count": null, "half_width": 0.1, "confidence": 0.9, "secret": true, '
    '"kept": 0.2}'
)


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"program": "another"}',
        b"[]",
        re.sub(
            r'"goals": \[.*?\],', f'"goals": [{SECRET}],', OLD.read_text("utf-8"), flags=re.S
        ).encode(),
        record(COUNT, [IntervalGoal(0.2), IntervalGoal(0.3)], 1).json().encode(),
        record(COUNT, [], 1).json().encode(),
        record(COUNT, [risk_goal(COUNT, [1, 0, 0], 0.5), ErrorGoal(9)], 1).public().json().encode(),
    ],
    ids=["no JSON", "another program", "a list", "a secret count", "two", "no goals", "no ε"],
)
def test_a_record_that_cannot_be_shown_changes_nothing(explorer, content):
    before = explorer.result
    upload(explorer.record_box.upload, content)
    assert 'role="alert"' in explorer.record_box.said.value
    assert explorer.result == before
    with pytest.raises(ValueError, match=r"."):
        explorer.load(content)


def test_a_long_column_waits_for_the_release():
    explorer = ChoiceExplorer(case=replace(SCHOOL, n=30_000), use_risk=True)
    explorer.values = [float(i % 97) for i in range(30_000)]
    assert not explorer.controls["risk"].slider.continuous_update
    assert explorer.result.choice.goals
