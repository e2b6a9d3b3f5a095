"""A task accepts what its prompt asks for, and nothing else.

Each task is tried in states to which a reader can bring its explorer: every
control alone, from the start and from the solution, and together with some
that the task lets move. What is typed is tried with a line gone or a number of
it changed. What is accepted has all else as at the start.
"""

import math
import random
import re
from functools import cache

import numpy as np

import oracles_01
from dpwidgets import PlanExplorer, Task
from dpwidgets.calculators import bayes, breach, loss
from dpwidgets.explorers.before import Before
from dpwidgets.explorers.plan import CLINIC
from dpwidgets.page import call
from dpwidgets.page.parameters import Choice, Column, Number
from here import assert_met, each_lesson, made, made_anywhere

WITHIN = 1 + 1e-9  # a promise that is kept within rounding is kept
STEERING = {"view", "solve_for"}


def column(now):
    """Return the records of an explorer, without their names."""
    values = now["values"]
    return np.array(
        list(values.values() if isinstance(values, dict) else values)
    )


def nearest(now, value):
    """Tell whether the answer is nearest to the mean of all records but one with this value."""
    records = column(now)
    off = np.abs(
        (records.sum() - records) / (records.size - 1) - now["answer"]
    )
    return list(records[off <= off.min() * WITHIN]) == [value]


def beliefs(now, result):
    """Return how probable each candidate is after an answer, beforehand all equally so."""
    attack = result.attack
    weights = np.exp(
        -np.abs(now["answer"] - attack.answers)
        * now["epsilon"]
        / attack.sensitivity
    )
    return weights / weights.sum()


def bound_is_exact(now):
    """Tell whether the best guess is just as sure as allowed at the ε of the bound in the text."""
    values, risk = column(now), now["risk"]
    means = (values.sum() - values) / (values.size - 1)
    off = np.abs(means[:, None] - means)
    if values.size != 4 or not off.any():
        return False
    changed = np.abs(values.mean() - means).max()
    epsilon = (
        changed / off.max() * math.log((values.size - 1) * risk / (1 - risk))
    )
    sure = np.exp(-off * epsilon / changed)
    return math.isclose((1 / sure.sum(axis=1)).max(), risk, rel_tol=1e-6)


def gaussian_delta(epsilon, mu):
    """Return the δ of Gaussian noise: Balle and Wang 2018, Theorem 8."""
    below = [
        math.erfc(-x / math.sqrt(2)) / 2
        for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu)
    ]
    return below[0] - math.exp(epsilon) * below[1]


@cache
def of_each(total, releases):
    return loss.epsilon(total, 1e-6, int(releases))


def scales(now):
    """Return the least and the largest noise that the hospital's three goals leave."""
    belief = now["releases"] / breach.epsilon(0.2, now["posterior"])
    budget = 1 / of_each(now["total"], now["releases"])
    return max(belief, budget), now["half_width"] * 400 / math.log(20) * WITHIN


def one_goal_gives_way(now, result):
    given = {"half_width": 0.05, "posterior": 2 / 3, "total": 1}
    moved = [name for name, value in given.items() if now[name] != value]
    if now["releases"] != 12 or len(moved) != 1 or now["posterior"] <= 0.2:
        return False
    low, high = scales(now)
    return low <= high


def all_releases(now, result):
    if (now["releases"], now["posterior"]) != (4, 0.25):
        return False
    low, high = scales(now)
    return low <= high


def coarser_table(now, result):
    """Tell whether the clinic's lines are as they were, but for a larger error of the table."""
    table, *means = now["statistics"].splitlines()
    error = re.fullmatch(r"(visits: .*error=)(.*)(, releases=12)", table)
    same = error and [f"{error[1]}12{error[3]}", *means] == CLINIC.splitlines()
    promised = now["use_belief"] and now["posterior"] == 0.7
    return same and float(error[2]) > 12 and promised and result.keeps(1.0)


def published(statistics):
    """Return what each line publishes, however it is called and however precise it is."""
    kept = ("published", "cells", "n", "high", "releases")
    return [
        [re.findall(rf"\b{word}=([^,]*)", line) for word in kept]
        for line in statistics.splitlines()
    ]


def own_plan(now, result):
    """Tell whether two lines or more publish what the clinic does not, and all can be kept."""
    lines, clinic = map(published, (now["statistics"], CLINIC))
    promised = any(now[f"use_{goal}"] for goal in PlanExplorer.goals)
    return (
        len(lines) >= 2
        and not any(line in clinic for line in lines)
        and promised
        and result.keeps(1)
    )


#: By the beginning of its prompt, what a task asks for.
ASKED = {
    "At δ = 1e-7: on how many days": lambda now, result: (
        now["delta"] == 1e-7
        and gaussian_delta(5, math.sqrt(0.03 * now["compositions"]))
        <= 1e-7
        <= gaussian_delta(4.9, math.sqrt(0.03 * now["compositions"]))
    ),
    "Find an ε at which the best guess": lambda now, result: (
        0.54 <= 1 - math.exp(-now["epsilon"] / 2) / 2 <= 0.55
    ),
    "Find an ε of each sum at which": lambda now, result: (
        0.7
        <= oracles_01.best_guess(now["epsilon"], oracles_01.sums_of_each(6))
        <= 0.75
    ),
    "You would not accuse anybody": lambda now, result: bool(
        np.all(
            np.array(oracles_01.score_errors(10, now["threshold"]))
            <= (0.06, 0.4)
        )
    ),
    "Let the success after all twelve counts": lambda now, result: (
        0.54 <= oracles_01.best_guess(now["epsilon"], 12) <= 0.55
    ),
    "Find an ε at which the interval is at most ±10": lambda now, result: (
        math.log(20) / 10 <= now["epsilon"] * WITHIN
        and now["epsilon"] <= math.log(4 * 0.26 / 0.74) * WITHIN
    ),
    "Find an ε of at most 0.02": lambda now, result: (
        now["epsilon"] <= 0.02
        and now["half_width"] <= 0.1
        and now["confidence"] >= 0.8
    ),
    "Find Gaussian noise with which one release": lambda now, result: (
        gaussian_delta(1, now["mu"]) <= now["delta"] * WITHIN
        and now["delta"] <= 1e-5
    ),
    "Assume p = 0.3 and ε = 0.1. Find a true p": lambda now, result: (
        now["true_p"] is not None
        and bayes.mean_error(100, 0.3, 0.1, true_p=now["true_p"]) >= 12
    ),
    "Find an answer at which Kelly": lambda now, result: nearest(now, 2),
    "Find four numbers for which the bound is exact": lambda now, result: (
        bound_is_exact(now)
    ),
    "Find an ε and an answer after which the attacker": lambda now, result: (
        beliefs(now, result)[-1] >= 0.9
    ),
    "Find a promise that takes an ε between 0.95": lambda now, result: (
        0.95
        <= math.log(
            now["posterior"] / (1 - now["posterior"]) * (1 / now["prior"] - 1)
        )
        <= 1.05
    ),
    "Set ε to 2. Find an answer after which no": lambda now, result: (
        now["epsilon"] == 2 and beliefs(now, result).max() <= 0.27
    ),
    "Go back to 12 releases": one_goal_gives_way,
    "Go back to 4 releases": all_releases,
    "Find an ε at which the interval goal is met even if": lambda now, result: (
        math.log(20) / (0.05 * 200) <= now["epsilon"] * WITHIN
    ),
    "Choose an ε that breaks just one goal": lambda now, result: (
        now["epsilon"] < math.log(20) / 20 / WITHIN
        or 0.25 * WITHIN
        < now["epsilon"]
        <= breach.epsilon(0.2, 2 / 3) / 4 * WITHIN
    ),
    "The budget is ε = 4. Find a factor": lambda now, result: (
        now["factor"] <= 0.9 and result.plan.total(now["factor"]) <= 4 * WITHIN
    ),
    "Let this promise count, from 20% to at most 70%": coarser_table,
    "Make a plan of two lines or more": own_plan,
    "The press office of the first one": lambda now, result: (
        gaussian_delta(2, 1) <= now["delta"]
    ),
    "Find an ε for each of the twelve counts": lambda now, result: (
        0.28
        <= loss.laplace(now["epsilon"]).compose(12).success(0.2)
        <= 0.3 * WITHIN
    ),
    "Let the promise be about a household": lambda now, result: (
        now["household"] == 4
        and (now["posterior"], now["prior"]) == (0.4, 0.2)
        and 16 / math.log(4 * 0.4 / 0.6)
        <= now["half_width"] * 400 / math.log(20) * WITHIN
    ),
}


def rewritten(text):
    """Yield a text of several lines with each line gone in turn, and each number another one."""
    lines = text.splitlines()
    yield f"{text}s"
    for gone in range(len(lines) if len(lines) > 1 else 0):
        yield "\n".join(lines[:gone] + lines[gone + 1 :])
    for number in re.finditer(r"(?<==)\d[\d.]*", text):
        for times in (0.5, 5):
            changed = f"{float(number[0]) * times:g}"
            yield text[: number.start()] + changed + text[number.end() :]


def relisted(values):
    """Yield a column with a record gone, another one, and each number another one."""
    if isinstance(values, dict):
        numbers = list(values.values())
    else:
        numbers = list(values)
    yield tuple(numbers[1:])
    yield (*numbers, numbers[-1])
    yield tuple(reversed(numbers))
    for at in range(min(len(numbers), 4)):
        # Of a list of probabilities, what the next one loses.
        for shift in (-0.1, 0.1, 5):
            next_ = (at + 1) % len(numbers)
            moved = {
                at: numbers[at] + shift,
                next_: numbers[next_] - shift * (shift < 1),
            }
            yield tuple(
                moved.get(place, number)
                for place, number in enumerate(numbers)
            )


def settable(explorer, state, result, name, many):
    """Return values that a reader may give a control: so many stops, and both ends."""
    trait = explorer.parameters()[name]
    if isinstance(trait, Choice):
        return list(trait.options)
    if isinstance(trait, Number):
        grid = explorer.grids(result, state.values).get(name, trait.grid)
        return [
            float(grid[at])
            for at in np.unique(np.linspace(0, len(grid) - 1, many, dtype=int))
        ]
    if isinstance(trait, Before):
        return [state.values[name]]
    return list(
        (relisted if isinstance(trait, Column) else rewritten)(
            state.values[name]
        )
    )


def tried(task):
    """Yield the states in which a task is tried, as values that differ from the start."""
    explorer, draw = task.explorer, random.Random(task.prompt)
    free = sorted(task.free - STEERING)
    for given in ({}, task.state):
        base = computed(explorer, explorer.state_at(**given))
        for name in explorer.parameters():
            for value in settable(
                explorer, *base, name, 12 if name in free else 2
            ):
                yield {**given, name: value}
    others = sorted({*explorer.parameters()} - STEERING)
    for _ in range(12):
        moved = dict(task.state)
        for name in [
            *draw.sample(free, min(2, len(free))),
            draw.choice(others),
        ]:
            moved[name] = draw.choice(settable(explorer, *base, name, 12))
        yield moved


def computed(explorer, now):
    """Return a state with what follows from it, and its result."""
    return explorer._computed(now, explorer.arguments(now))


def moved_otherwise(task, now):
    """Tell whether a control was moved that counts and shall not: the line of Python says it."""
    explorer = task.explorer
    code = code_of(explorer, now)
    for name, value in explorer.start.items():
        if value is None:
            stays = name in now.following
        else:
            stays = alike(now.values[name], value)
        if stays or name in task.free | STEERING:
            continue
        back = explorer._with(now, {name: value})
        if code_of(explorer, back) != code:
            return True
    return False


def code_of(explorer, state):
    """Return the line of Python of a state."""
    function = explorer.function(state.values)
    arguments = explorer.arguments(state)
    return call.whole(function, arguments, explorer.parameters())


def alike(value, other):
    """Tell whether two values of a control are the same, also where one of them was computed."""
    numbers = isinstance(value, float) and isinstance(other, float)
    return math.isclose(value, other) if numbers else value == other


@each_lesson
def test_a_task_accepts_what_its_prompt_asks_and_nothing_else(
    path, data_directory
):
    tasks = made(path, Task)
    assert tasks
    for task in tasks:
        (asked,) = (
            asks
            for start, asks in ASKED.items()
            if task.prompt.startswith(start)
        )
        accepted = refused = 0
        for state in tried(task):
            try:
                now = task.explorer.state_at(**state)
                if moved_otherwise(task, now) and task._to_put_back(now):
                    refused += 1  # whatever the result is
                    continue
                now, result = computed(task.explorer, now)
            except ValueError:  # the page would refuse it
                continue
            otherwise = moved_otherwise(task, now)
            reached = not task._to_put_back(now) and task._is_met(result)
            assert not (reached and otherwise), (task.prompt, state)
            if otherwise:
                refused += 1
                continue
            if (
                now.values["view"]
                == task.explorer.state_at(**task.state).values["view"]
            ):
                right = asked(now.values, result)
                assert reached == bool(right), (task.prompt, state)
            accepted, refused = accepted + reached, refused + (not reached)
        assert accepted >= 3
        assert refused >= 10


def test_each_of_these_prompts_is_that_of_a_task(data_directory):
    assert_met(ASKED, made_anywhere(Task))
