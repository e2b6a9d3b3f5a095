"""The choice explorer without a browser: goals, a column of one's own, and the record."""

from dataclasses import replace

import pytest

from dpwidgets import ChoiceExplorer, PlanExplorer
from dpwidgets.decisions.case import Case, others
from dpwidgets.decisions.choice import risk_goal
from dpwidgets.decisions.goals import KINDS, ErrorGoal, IntervalGoal
from dpwidgets.decisions.record import CaseRecord, Record, of_case
from tools import ask, opened, shown, upload

SCHOOL = Case(
    published="mean", n=12, low=0, high=100, unit="years", releases=2, prior=0.1, reference=40,
    confidence=0.8,
)  # fmt: skip
COUNT = replace(
    SCHOOL,
    published="count",
    low=None,
    high=None,
    neighbours=None,
    reference=4,
)
COLUMN = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 30]


@pytest.fixture
def explorer():
    return ChoiceExplorer()


def test_epsilon_follows_the_suggestion_until_it_is_chosen(explorer):
    assert explorer.epsilon == 0.15
    options = shown(explorer, "options")["options"]
    assert [label for label, _ in options][::2] == [
        "most private: ε = 0.15",
        "most precise: ε = 0.245",
    ]
    assert "within ±12.3 patients (3.06%)" in options[2][1]
    explorer.half_width = 0.04
    assert explorer.epsilon == 0.188
    ask(explorer, "options", place=2)
    assert explorer.epsilon == 0.245
    explorer.half_width = 0.05
    assert explorer.epsilon == 0.245
    explorer.releases = 12
    assert explorer.result.choice.feasible.empty
    assert shown(explorer, "options")["options"] == []
    explorer.delta = 1e-5
    assert explorer.sentence.endswith(explorer.case.large_deltas[0])


def test_the_record_is_a_link_and_a_file(explorer):
    explorer.use_risk = True
    ask(explorer, "record about", text="<script>absences</script>")
    ask(explorer, "write", pressed=True)
    texts = {name: text for name, _, text in shown(explorer, "files")["files"]}
    both = {
        f"{name}{suffix}"
        for name in ("decision", "decision-public")
        for suffix in (".html", ".md", ".json")
    }
    assert set(texts) == both | {"label.html", "decision.py"}
    assert CaseRecord.load(texts["decision-public.json"]).left_out
    assert "<script>" not in texts["decision.md"]
    assert "&lt;script&gt;" in texts["label.html"]
    assert (
        CaseRecord.load(texts["decision.json"]).about
        == "<script>absences</script>"
    )
    for change in (
        {"name": "record names", "text": "A and B"},
        {"name": "epsilon", "text": "0.2"},
    ):
        ask(explorer, **change)
        assert shown(explorer, "files")["files"] == []  # they lack this
        ask(explorer, "write", pressed=True)
        assert shown(explorer, "files")["files"]
    assert (
        shown(explorer, "record about")["text"] == "<script>absences</script>"
    )
    ask(explorer, "record names", text="x" * 10_001)  # no record can hold them
    ask(explorer, "write", pressed=True)
    assert "names must " in shown(explorer, "record wrong")["text"]
    assert not shown(explorer, "files")["files"]


def count(explorer, *records):
    """Choose records that count before."""
    upload(explorer, "count", *(one.json().encode() for one in records))


@pytest.mark.parametrize("kind", [ChoiceExplorer, PlanExplorer])
def test_a_record_counts_before_once_and_an_odd_one_changes_nothing(kind):
    explorer = kind(neighbours="replace") if kind is ChoiceExplorer else kind()
    explorer.total = 9
    explorer.posterior = 0.99
    noted = replace(COUNT, releases=12, delta=1e-6, neighbours="replace")
    kept = of_case(noted, [], 0.1, date="2024")
    more = of_case(noted, [], 0.2, date="2025", about="visits")
    count(explorer, kept, more)
    said = shown(explorer, "record said")["text"]
    assert "Counted before this decision: “2024”: ε = " in said
    assert "; “visits, 2025”: ε = " in said
    assert explorer.before == (*kept.earlier(), *more.earlier())
    count(explorer, kept)
    assert shown(explorer, "record said")["text"].startswith(
        "Nothing is added"
    )
    explorer.before = kept.earlier()
    wrong = of_case(replace(noted, mechanism="Gaussian"), [], 0.1, date="2025")
    explorer.delta = 0
    for content, says in (
        (b'{"program": "another"}', "another program"),
        (
            wrong.json().encode(),
            "delta must be above 0 for Gaussian noise, also of earlier",
        ),
    ):
        upload(explorer, "count", content)
        assert says in shown(explorer, "record wrong")["text"]
    assert explorer.before == kept.earlier()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ChoiceExplorer, PlanExplorer])
def test_a_record_keeps_its_id_until_something_is_decided_otherwise(kind):
    explorer = kind(total=99, posterior=0.999)
    if kind is ChoiceExplorer:
        explorer.neighbours, explorer.epsilon = "replace", 0.1
    else:
        explorer.use_belief, explorer.factor, explorer.household = True, 0.8, 2

    def downloaded():
        ask(explorer, "write", pressed=True)
        files = {
            name: text for name, _, text in shown(explorer, "files")["files"]
        }
        record = Record.load(files["decision.json"])
        for name in ("decision.html", "decision.md"):
            assert f"This is record {record.id}" in files[name]
        return record

    first = downloaded()
    assert downloaded().id == first.id == explorer.record().id
    other = kind()
    upload(other, "bring", first.json().encode())
    assert other.record().id == first.id
    assert other.result == explorer.result
    ask(explorer, "record date", text="2026")
    second = downloaded()
    count(explorer, second)
    after = downloaded()
    assert len({first.id, second.id, after.id}) == 3
    # It counts before, and so it is no copy of what is decided now.
    assert [one.id for one in after.whole.before] == [second.id]


def test_what_others_used_is_a_line_with_a_name_and_numbers(explorer):
    ask(
        explorer,
        "before",
        text="the census: epsilon=0,5, rho=5e-2\n\nx: y: epsilon=1",
    )
    census = others("the census", epsilon=0.5, rho=0.05)
    odd = others("x: y", epsilon=1)
    assert explorer.before == (census, odd)
    explorer.before = explorer.before[::-1]
    lines = "x: y: epsilon=1\nthe census: epsilon=0.5, rho=0.05"
    assert shown(explorer, "before")["text"] == lines
    words = "what x: y and the census used up"
    assert explorer.result.whole.past.words == words
    # What no line says stands as its JSON, and comes back.
    for strange in ("{", "a\nb", " a", "a: b=1, epsilon=2"):
        explorer.before = [
            others(strange, rho=0.1, neighbours="replace"),
            census,
        ]
        assert len(explorer.before) == 2
        text = shown(explorer, "before")["text"]
        kept = explorer.before
        explorer.before = ()
        ask(explorer, "before", text=text)
        assert explorer.before == kept
    for wrong in (
        "epsilon=1",
        "a: epsilon",
        "a: b=1",
        "a: rho=1, rho=2",
        "a: ",
        "{",
    ):
        ask(explorer, "before", text=wrong)
        assert explorer.messages["before"], wrong


def test_a_record_of_all_goals_comes_back_but_for_its_column():
    explorer = ChoiceExplorer(case=SCHOOL, values=COLUMN, risk=0.25)
    for kind in KINDS:
        setattr(explorer, f"use_{kind}", True)
    assert {goal.kind for goal in explorer.result.goals} == set(KINDS)
    words = {"about": "absences", "names": "A and B", "reasons": "because"}
    other = ChoiceExplorer(half_width=0.5)
    upload(other, "bring", explorer.record(**words).json().encode())
    assert "let its goal count" in shown(other, "record said")["text"]
    assert (other.use_risk, other.risk, other.n) == (False, 0.25, 12)
    fields = {name: shown(other, f"record {name}")["text"] for name in words}
    assert fields == words
    other.values, other.use_risk = COLUMN, True
    assert other.result == explorer.result
    counted = of_case(
        COUNT, [ErrorGoal(9), risk_goal(COUNT, [0, 1] * 6, 0.5)], 1
    )
    # Of as many people, but the days here are no column of a count.
    other.load(counted.json())
    assert (other.use_risk, other.published, other.values) == (
        False,
        "count",
        tuple(COLUMN),
    )


def test_truth_values_are_a_column_of_a_count(explorer):
    explorer.use_risk, explorer.n = True, None
    explorer.values = [True, False, False, True]
    assert not explorer.messages
    assert explorer.values == (1, 0, 0, 1)
    assert explorer.result.goals[1].worlds.values.tolist() == [1, 0, 0, 1]


def test_a_record_that_cannot_be_shown_changes_nothing(explorer):
    before = explorer.result, explorer.state
    for content in (
        b"{",
        of_case(COUNT, [IntervalGoal(0.2), IntervalGoal(0.3)], 1)
        .json()
        .encode(),
        of_case(COUNT, [], 1).json().encode(),
        of_case(COUNT, [risk_goal(COUNT, [0, 1] * 6, 0.5)], 1)
        .public()
        .json()
        .encode(),
        of_case(COUNT, [ErrorGoal(9)], None).json().encode(),
    ):
        upload(explorer, "bring", content)
        said = shown(explorer, "record wrong")["text"]
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            explorer.load(content)
        assert str(caught.value) in said
        assert (explorer.result, explorer.state) == before
        assert not explorer.messages


def test_without_a_suggestion_the_explorer_refuses(explorer):
    explorer.posterior = 0.1  # below the prior
    assert explorer.result.epsilon is None
    assert shown(explorer, "options")["options"] == []
    assert "the chosen one" not in " ".join(opened(explorer))
    refusal = explorer.record()
    assert (refusal.epsilon, refusal.met) == (None, ())
    assert "Nothing is published" in refusal.markdown()
    explorer.view = "stress"
    for struck in ("use_belief", "use_budget", "use_interval"):
        setattr(explorer, struck, False)
    assert "at least one goal" in explorer.messages["use_interval"]
    with pytest.raises(ValueError, match="no decision to record: goals must"):
        explorer.record()
