"""Progress outlives the kernel, never crashes, is never printed, and is forgotten at one click."""

import json
import sys
from datetime import date
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, strategies as st

import tools
from dpwidgets import Progress, Question
from dpwidgets.teaching import progress
from tools import assert_readable, press, upload

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


def downloaded(shown):
    ((_, _, text),) = shown._shown["download"]["files"]
    return text.encode()


def test_a_question_is_known_again_after_a_restart(path):
    answer(ask(), "1", "2")
    restart()
    again = ask()
    assert (again.attempts, again.right, again.solved) == (2, False, True)
    assert says(again, "mark") == "✓ solved before · 1 of 1"
    assert says(again, "verdict") == says(again, "help") == says(again, "answer") == ""
    assert not again._shown["solution"]["disabled"]
    answer(again, "3")
    assert kept(path.read_bytes()) == {A: (3, True)}


def test_it_keeps_the_day_and_no_answers_no_words_and_no_time(path):
    Progress()
    question = answer(ask(), "abc")  # no answer that can be read
    assert not path.parent.exists()
    answer(question, "12345")
    today = {"attempts": 1, "solved": False, "missed": True, "day": date.today().isoformat()}
    assert json.loads(path.read_text())["questions"] == {A: today}
    said = says(Progress(), "kept")
    assert str(path) in said
    assert "and the day of the last; no answer, no name, no time of the day" in said


def test_progress_counts_the_questions_of_this_kernel_and_forgets_them_at_one_click(path):
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


GOOD = {"attempts": 1, "solved": True, "missed": False, "day": ""}
ODD = [
    *({"attempts": odd} for odd in (True, -5, 0, 10**9 + 1, 10**4000, 1.0, "1")),
    *({"day": odd} for odd in ("today", "2026-02-30", "20261122", "2026-11-22 ", "9" * 999, 1)),
]


def changed(name=A, **odd):
    """Return a file of one question, in which something is odd."""
    about = {"program": progress.PROGRAM, "format": progress.FORMAT, "version": "0"}
    return json.dumps(about | {"questions": {name: GOOD | odd}}).encode()


def test_what_is_no_progress_is_refused_says_why_and_changes_nothing(path):
    answer(ask())
    shown, before = Progress(), path.read_bytes()
    begun = {"program": progress.PROGRAM}
    for content, reason in (
        (b"\xff", "it is no JSON of at most 1 MB"),
        (json.dumps(begun | {"format": 1, "questions": {}}).encode(), "it is no progress"),
        *((changed(**odd), f"it is damaged at '{A}'") for odd in ODD),
        (changed("a" * 15), "it is damaged at 'aaa"),
    ):
        upload(shown, "load", content)
        assert f"This file cannot be loaded: {reason}" in says(shown, "wrong")
        assert not says(shown, "said")
    assert path.read_bytes() == before
    assert "file" not in shown._asked  # it is kept no longer than it takes to read it


def test_a_file_that_is_no_progress_stays_as_it_is_until_it_is_forgotten(path):
    path.parent.mkdir()
    path.write_bytes(b"mine")
    question, shown = answer(ask()), Progress()
    assert f"cannot be kept in {path} (it is no JSON" in says(question, "alert")
    answer(question, "2")
    assert path.read_bytes() == b"mine"
    assert kept(downloaded(shown)) == {A: (2, True)}
    press(shown, "forget")
    assert says(shown, "notice") == ""
    answer(question, "3")
    assert says(question, "alert") == ""
    assert kept(path.read_bytes()) == {A: (1, False)}


def refuse(*_, **__):
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("refused", ["mkdir", "read_bytes", "write_text", "replace"])
def test_on_a_disk_that_refuses_progress_goes_on_in_memory(path, monkeypatch, refused):
    answer(ask("a"))
    before = path.read_bytes()
    restart()
    monkeypatch.setattr(Path, refused, refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    one, two, shown = ask("a"), answer(ask("b")), Progress()
    assert one.solved == (refused != "read_bytes")
    assert two.solved
    for said in (says(two, "alert"), says(shown, "notice")):
        assert f"cannot be kept in {path} (Permission denied)" in said
    answer(ask("c"), "2")
    assert kept(downloaded(shown)).items() >= {B: (1, True), C: (1, False)}.items()
    press(shown, "forget")
    assert says(shown, "said") == ""  # what cannot be deleted is not called forgotten
    monkeypatch.undo()
    assert path.read_bytes() == before


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


def test_a_download_is_loaded_back_where_the_disk_vanished(path):
    answer(ask("a"), "2", "1")
    answer(ask("b"))
    content = downloaded(Progress())
    path.unlink()
    restart()
    one, shown = answer(ask("a"), "5", "6", "7"), Progress()
    upload(shown, "load", content)
    assert says(shown, "said") == "Loaded, of all notebooks: 2 answered, 2 of them solved."
    assert (one.attempts, one.solved) == (2, True)
    assert kept(path.read_bytes()) == {A: (2, True), B: (1, True)}  # what was right stays so


def test_another_kernel_loses_nothing(path):
    one, other = progress.Store(path), progress.Store(path)
    one.count_answer(A, True)
    other.count_answer(B, False)
    other.count_answer(A, False)
    one.count_answer(C, True)
    assert kept(path.read_bytes()) == {A: (2, True), B: (1, False), C: (1, True)}
    other.refresh()
    assert other.kept == one.kept
    other.forget()
    one.count_answer(B, True)
    assert {*one.kept} == {B}


def many(count, first=0):
    """Return the file of so many questions, of others than A, B and C."""
    kept = {
        f"{first + at:016x}": progress.Tried(1, True, False, "2026-11-22") for at in range(count)
    }
    return progress.write(kept).encode()


def test_it_writes_no_file_that_it_cannot_read(path, monkeypatch):
    """Two files, each small enough to be loaded, that are too large together."""
    monkeypatch.setattr(progress, "LARGEST", 20_000)
    answer(ask())
    shown = Progress()
    upload(shown, "load", many(120))
    assert "Loaded" in says(shown, "said")
    before = path.read_bytes()
    upload(shown, "load", many(120, first=10**6))
    assert "larger than 0.02 MB" in says(shown, "wrong")
    assert path.read_bytes() == before
    assert len(progress.store().kept) == 121
    restart()
    assert ask().solved
    # Nor where one more answer is too much: the file stays, and the answer is kept in memory.
    room = progress.LARGEST - len(before)
    upload(shown := Progress(), "load", many(room // 110, first=10**6))
    full = path.read_bytes()
    asked = [answer(ask(str(at))) for at in range(30)]
    assert len(progress.read(path.read_bytes())) >= len(progress.read(full))
    assert all(question.solved for question in asked)
    assert "larger than 0.02 MB" in says(shown, "notice")
    assert progress.store().kept.keys() >= {progress.key(str(at)) for at in range(30)}


def test_threads_of_one_kernel_lose_nothing_and_two_kernels_nothing_but_counts(path):
    answers, names = 40, [f"{at:016x}" for at in range(4)]
    store, other = progress.Store(path), progress.Store(path)
    for stores, least in (([store] * 4, answers), ([store, other] * 2, 1)):
        store.forget()

        def work(one, name):
            for _ in range(answers):
                one.count_answer(name, True)

        threads = [Thread(target=work, args=pair) for pair in zip(stores, names, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.notice == other.notice == ""
        assert store.lasting
        found = progress.read(path.read_bytes())
        assert all(least <= found[name].attempts <= answers for name in names if name in found)
        assert len(found) == 4 or least == 1
        assert [*path.parent.iterdir()] == [path]


def test_after_a_full_disk_is_free_again_all_is_kept(path, monkeypatch):
    answer(ask("a"))
    before, written = path.read_bytes(), Path.write_text

    def full(file, text, **options):
        written(file, text[:50], **options)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_text", full)
        question, shown = answer(ask("b"), "2", "3"), Progress()
        assert "(No space left on device). It lasts until" in says(question, "alert")
        assert "No space left" in says(shown, "notice")
        assert path.read_bytes() == before
        assert [*path.parent.iterdir()] == [path]  # nothing of what was written by half
        assert kept(downloaded(shown)) == {A: (1, True), B: (2, False)}
        progress.Store(path).forget()  # whatever another kernel does meanwhile
        assert not progress.store().lasting
    other = progress.Store(path)
    other.count_answer(C, True)
    answer(question)
    assert says(question, "alert") == says(shown, "notice") == ""
    assert progress.store().lasting
    assert kept(path.read_bytes()) == {B: (3, True), C: (1, True)}


days = st.just("") | st.dates().map(str)
tried = st.builds(progress.Tried, st.integers(1, 10**9), st.booleans(), st.booleans(), days)
keys = st.text("0123456789abcdef", min_size=16, max_size=16)


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**4000),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(), some, max_size=3),
)
one = st.fixed_dictionaries({name: odd | st.just(good) for name, good in GOOD.items()})
nearly = st.fixed_dictionaries(
    {
        "program": st.just(progress.PROGRAM) | odd,
        "format": st.just(progress.FORMAT) | odd,
        "questions": odd | st.dictionaries(keys | st.text(), odd | one, max_size=3),
    }
)


@given((nearly | odd).map(json.dumps).map(str.encode) | st.binary(), st.dictionaries(keys, tried))
def test_what_is_written_is_read_and_any_other_file_gets_a_message(content, written):
    assert progress.read(progress.write(written).encode()) == written
    try:
        kept = progress.read(content)
    except ValueError as error:
        assert_readable(error, "it ")
        return
    assert progress.read(progress.write(kept).encode()) == kept
