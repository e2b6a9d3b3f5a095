"""A task says at once when its goal is reached, helps after a while, and refuses bad authors."""

import re

import pytest

from dpwidgets import (
    BayesExplorer,
    ChoiceExplorer,
    IntervalExplorer,
    PlanExplorer,
    Task,
    WorldsExplorer,
)
from dpwidgets.teaching import progress
from tools import assert_sound, enabled, press, said

pytestmark = pytest.mark.usefixtures("data_directory")

#: What is asked of an interval.
WIDER = {
    "reached": lambda result: result.epsilon <= 0.05,
    "solution": {"half_width": 0.6},
}


def kelly(result):
    return [result.names[guess] for guess in result.guesses] == ["Kelly"]


@pytest.fixture
def explorer():
    return WorldsExplorer()


def ask(explorer, **arguments):
    given = {
        "prompt": "Find Kelly.",
        "reached": kelly,
        "solution": {"answer": 4.7},
        "hint": "h",
    }
    return Task(explorer=explorer, **given | arguments)


def test_it_says_at_once_that_the_goal_is_reached_and_progress_counts_it(
    explorer,
):
    task, store = ask(explorer, then="because"), progress.store()
    assert (store.solved, len(store.questions)) == (0, 1)
    explorer.answer = 4.7
    assert "✓ Reached. See below." in said(task)
    assert (task.correct, task.solved, task.attempts, task.revealed) == (
        True,
        True,
        1,
        True,
    )
    explorer.epsilon = 2.1
    assert task.attempts == 1  # it stays there
    explorer.answer = -1.0
    assert "✓ Reached." in said(task)
    assert (store.solved, len(store.questions)) == (1, 1)
    assert task._shown["mark"]["text"] == "1 of 1 solved"


def test_there_is_a_hint_and_after_it_a_solution(explorer):
    task = ask(explorer)
    without = ask(explorer, hint="", prompt="Find Kelly anew.")
    explorer.answer = 0.5
    assert enabled(task, "hint", "solution") == [True, False]
    assert enabled(without, "solution") == [True]
    press(task, "hint")
    assert "Hint: h" in said(task)
    assert task._shown["set"]["hidden"]
    press(task, "solution")
    assert "Solution: Answer (γ): 4.7" in said(task)
    assert explorer.answer == 0.5  # nothing moves it but the reader
    press(task, "set")
    assert explorer.answer == 4.7
    assert explorer._shown[""]["look"] == 1  # it comes into view
    assert "The explorer was set to this." in said(task)
    assert (task.correct, task.solved, task.attempts) == (False, False, 1)
    explorer.answer = 0.5
    explorer.answer = 4.71
    assert (task.correct, task.solved) == (True, True)


def test_the_solution_is_set_from_wherever_the_reader_went(explorer):
    task = ask(explorer)
    explorer.values = [5, 5, 6]
    explorer.view = "risk"
    task.set_explorer()
    assert kelly(explorer.result)
    assert not task.solved
    interval, half = IntervalExplorer(), lambda result: result.epsilon == 0.5
    Task(
        "Come to 0.5.", interval, reached=half, solution={"epsilon": 0.5}
    ).set_explorer()
    assert interval.epsilon == 0.5
    assert interval.solve_for != "epsilon"  # though it was solved for


def test_it_tells_little_and_where_the_reader_is_there_already_waits_until_he_was_away(
    explorer, monkeypatch
):
    task, messages = ask(explorer), []
    monkeypatch.setattr(
        task.comm, "send", lambda **given: messages.append(given)
    )
    for place in (-1.0, -2.0, 8.0):  # not near the goal
        explorer.answer = place
    assert not messages
    explorer.answer = 4.7
    assert task.solved
    assert len(messages) <= 4
    task = ask(explorer, prompt="Again?")
    assert "there already" in said(task)
    explorer.answer = 4.71
    assert not task.solved
    explorer.answer = 0.0
    explorer.answer = 4.7
    assert task.solved


def test_only_what_the_solution_names_may_be_moved_and_what_else_was_is_to_be_put_back():
    interval = IntervalExplorer()
    task = ask(interval, prompt="Find ε at most 0.05.", **WIDER)
    wider = ask(
        interval,
        prompt="Find it, with another confidence.",
        also=["confidence"],
        **WIDER,
    )
    interval.count = 5000
    assert not task.solved
    assert "all else as it was. Put back: Count (c): 100." in said(task)
    interval.confidence = 0.5
    assert "Put back: Confidence (p): 0.8; Count (c): 100." in said(task)
    assert "Put back: Count (c): 100." in said(wider)
    interval.confidence = 0.8
    interval.count = 100
    # The goal is not met any more.
    assert "Put back" not in said(task) + said(wider)
    interval.confidence = 0.5
    interval.half_width = 0.6
    assert (task.solved, wider.solved) == (False, True)
    interval.confidence = 0.8
    assert task.solved
    assert "Put back" not in said(task)
    interval.count = 5000
    assert "Put back" not in said(task)  # who has found it may play on
    with pytest.raises(ValueError, match="also must be"):
        ask(interval, also=["confidense"], **WIDER)


def test_to_solve_for_something_else_is_another_way_and_a_switch_is_something_else():
    interval = IntervalExplorer()
    task = ask(interval, prompt="Find a half-width.", **WIDER)
    interval.epsilon = 0.05  # and the confidence follows
    assert "Put back: Confidence (p): 0.8." in said(task)
    interval.confidence = 0.8
    interval.solve_for = "half_width"
    assert not task.solved
    interval.view = "curves"  # another picture is no other case
    interval.epsilon = 0.05
    assert task.solved
    choice = ChoiceExplorer(half_width=0.01)
    task = ask(
        choice,
        prompt="Make room.",
        reached=lambda now: not now.choice.feasible.empty,
        solution={"half_width": 0.2},
    )
    assert not task.solved
    choice.use_interval = False
    assert "Put back: Goal: interval: counts." in said(task)
    choice.posterior = 0.9
    choice.values = (1, 0, 1)  # no goal looks at them
    choice.use_interval = True
    choice.half_width = 0.2
    assert "Put back: Posterior" in said(task)
    choice.posterior = 0.4
    assert task.solved


def test_a_text_that_is_to_be_put_back_is_named_and_shortened():
    clinic = PlanExplorer(total=4)
    task = ask(
        clinic,
        reached=lambda now: now.factor is not None and now.factor <= 0.5,
        solution={"factor": 0.5},
    )
    clinic.factor = None
    clinic.statistics = "count: published=count, error=50"
    clinic.factor = 0.4
    assert re.search("Put back: Statistics: “visits: .{51}…”", said(task))
    clinic.statistics = PlanExplorer().statistics
    assert task.solved


def test_an_authors_mistakes_are_errors_or_for_the_tests_of_the_notebooks_to_find(
    explorer,
):
    with pytest.raises(ValueError, match="answer must be"):
        ask(explorer, solution={"answer": 1e300})
    assert_sound(ask(explorer))
    for reached in (lambda result: True, lambda result: False, None):
        with pytest.raises((AssertionError, TypeError)):
            assert_sound(ask(explorer, reached=reached))


def test_where_it_cannot_be_said_whether_the_goal_is_reached_it_is_not():
    explorer = BayesExplorer()
    task = ask(
        explorer,
        reached=lambda result: result.mean > 32.1,
        solution={"answer": 60},
    )
    explorer.view = "errors"  # another result, which has no mean
    explorer.epsilon = 0.2
    assert not task.solved
    explorer.view = "answer"
    explorer.answer = 60
    assert not task.solved  # it is not another ε that was asked for
    explorer.epsilon = 0.1
    assert task.solved
