"""Progress outlives the kernel, never crashes, is never printed, and is forgotten at one click."""

import json
import re
import sys
from datetime import date
from pathlib import Path

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


def answer(question, text="1"):
    tools.ask(question, "answer", text=text)
    return question


def short(kept):
    """Return what is kept of each question without the last answer and its day."""
    return {key: tuple(one[:2]) for key, one in kept.items()}


def says(shown, name):
    return shown._shown.get(name, {}).get("text", "")


def downloaded(shown):
    ((name, kind, text),) = shown._shown["download"]["files"]
    assert (name, kind) == (progress.NAME, "application/json")
    return text.encode()


def test_a_question_is_known_again_after_a_restart(path):
    first = answer(answer(ask(), "2"))
    assert (first.attempts, first.right, first.solved) == (2, True, True)
    assert says(first, "mark") == "1 of 1 solved"
    restart()
    again = ask()
    assert (again.attempts, again.right, again.solved) == (2, False, True)
    assert says(again, "mark") == "✓ solved before · 1 of 1"
    assert says(again, "answer") == ""
    assert says(again, "verdict") == says(again, "help") == ""
    assert not again._shown["solution"]["disabled"]
    answer(again, "3")
    assert (again.attempts, again.right, again.solved) == (3, False, True)
    assert short(progress.read(path.read_bytes())) == {A: (3, True)}


def test_it_keeps_the_day_and_no_answers_no_words_and_no_time(path):
    chosen = Question("up?", answer="down", choices=("up", "down"))
    tools.ask(chosen, "answer", place=0)
    answer(ask(), "12345")
    found = json.loads(path.read_text())
    assert found.keys() == {"program", "format", "version", "questions"}
    today = date.today().isoformat()
    kept = {"attempts": 1, "solved": False, "missed": True, "day": today}
    assert found["questions"] == {A: kept}
    said = says(Progress(), "kept")
    assert str(path) in said
    assert "and the day of the last; no answer, no name, no time of the day" in said


def test_nothing_is_counted_nor_written_before_an_answer_that_can_be_read(path):
    Progress()
    question = answer(ask(), "abc")
    assert "is not a number" in question._shown["answer"]["message"]
    assert question.attempts == 0
    assert not path.parent.exists()


def test_progress_counts_the_questions_of_this_kernel(path):
    one, shown = ask("a"), Progress()
    assert "Solved: 0 of 1 " in says(shown, "count")
    answer(one)
    two, _ = ask("b"), ask("b")  # running a cell again asks the same question
    assert "Solved: 1 of 2 " in says(shown, "count")
    answer(two, "7")
    assert "Solved: 1 of 2 " in says(shown, "count")
    answer(two)
    assert says(two, "mark") == says(one, "mark") == "2 of 2 solved"
    restart()
    ask("b")
    assert "Solved: 1 of 1 " in says(Progress(), "count")


def test_one_click_forgets_everything(path):
    question, shown = answer(ask()), Progress()
    press(shown, "forget")
    assert not path.exists()
    assert "Forgotten" in says(shown, "said")
    assert "Solved: 0 of 1 " in says(shown, "count")
    assert (question.attempts, question.solved, says(question, "mark")) == (0, False, "")
    press(question, "check")
    assert (question.attempts, question.solved) == (1, True)


GOOD = {"attempts": 1, "solved": True, "missed": False, "day": ""}
BEGUN = {"program": "dpwidgets progress", "format": 2}
#: What a file may hold of one question that is no good, and under which name.
DAMAGED = [
    ("<b>", GOOD),
    ("\ud83d", GOOD),
    (A, 1),
    (A, {"attempts": 1, "solved": True}),
    *((A, GOOD | {"attempts": attempts}) for attempts in (-1, True, 1.0, 1_000_001)),
    *((A, GOOD | more) for more in ({"solved": "yes"}, {"more": 1})),
    *((A, GOOD | {"day": day}) for day in ("2026-1-01", "20261122", " ", "2026-11-22T10:00")),
]


def test_what_is_no_progress_is_refused_and_says_why():
    for content, reason in (
        (b"\xff\xfe", "it is no JSON"),
        (b"", "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b" " * 1_000_001, "it is larger than 1 MB"),
        (b'{"program": "dpwidgets progress", "program": "dpwidgets progress"}', "it is no JSON"),
        (b"[1]", "it comes from another program"),
        (b'{"program": "other"}', "it comes from another program"),
        (json.dumps(BEGUN | {"format": 1}).encode(), "it has another format than 2"),
        (json.dumps(BEGUN).encode(), "it is damaged: it has no questions"),
        *(
            (json.dumps(BEGUN | {"questions": {name: one}}).encode(), "it is damaged at")
            for name, one in DAMAGED
        ),
    ):
        with pytest.raises(ValueError, match=reason):
            progress.read(content)


def test_a_file_that_is_no_progress_stays_as_it_is_until_it_is_forgotten(path):
    path.parent.mkdir()
    path.write_bytes(b"mine")
    question, shown = ask(), Progress()
    answer(question)
    for said in (says(question, "alert"), says(shown, "notice")):
        assert f"cannot be kept in {path} (it is no JSON" in said
    assert "in the memory of this kernel" in says(shown, "kept")
    assert path.read_bytes() == b"mine"
    answer(question, "2")
    assert short(progress.read(downloaded(shown))) == {A: (2, True)}
    press(shown, "forget")
    assert says(shown, "notice") == ""
    answer(question, "3")
    assert says(question, "alert") == ""
    assert short(progress.read(path.read_bytes())) == {A: (1, False)}


def refuse(*_, **__):
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("refused", ["write_text", "replace"])
def test_on_an_unwritable_disk_progress_goes_on_in_memory(path, monkeypatch, refused):
    answer(ask("a"))
    before = path.read_bytes()
    restart()
    monkeypatch.setattr(Path, refused, refuse)
    one, two, shown = ask("a"), ask("b"), Progress()
    assert says(one, "alert") == ""
    assert one.solved
    answer(two)
    assert f"cannot be kept in {path} (Permission denied)" in says(two, "alert")
    assert says(two, "verdict") == "✓ Right."
    answer(ask("c"), "2")
    assert "Solved: 2 of 3 " in says(shown, "count")
    assert "in the memory of this kernel" in says(shown, "kept")
    assert "Permission denied" in says(shown, "notice")
    assert short(progress.read(downloaded(shown))) == {A: (1, True), B: (1, True), C: (1, False)}
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_or_read_is_no_obstacle(data_directory, monkeypatch):
    for blocked in ("mkdir", "read_bytes"):
        restart()
        with monkeypatch.context() as patch:
            patch.setattr(Path, blocked, refuse)
            question = answer(ask(blocked))
        assert question.solved
        assert "Permission denied" in says(question, "alert")
    restart()
    data_directory.write_text("mine")  # a file in the folder's place
    question, shown = answer(ask()), Progress()
    assert question.solved
    assert "cannot be kept" in says(question, "alert")
    press(shown, "forget")
    assert "Forgotten" in says(shown, "said")
    assert data_directory.read_text() == "mine"


def test_a_file_that_cannot_be_deleted_is_not_called_forgotten(path, monkeypatch):
    answer(ask())
    monkeypatch.setattr(Path, "unlink", refuse)
    shown = Progress()
    press(shown, "forget")
    assert says(shown, "said") == ""
    assert f"The file {path} (Permission denied) could not be deleted" in says(shown, "wrong")


def test_without_jupyter_everything_stays_in_memory(data_directory, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", None)
    question, shown = answer(ask()), Progress()
    assert question.solved
    assert says(question, "alert") == ""
    assert "in the memory of this kernel" in says(shown, "kept")
    assert not data_directory.exists()
    press(shown, "forget")
    assert not question.solved


def test_a_download_is_loaded_back_where_the_disk_vanished(path):
    answer(answer(ask("a"), "2"))
    answer(ask("b"))
    content = downloaded(Progress())
    path.unlink()
    restart()
    one, shown = ask("a"), Progress()
    answer(answer(answer(one, "5"), "6"), "7")
    upload(shown, "load", content)
    assert (
        says(shown, "said") == "Loaded, of all notebooks: 2 questions answered, 2 of them solved."
    )
    assert (one.attempts, one.solved) == (3, True)
    assert short(progress.read(path.read_bytes())) == {A: (3, True), B: (1, True)}


def test_a_file_that_is_no_progress_is_refused_and_nothing_changes(path):
    answer(ask())
    shown = Progress()
    before = path.read_bytes()
    for content, reason in ((b"<b>", "it is no JSON"), (b'{"program": "x"}', "another program")):
        upload(shown, "load", content)
        assert "This file cannot be loaded: it" in says(shown, "wrong")
        assert reason in says(shown, "wrong")
        assert not says(shown, "said")
        assert path.read_bytes() == before
    assert "file" not in shown._asked  # it is kept no longer than it takes to read it


def test_what_it_prints_never_depends_on_the_reader(path):
    def printed():
        pages = Progress()._repr_mimebundle_(), ask()._repr_mimebundle_()
        return [(page["text/plain"], page["text/html"]) for page, _ in pages]

    before = printed()
    answer(ask())
    restart()
    assert printed() == before
    path.write_text("broken")
    restart()
    assert printed() == before
    assert repr(Progress()) == "Progress of the questions in this notebook"


def test_another_kernel_loses_nothing(path):
    one, other = progress.Store(path), progress.Store(path)
    one.count_answer(A, True)
    other.count_answer(B, False)
    other.count_answer(A, False)
    one.count_answer(C, True)
    assert short(one.kept) == {A: (2, True), B: (1, False), C: (1, True)}
    assert progress.read(path.read_bytes()) == one.kept
    other.refresh()
    assert other.kept == one.kept
    other.forget()
    one.count_answer(B, True)
    assert short(one.kept) == {B: (1, True)}


days = st.just("") | st.dates().map(str)
tried = st.builds(
    progress.Tried, st.integers(1, progress.MOST_ATTEMPTS), st.booleans(), st.booleans(), days
)
keys = st.text("0123456789abcdef", min_size=16, max_size=16)


@given(st.dictionaries(keys, tried))
def test_what_is_written_is_read(kept):
    assert progress.read(progress.write(kept).encode()) == kept


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**4000),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(), some, max_size=3),
)
nearly = st.fixed_dictionaries(
    {
        "program": st.just(progress.PROGRAM) | odd,
        "format": st.just(progress.FORMAT) | odd,
        "questions": odd
        | st.dictionaries(
            keys | st.text(),
            odd
            | st.fixed_dictionaries(
                {"attempts": odd | st.just(1), "solved": odd},
                optional={"missed": odd | st.booleans(), "day": odd | days},
            ),
            max_size=3,
        ),
    },
    optional={"version": odd},
)


@given((nearly | odd).map(json.dumps).map(str.encode) | st.binary())
def test_any_file_is_progress_or_gets_a_message(content):
    try:
        kept = progress.read(content)
    except ValueError as error:
        assert_readable(error, "it ")
        return
    assert progress.read(progress.write(kept).encode()) == kept


@given(st.lists(st.text() | st.text(st.characters(categories=["Cs"]))))
def test_any_words_have_a_key(words):
    assert re.fullmatch("[0-9a-f]{16}", progress.key(*words))


def test_answers_are_counted_up_to_a_bound(path):
    store = progress.Store(path)
    store.load(progress.write({A: progress.Tried(progress.MOST_ATTEMPTS, False)}).encode())
    store.count_answer(A, True)
    assert short(progress.read(path.read_bytes())) == {A: (progress.MOST_ATTEMPTS, True)}


def test_of_two_files_the_later_day_tells_how_the_last_answer_was():
    early, late = (1, True, False, "2026-11-20"), (1, False, True, "2026-11-22")
    one, other = progress.Tried(*early), progress.Tried(*late)
    assert one.merge(other) == other.merge(one) == (1, True, True, "2026-11-22")
    assert one.merge(progress.Tried(5, False, True, "")) == (5, True, False, "2026-11-20")
