"""What a student shares with the class: nothing without their word, and no more than it says."""

import json

import pytest

import tools
from dpwidgets import Progress, Question, Review
from dpwidgets.teaching import progress, sharing


@pytest.fixture
def file(data_directory, monkeypatch):
    """The file of a student on a hub; it is not there before they agree."""
    monkeypatch.setenv(sharing.STUDENT, "s1")
    return data_directory / sharing.NAME


def share(yes=True):
    shown = Progress()
    tools.ask(shown, "share", place=0 if yes else 1)
    return shown


def answered(prompt, text, misconceptions=None):
    question = Question(
        prompt, 1, misconceptions=misconceptions or {2: "that is two"}
    )
    tools.ask(question, "answer", text=text)
    return question


def parts(shown):
    return [part.get("name") for part in shown._about["parts"]]


def test_nothing_is_shared_before_a_student_agrees_or_where_there_is_no_hub(
    file, monkeypatch
):
    shown = Progress()._shown
    assert (shown["share"]["place"], shown["shared"]["text"]) == (
        1,
        sharing.TERMS,
    )
    answered("a", "2")
    assert not file.exists()
    monkeypatch.delenv(sharing.STUDENT)
    shown = share()
    assert "share" not in parts(shown)
    assert not file.exists()


def test_what_is_shared_are_the_questions_answered_and_the_last_misconception_of_each(
    file,
):
    assert share()._shown["share"]["place"] == 0
    first, second = answered("a", "2"), answered("b", "7")
    met = progress.key(first.key, "Not yet: that is two.")
    assert json.loads(file.read_text())["questions"] == {
        first.key: met,
        second.key: "",
    }
    tools.ask(first, "answer", text="1")
    assert sharing.read(file.read_bytes()) == {first.key: met, second.key: ""}
    assert "two" not in file.read_text()


def test_no_question_of_a_review_is_shared(file):
    share()
    for question in Review(seed=1).questions:
        question.given = question.choices[0] if question.choices else "1"
        question.submit()
    assert sharing.read(file.read_bytes()) == {}


def test_to_share_no_more_deletes_all_that_was_shared(file):
    share()
    answered("a", "2")
    assert share(False)._shown["share"]["place"] == 1
    assert not file.exists()
    answered("a", "1")
    assert not file.exists()


def test_a_damaged_file_or_disk_keeps_nobody_from_answering(file, monkeypatch):
    share()
    for odd, says in (
        (b"{", "no JSON"),
        (b"[" * 10**5, "no JSON"),
        (b"\xff", "no JSON"),
        (b'{"program": 1}', "no dpwidgets shared of format 1"),
        (b" " * 10**6, "no JSON of at most 0.1 MB"),
    ):
        file.write_bytes(odd)
        assert answered("a", "1").correct
        with pytest.raises(ValueError, match=says):
            sharing.read(odd)
    file.unlink()
    file.mkdir()
    assert answered("a", "1").correct
    file.rmdir()
    blocked = OSError(28, "No space left on device")
    monkeypatch.setattr(
        sharing, "replace", lambda *_: (_ for _ in ()).throw(blocked)
    )
    assert "No space left" in share()._shown["wrong"]["text"]
