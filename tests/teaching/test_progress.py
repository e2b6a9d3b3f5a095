"""What is kept of a reader: no more than is said, and gone at one click."""

import json
import os
import sys
import tempfile
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import tools
from dpwidgets import Progress, Question
from dpwidgets.teaching import progress
from tools import at_once, or_message, press

A, B, C = (progress.key(prompt) for prompt in "abc")


@pytest.fixture
def path(data_directory):
    return data_directory / progress.NAME


def restart():
    """Forget the kernel, as a restart does."""
    progress.store.cache_clear()


def ask(prompt="a"):
    return Question(prompt, answer=1, hint="h", solution="s")


def answer(question, *texts):
    for text in texts or ["1"]:
        tools.ask(question, "answer", text=text)
    return question


def kept(content):
    """Return what a file holds of each question, without the last answer and its day."""
    return {key: tuple(one[:2]) for key, one in progress.read(content).items()}


def says(shown, name):
    return shown._shown.get(name, {}).get("text", "")


def test_a_question_is_known_again_after_a_restart(path):
    answer(ask(), "1", "2")
    restart()
    again = ask()
    assert (again.attempts, again.correct, again.solved) == (2, False, True)
    assert says(again, "mark") == "✓ solved before · 1 of 1"
    assert (
        says(again, "verdict")
        == says(again, "help")
        == says(again, "answer")
        == ""
    )
    assert not again._shown["solution"]["disabled"]
    answer(again, "3")
    assert kept(path.read_bytes()) == {A: (3, True)}


def test_it_keeps_the_day_and_no_answers_no_words_and_no_time(path):
    Progress()
    question = answer(ask(), "abc")  # no answer that can be read
    assert not path.parent.exists()
    days = {date.today().isoformat()}
    answer(question, "12345")
    days.add(date.today().isoformat())  # at midnight another one
    questions = json.loads(path.read_text())["questions"]
    assert questions[A].pop("day") in days
    assert questions == {A: {"attempts": 1, "solved": False, "missed": True}}
    said = says(Progress(), "kept")
    assert str(path) in said
    assert (
        "and the day of the last; no answer, no name, no time of the day"
        in said
    )


def test_progress_counts_the_questions_of_this_kernel_and_forgets_them_at_one_click(
    path,
):
    one, shown = answer(ask("a")), Progress()
    two, _ = ask("b"), ask("b")  # running a cell again asks the same question
    answer(two, "7")
    assert "Solved: 1 of 2 " in says(shown, "count")
    answer(two)
    assert says(two, "mark") == says(one, "mark") == "2 of 2 solved"
    restart()
    ask("b")
    assert "Solved: 1 of 1 " in says(Progress(), "count")
    press(shown, "forget")
    assert not path.exists()
    assert "Forgotten" in says(shown, "said")
    assert "Solved: 0 of 2 " in says(shown, "count")
    assert (one.attempts, one.solved, says(one, "mark")) == (0, False, "")
    press(one, "check")
    assert (one.attempts, one.solved) == (1, True)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"mine", "no JSON of at most 1,000,000 bytes"),
        (b"{}".ljust(10**6 + 1), "no JSON of at most 1,000,000 bytes"),
        (b'{"program": "mine"}', "no dpwidgets progress of format 2"),
    ],
)
def test_a_file_that_is_no_progress_stays_as_it_is_until_it_is_forgotten(
    path, content, why
):
    path.parent.mkdir()
    path.write_bytes(content)
    question, shown = answer(ask()), Progress()
    assert f"cannot be kept in {path} (it is {why}" in says(question, "alert")
    answer(question, "2")
    assert path.read_bytes() == content
    assert progress.store().tried(A)[:2] == (2, True)
    press(shown, "forget")
    assert says(shown, "notice") == ""
    answer(question, "3")
    assert says(question, "alert") == ""
    assert kept(path.read_bytes()) == {A: (1, False)}


def refuse(*_, **__):
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize(
    ("owner", "refused"),
    [
        (Path, "mkdir"),
        (Path, "read_bytes"),
        (tempfile, "mkstemp"),
        (os, "replace"),
    ],
)
def test_on_a_disk_that_refuses_progress_goes_on_in_memory(
    path, monkeypatch, owner, refused
):
    answer(ask("a"))
    before = path.read_bytes()
    restart()
    monkeypatch.setattr(owner, refused, refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    one, two, shown = ask("a"), answer(ask("b")), Progress()
    assert one.solved == (refused != "read_bytes")
    assert two.solved
    for said in (says(two, "alert"), says(shown, "notice")):
        assert f"cannot be kept in {path} (Permission denied)" in said
    answer(ask("c"), "2")
    store = progress.store()
    assert [store.tried(key)[:2] for key in (B, C)] == [(1, True), (1, False)]
    press(shown, "forget")
    # What cannot be deleted is not called forgotten.
    assert says(shown, "said") == ""
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_threads_of_a_kernel_lose_no_answer(path):
    """Each wrote a file of the same name beside it, and one moved the other's away."""
    texts = [*map(str, range(10))]
    jobs = [partial(answer, ask(prompt), *texts) for prompt in "ab"]
    at_once(*jobs)
    assert {one.attempts for one in progress.store().kept.values()} == {10}
    assert kept(path.read_bytes()).keys() == {A, B}


def test_without_a_folder_or_without_jupyter_everything_stays_in_memory(
    data_directory, monkeypatch
):
    data_directory.write_text("mine")  # a file in the folder's place
    for told in ("cannot be kept", ""):
        question, shown = answer(ask()), Progress()
        assert question.solved
        assert told in says(question, "alert")
        assert "in the memory of this kernel" in says(shown, "kept")
        press(shown, "forget")
        assert "Forgotten" in says(shown, "said")
        assert not question.solved
        restart()
        monkeypatch.setitem(sys.modules, "jupyter_core.paths", None)
    assert says(question, "alert") == ""
    assert data_directory.read_text() == "mine"


def test_in_a_browser_a_newer_site_with_other_folders_finds_what_an_older_one_has_kept(
    tmp_path, monkeypatch
):
    drive = tmp_path / "drive"
    monkeypatch.setattr(progress, "DRIVE", drive)
    monkeypatch.setattr(sys, "platform", "emscripten")
    for site, solved in (("lessons-1", False), ("lessons-2", True)):
        (drive / site).mkdir(parents=True)
        monkeypatch.chdir(drive / site)
        restart()
        question = ask()
        assert question.solved == solved
        answer(question)
    assert "of this browser" in says(Progress(), "kept")
    assert kept((drive / progress.NAME).read_bytes()) == {A: (2, True)}


def test_another_kernel_loses_nothing(path):
    one, other = progress.Store(path), progress.Store(path)
    one.count_answer(A, True)
    other.count_answer(B, False)
    other.count_answer(A, False)
    one.count_answer(C, True)
    assert kept(path.read_bytes()) == {
        A: (2, True),
        B: (1, False),
        C: (1, True),
    }
    other.refresh()
    assert other.kept == one.kept
    other.forget()
    one.count_answer(B, True)
    assert {*one.kept} == {B}


tried = st.builds(
    progress.Tried,
    st.integers(0, 10**6),
    st.booleans(),
    st.booleans(),
    st.just("") | st.dates().map(str),
)
keys = st.text("0123456789abcdef", min_size=16, max_size=16)


odd = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.just(10**4000),
    lambda some: (
        st.lists(some, max_size=3)
        | st.dictionaries(st.text(), some, max_size=3)
    ),
)
one = st.fixed_dictionaries(
    {
        "attempts": odd | st.just(1),
        "solved": odd | st.just(True),
        "missed": odd | st.just(False),
        "day": odd | st.just(""),
    }
)
nearly = st.fixed_dictionaries(
    {
        "program": st.just(progress.PROGRAM) | odd,
        "format": st.just(progress.FORMAT) | odd,
        "questions": odd
        | st.dictionaries(keys | st.text(), odd | one, max_size=3),
    }
)


@given(
    (nearly | odd).map(json.dumps).map(str.encode) | st.binary(),
    st.dictionaries(keys, tried),
)
def test_what_is_written_is_read_and_any_other_file_gets_a_message(
    content, written
):
    assert progress.read(progress.write(written).encode()) == written
    kept = or_message(progress.read, content, says=["it "])
    if kept is not None:
        assert progress.read(progress.write(kept).encode()) == kept
