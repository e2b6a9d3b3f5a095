"""The choice explorer without a browser: goals, a column of one's own, and the record."""

import base64
import re

import pytest

from dpwidgets import ChoiceExplorer
from dpwidgets.calculators.choice import CountGoal, Record, record
from tools import upload


@pytest.fixture
def explorer():
    return ChoiceExplorer()


def shown(explorer):
    return {name for name, control in explorer.controls.items() if control.layout.display != "none"}


def test_one_goal_is_shown_at_a_time_and_all_count(explorer):
    assert shown(explorer) == {"goal", "use_count", "count", "half_width", "confidence", "epsilon"}
    explorer.goal = "risk"
    assert shown(explorer) == {"goal", "use_risk", "values", "query", "risk", "epsilon"}
    assert [goal.kind for goal in explorer.result.goals] == ["count", "risk", "breach"]


def test_a_goal_can_be_left_out(explorer):
    explorer.use_count = False
    assert [goal.kind for goal in explorer.result.goals] == ["risk", "breach"]
    assert "count=" not in explorer.code
    assert shown(explorer) == {"goal", "use_count", "epsilon"}
    explorer.use_risk = explorer.use_breach = False
    assert "at least one goal" in explorer.messages[""]
    explorer.use_budget = True
    assert not explorer.messages


def test_epsilon_follows_the_suggestion_until_it_is_chosen(explorer):
    assert explorer.epsilon == 0.0805
    explorer.half_width = 0.1
    assert explorer.epsilon == 0.161
    explorer.epsilon = 0.3
    explorer.half_width = 0.2
    assert explorer.epsilon == 0.3
    explorer.epsilon = None
    assert explorer.epsilon == 0.0805


def test_goals_that_contradict_each_other_say_how_to_give_way(explorer):
    explorer.half_width = 0.01
    assert explorer.result.choice.feasible.empty
    assert (
        "It would do to say: “A count of 100 shall lie within ±3.73% with a probability of 80%.”"
        in explorer.sentence
    )


def test_the_warning_stands_below(explorer):
    assert "depends on your data: not for publishing" in explorer.noted.value
    explorer.use_risk = False
    assert "not for publishing" not in explorer.noted.value


def test_a_file_brings_a_column(explorer):
    box = explorer.column_upload
    upload(box.upload, b"<b>age</b>,name\n41,Ann\n29,Bob\n50,Cy\n")
    assert "3 rows and these columns: &lt;b&gt;age&lt;/b&gt;, name." in box.said.value
    assert explorer.values == {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
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
    box = explorer.record_box
    box.fields["about"].value = "<script>absences</script>"
    box.write_button.click()
    links = re.findall(r'download="([^"]+)" href="data:[^,]+,([^"]+)"', box.links.value)
    texts = {name: base64.b64decode(data).decode() for name, data in links}
    assert set(texts) == {"decision.md", "decision.json"}
    assert "<script>" not in texts["decision.md"]
    assert Record.load(texts["decision.json"]).about == "<script>absences</script>"
    explorer.save(tmp_path / "decision.json")
    assert (tmp_path / "decision.json").read_text(encoding="utf-8") == texts["decision.json"]
    explorer.save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    explorer.epsilon = 0.2
    assert box.links.value == ""


def test_a_record_comes_back(explorer):
    explorer.use_budget, explorer.half_width, explorer.epsilon, explorer.prior = (
        True,
        0.15,
        0.3,
        0.05,
    )
    kept = explorer.record(about="absences", names="A and B", date="1 May")
    other = ChoiceExplorer(half_width=0.5)
    other.load(kept.json())
    assert other.result == explorer.result
    assert other.record_box.words == {"about": "absences", "names": "A and B", "date": "1 May"}
    third = ChoiceExplorer()
    upload(third.record_box.upload, kept.json().encode())
    assert third.result == explorer.result
    assert "bring the column again" in third.record_box.said.value


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"program": "another"}',
        b"[]",
        record(1, [CountGoal(100, 0.2, 0.8, secret=True)]).json().encode(),
        record(1, [CountGoal(100, 0.2, 0.8), CountGoal(50, 0.2, 0.8)]).json().encode(),
        record(1).json().encode(),
    ],
    ids=["no JSON", "another program", "a list", "a secret count", "two of a kind", "no goals"],
)
def test_a_record_that_cannot_be_shown_changes_nothing(explorer, content):
    before = explorer.result
    upload(explorer.record_box.upload, content)
    assert 'role="alert"' in explorer.record_box.said.value
    assert explorer.result == before
    with pytest.raises(ValueError, match=r"."):
        explorer.load(content)


def test_a_long_column_waits_for_the_release(explorer):
    explorer.values = [float(i % 997) for i in range(30_000)]
    assert not explorer.controls["risk"].slider.continuous_update
    assert explorer.result.choice.feasible.high > 0
