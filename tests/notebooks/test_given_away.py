"""No notebook gives away what it asks: not above a question, not beside it, not in an output below.

What a question accepts stands in its stored output. A number gives it away if
it would be judged right; words do if they are the right choice's and no
other's. What stands folded, in `<details>`, a reader does not see. Not looked
at are pictures, numbers with one digit that is not 0, and choices of one or two
words, since these stand everywhere. A task needs no such look: test_notebooks.py
refuses a goal that the start of its explorer reaches. Nor does a piece of code:
no text is its answer.
"""

import html
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from dpwidgets import Question
from dpwidgets.teaching.recall import NOTEBOOKS as TAUGHT
from execute import NOTEBOOKS
from here import answered, cells_of
from numbers_in_words import numbers
from tools import ASKS

_FOLDED = re.compile(r"<details>(?:(?!<details>).)*?</details>", re.DOTALL)
_UNSPOKEN = re.compile(r"<(style|script|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)


def seen(page):
    """Return the words of a page's HTML that a reader sees before unfolding anything."""
    folded = 1
    while folded:
        page, folded = _FOLDED.subn(" ", page)
    return " ".join(html.unescape(_UNSPOKEN.sub(" ", page)).split())


def shown(cell):
    """Return the words of a cell that a reader sees: its text, or its code and its outputs."""
    if cell.cell_type == "markdown":
        return cell.source
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    words = [] if hidden else [cell.source]
    for output in cell.outputs:
        data = output.get("data", {})
        page = data.get("text/html", data.get("text/markdown"))
        words.append(
            seen(page)
            if page
            else output.get("text", data.get("text/plain", ""))
        )
    return " ".join(" ".join(words).split())


def digits(written):
    """Return how many digits a number has but for zeros before and behind."""
    return len(re.sub(r"[eE].*|\D", "", written).strip("0"))


def gives_away(text, checks, prompt):
    """Return what in a text is as good as the answer to a question: numbers, or words."""
    right = next(said for said, is_right, _ in checks["judged"] if is_right)
    if checks["numbers"]:
        answer, slack = abs(right), checks["tolerance"] * abs(right)
        if any(n.value == answer for n in numbers(prompt)):
            return []
        near = (n for n in numbers(text) if abs(n.value - answer) <= slack)
        return [n.written for n in near if digits(n.written) >= 2]
    there = [
        said for said, _, _ in checks["judged"] if said.lower() in text.lower()
    ]
    if (
        len(right.split()) >= 3
        and there == [right]
        and re.search("[a-z]{3}", right)
    ):
        return there
    others = " ".join(
        [
            prompt,
            *(said for said, is_right, _ in checks["judged"] if not is_right),
        ]
    )
    told = {n.value for n in numbers(others)}
    telling = {
        n.value
        for n in numbers(right)
        if n.value not in told and digits(n.written) >= 2
    }
    return [n.written for n in numbers(text) if n.value in telling]


def found(cells):
    """Return the prompts of questions with what gives their answers away, and where."""
    sections, section = [], 0
    for cell in cells:
        section += cell.cell_type == "markdown" and bool(
            re.search("(?m)^## ", cell.source)
        )
        sections.append(section)
    given_away = []
    for place, cell in enumerate(cells):
        if not cell.source.startswith(ASKS):
            continue
        (output,) = cell.outputs
        checks = output.metadata["dpwidgets"].get("checks", {})
        if "judged" not in checks:
            continue
        first = output.data["text/plain"].splitlines()[0]
        _, _, prompt = first.partition(": ")
        for other, there in enumerate(cells):
            below = other > place
            if other == place or (
                below and sections[other] != sections[place]
            ):
                continue
            if below and there.cell_type == "markdown":
                # Where the words explain, once the reader has answered.
                continue
            telling = gives_away(shown(there), checks, prompt)
            given_away += [(prompt, what, other) for what in telling]
    return given_away


@pytest.mark.parametrize("name", sorted(TAUGHT.values()))
def test_nothing_gives_an_answer_away_and_a_page_shows_the_prompt_and_the_choices_alone(
    name,
):
    cells = cells_of(NOTEBOOKS / name)
    assert found(cells) == []
    asking = [cell for cell in cells if cell.source.startswith(ASKS)]
    assert asking
    for cell in asking:
        (output,) = cell.outputs
        _, _, plain = output.data["text/plain"].partition(": ")
        listed = plain.replace("\n  ( )", "")
        assert seen(output.data["text/html"]) == " ".join(listed.split())


def test_what_gives_an_answer_away_is_found():
    number = {"answer": 0.357, "solution": "35.7%", "then": "0.357"}
    words = {
        "answer": "it stays as it is",
        "choices": ("it stays as it is", "it falls"),
    }
    for question, above, below, there in (
        (
            number,
            "It is 0.356 or 0.4, not 0.8 or 35.",
            "from 20% to 35.7%",
            ["0.356", "35.7%"],
        ),
        (number, "", "<details><details>0.357</details>35.7%</details>", []),
        (
            words,
            "I think It stays as it is.",
            "it stays",
            ["it stays as it is"],
        ),
        (words, "It stays as it is, or it falls.", "", []),
        (
            {"answer": "19.1", "choices": ("3.2", "19.1")},
            "3.2",
            "19.1",
            ["19.1"],
        ),
    ):
        asked = Question("How much at ε = 0.8?", **question)
        after = new_output("execute_result", {"text/html": below})
        explained = new_markdown_cell("35.7%: why?")
        hidden = new_code_cell("x", outputs=[after])
        elsewhere = (
            new_markdown_cell("## B"),
            new_code_cell("y = 0.357, 19.1, it stays as it is"),
        )
        cells = [
            new_markdown_cell(f"## A\n{above}"),
            answered("Question(", asked),
            explained,
            hidden,
            *elsewhere,
        ]
        assert [what for _, what, _ in found(cells)] == there
