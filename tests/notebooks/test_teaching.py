"""How a notebook teaches: with the explorer, each goal again and again, and no term undefined.

A cell that asks about a goal says so in its metadata: ``{"goal": "loss 2"}``
is the second goal at the head of the notebook of `loss`. A cell may name
several, separated by commas.
"""

import ast
import math
import re

import pytest

from dpwidgets.teaching.recall import NOTEBOOKS as TAUGHT
from execute import NOTEBOOKS
from here import WITH_QUESTIONS, cells_of
from numbers_in_words import calls, typed
from tools import ASKING

GLOSSARY = "glossary"
#: How many minutes a reader takes for each of these, and words a minute;
#: CONTRIBUTING.md says so.
MINUTES = {
    "Question": 2.5,
    "Task": 3,
    "Code": 4,
    "Review": 3,
    "Hearing": 5,
}
WORDS = 100
ORDER = [path.stem for path in WITH_QUESTIONS]
CELLS = {
    path.stem: cells_of(path)
    for path in [*WITH_QUESTIONS, NOTEBOOKS / f"{GLOSSARY}.ipynb"]
}


def asked(cells):
    """Yield the cells that ask, with the call that does."""
    for cell in cells:
        if cell.cell_type == "code":
            for call in calls(cell.source):
                yield cell, call


def terms():
    """Return the terms of the glossary, each with the words and letters that stand for it."""
    letters = {"epsilon": "ε", "delta": "δ"}
    rows = re.findall(
        r"(?m)^\| ([^|]+) \|",
        "\n".join(cell.source for cell in CELLS[GLOSSARY]),
    )
    listed = [
        one.strip() for row in rows if row != "term" for one in row.split(",")
    ]
    return {
        term: "|".join(map(re.escape, filter(None, (term, letters.get(term)))))
        for term in listed
    }


def prose(cell):
    """Return the words of a cell that a reader meets, without links and formulas."""
    if cell.cell_type == "markdown":
        return re.sub(
            r"\[[^\]]*\]\([^)]*\)|\$[^$]*\$|`[^`]*`", " ", cell.source
        )
    return " ".join(
        typed(node)
        for _, call in asked([cell])
        for node in ast.walk(call)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
    )


def test_each_goal_is_asked_about_twice_and_once_in_a_later_notebook():
    words = {
        home.removesuffix(".ipynb"): word for word, home in TAUGHT.items()
    }
    named, known = {}, set()
    for name in ORDER:
        listed = ",".join(
            cell.metadata.get("goal", "") for cell, _ in asked(CELLS[name])
        )
        named[name] = [
            goal.strip() for goal in listed.split(",") if goal.strip()
        ]
    for at, name in enumerate(ORDER):
        later = {goal for other in ORDER[at + 1 :] for goal in named[other]}
        head = CELLS[name][0].source.partition(
            "**What you will be able to do**"
        )[2]
        for number, _ in enumerate(re.findall("(?m)^- ", head), 1):
            goal = f"{words.get(name, name)} {number}"
            known.add(goal)
            assert named[name].count(goal) >= 2, goal
            # After these, none asks again.
            assert goal in later or at >= len(TAUGHT) - 1, goal
    assert {goal for goals in named.values() for goal in goals} <= known


def test_no_term_is_used_before_it_is_defined():
    assert {"epsilon", "privacy loss", "record", "database", "breach"} <= set(
        terms()
    )
    read = [
        (name, cell, prose(cell)) for name in ORDER for cell in CELLS[name]
    ]
    for term, words in terms().items():
        definition = re.compile(rf"\*\*(?:{words})s?\*\*", re.IGNORECASE)
        use = re.compile(rf"(?<!\w)(?:{words})s?(?!\w)", re.IGNORECASE)
        for name, cell, said in read:
            if cell.cell_type == "markdown" and definition.search(cell.source):
                break
            assert not use.search(said), (name, term)


def test_each_kind_that_asks_has_its_minutes():
    assert MINUTES.keys() == {*ASKING, "Review", "Hearing"}


def minutes(cells):
    """Return how many minutes a reader takes for the core of a notebook, and for the rest."""
    taken = {False: 0.0, True: 0.0}
    more = False
    for cell in cells:
        if heading := re.match(r"## (More)?", cell.source):
            more = bool(heading[1])
        if cell.cell_type == "markdown":
            taken[more] += len(prose(cell).split()) / WORDS
        else:
            calls = re.findall(r"(?m)^(?:\w+ = )?(\w+)\(", cell.source)
            taken[more] += sum(MINUTES.get(call, 0) for call in calls)
    return [5 * math.ceil(taken[which] / 5) for which in (False, True)]


@pytest.mark.parametrize("name", ORDER)
def test_a_lesson_needs_the_explorer_and_code_says_how_long_it_takes_and_defines_its_terms(
    name,
):
    """Half of what it asks is done: with the explorer, in code, or by a number that is changed."""
    cells = CELLS[name]
    calls = [call for _, call in asked(cells)]
    kinds = [call.func.id for call in calls]
    answered = [
        call
        for call in calls
        if call.func.id == "Question"
        and "explorer" not in {one.arg for one in call.keywords}
    ]
    changed = sum("# then " in cell.source for cell in cells)
    if name[0].isdigit():  # a program has no explorer
        assert len(answered) <= len(calls) / 2
        assert name == ORDER[0] or kinds.count("Code") + changed >= 3

    core, more = minutes(cells)
    assert core <= 45  # a session is enough
    said = (
        f" · about {core} minutes"
        + (f", and {more} more" if more else "")
        + " · needs "
    )
    assert said in cells[0].source

    page = "\n".join(cell.source for cell in CELLS[GLOSSARY])
    rows = re.findall(r"(?m)^\| ([^|]+) \|.*\| ([^|]*)\|$", page)
    words = ", ".join(
        f"{re.sub(r' [(][0-9]+[)]', '', term)}, {letters}"
        for term, letters in rows
    )
    known = {one.strip() for one in words.split(",")} | {"ε"}
    text = "\n".join(
        cell.source for cell in cells if cell.cell_type == "markdown"
    )
    # A sentence or a heading in bold begins with a capital letter, or ends
    # with a stop.
    bold = {
        " ".join(one.split()) for one in re.findall(r"\*\*([^*]+)\*\*", text)
    }
    assert (
        not {one for one in bold if not re.search("^[A-Z]|[.:?=]", one)}
        - known
    )

    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    pictures = [
        one["data"]["image/png"]
        for one in outputs
        if "image/png" in one.get("data", {})
    ]
    assert len(pictures) == len({*pictures})  # none stands there twice


def test_prompts_are_shown_as_they_are_written_and_so_hold_no_markup():
    for name, cells in CELLS.items():
        for _, call in asked(cells):
            for text in map(typed, call.args[:1]):
                assert not set("`*_") & set(re.sub(r"\b\w+\b", "", text)), (
                    name,
                    text,
                )


def test_no_place_and_no_length_tells_the_right_choice():
    # Of the right choice, and those of the right one and of all others.
    places, lengths = [], []
    for cell, call in (one for name in ORDER for one in asked(CELLS[name])):
        answer = next(
            (one.value for one in call.keywords if one.arg == "answer"), None
        )
        listed = re.findall(
            r"(?m)^  \( \) (.*)$",
            cell.outputs[0].get("data", {})["text/plain"],
        )
        # Others are computed, as f-strings.
        if listed and isinstance(answer, ast.Constant):
            right = answer.value
            places += [listed.index(right)] if len(listed) == 3 else []
            lengths.append(
                (len(right), [len(one) for one in listed if one != right])
            )
    assert len(places) >= 30
    assert all(
        0.2 < places.count(place) / len(places) < 0.45 for place in range(3)
    )
    assert sum(
        right > 1.15 * max(other) for right, other in lengths
    ) <= 0.1 * len(lengths)
    assert sum(right > max(other) for right, other in lengths) <= 0.45 * len(
        lengths
    )
    assert sum(right < min(other) for right, other in lengths) <= 0.45 * len(
        lengths
    )
