"""Every lab's source: its answers are right for any student, and its tests are fair."""

import ast
import contextlib
import functools
import math
import re

import pytest
from hypothesis import settings

import sources
import tools
from dpwidgets import labs
from dpwidgets.texts import TEXTS

#: For how many students it is tested that nothing but the right answer is
#: right.
IDS = max(3, settings().max_examples // 20)
#: As who copies three digits does: also within an answer's list.
ROUND = """
def _round(found):
    if isinstance(found, list):
        return [_round(one) for one in found]
    return float(f"{found:.3g}") if isinstance(found, float) else found
"""


class GoOn(ast.NodeTransformer):
    """Lets a test go on after each assert, and say what it would have said."""

    def visit_Assert(self, node):
        says = [node.msg] if "near" in named(node.test) else []
        return list(map(ast.Expr, [node.test, *says]))


def named(code, kind=ast.expr_context):
    """Return the names in code, or those that it sets."""
    nodes = [node for node in ast.walk(code) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, kind)}


def misconceptions(cell, left):
    """Return each right answer that a cell's tests compare with others, these, near's options."""
    told, options = [], []

    def near(*_, **more):
        options.append(more)
        return True

    def wrong(answer, numbers, hint):
        told.append((answer, numbers, options[-1]))
        return hint

    whole = ast.fix_missing_locations(GoOn().visit(ast.parse(cell.source)))
    exec(
        compile(whole, "a test", "exec"), left | {"near": near, "wrong": wrong}
    )
    return told


@sources.each_lab
def test_the_source_has_a_test_or_a_scheme_for_each_answer_and_the_points_that_it_says(
    lab,
):
    notebook = sources.source(lab)
    assert not [
        cell
        for cell in notebook.cells
        if cell.get("outputs") or cell.get("execution_count")
    ]
    assert all(
        len(sources.HIDDEN.findall(cell.source)) == 1
        and "answered(" in cell.source
        for cell in sources.cells_that_test(notebook)
    )
    worth = sources.worth(lab)
    assert {*worth} == {*sources.answers(lab)}
    asked = " ".join(
        cell.source for cell in notebook.cells if cell.cell_type == "markdown"
    )
    said = [
        int(number)
        for number in re.findall(r"\*\*\d\.\d\*\* \((\d) points?[:)]", asked)
    ]
    assert said == [*worth.values()]
    cells = {sources.graded(cell)["grade_id"]: cell for cell in notebook.cells}
    for name, most in sources.points_by_a_person(lab).items():
        question = cells[f"{name}-question"]
        # Locked, nbgrader puts the scheme back where the argument is graded.
        assert sources.graded(question)["locked"]
        assert len(sources.SCHEME.findall(question.source)) == 1
        assert f"({most} points; a person reads this)" in sources.SCHEME.sub(
            "", question.source
        )


@sources.each_lab
def test_the_lecturers_page_names_the_lab_its_points_and_the_lessons_before_it(
    lab,
):
    page = (tools.ROOT / "notebooks" / "labs" / "README.md").read_text(
        encoding="utf-8"
    )
    (row,) = (
        line for line in page.splitlines() if line.startswith(f"| `{lab}` ·")
    )
    both = " + ".join(
        map(
            str,
            [sources.points(lab), *sources.points_by_a_person(lab).values()],
        )
    )
    assert f" | {both} |" in row
    before = (
        sources.source(lab)
        .cells[0]
        .source.split("after the notebook", 1)[1]
        .split(" of dpwidgets")[0]
    )
    assert re.findall(r"\[(\d\d)\]", row) == re.findall(r"\*(\d\d) ", before)


def test_the_example_of_an_argument_has_the_numbers_of_its_student():
    left, mine = sources.found("lab3", "s123"), labs.numbers("s123", 3)
    (argument,) = sources.answers("lab3", read_by="a person").values()
    people = [mine.count, mine.branch, left["chosen_people"]]
    people += [
        math.ceil(mine.half_width * count)
        for count in (mine.count, mine.branch)
    ]
    beliefs = [mine.prior, mine.posterior, left["fitting_posterior"]]
    right = {
        *map(str, people),
        str(mine.releases),
        *(f"{belief:.0%}" for belief in beliefs),
    }
    assert set(re.findall(r"\d+%?", argument)) == right
    assert 150 <= len(argument.split()) <= 250
    assert (mine.delta, "one in a million" in argument) == (1e-6, True)
    usual = [
        1 - math.exp(-left["chosen_epsilon"] * left["chosen_people"]),
        mine.confidence,
    ]
    assert "five weeks out of six" in argument
    assert usual == pytest.approx([5 / 6, 5 / 6], abs=0.01)


@sources.each_lab
def test_no_misconception_leads_to_a_number_that_is_right(lab):
    for student in range(IDS):
        explained = 0
        for cell, left in sources.runs(lab, f"s{student}"):
            # A function is asked more than once; a misconception may be right
            # at times.
            apart = {}
            is_test = sources.graded(cell)["grade"]
            told = misconceptions(cell, left) if is_test else ()
            for right, numbers, options in told:
                for why, number in numbers.items():
                    near = labs.near(number, right, **options)
                    apart[why] = apart.get(why, False) or not near
            assert all(apart.values()), (student, apart)
            explained += len(apart)
        assert explained >= len(sources.cells_that_test(sources.source(lab)))


@sources.each_lab
def test_rounding_to_three_digits_costs_no_point(lab):
    def rounded(code):
        values = [f"{name} = _round({name})" for name in sources.names(code)]
        return "\n".join([ROUND, code, *values])

    for student in range(IDS):
        for cell, _ in sources.runs(lab, f"s{student}", rounded):
            assert cell


@sources.each_lab
def test_a_slip_costs_its_question_and_at_most_one_point_more_that_no_test_tells_of(
    lab,
):
    slips, left = 0, sources.found(lab, "s1")
    cells = [cell for cell, _ in sources.rooms(lab, "s1")]
    for at, asked in enumerate(cells):
        name = sources.graded(asked)["grade_id"]
        for test in cells:
            if sources.graded(test)["grade"] and sources.tested(test) == name:
                slips += slipped(cells[at + 1 :], asked, test, left)
    assert slips > 10


def slipped(later, asked, test, left):
    """Return how many slips of an answer were tried; each costs its test and one point more."""
    tried = [
        (name, float(number))
        for answer, numbers, _ in misconceptions(test, left)
        for name in sources.names(asked.source)
        if left[name] is answer
        for number in numbers.values()
    ]
    for name, number in tried:
        theirs, changed, lost = left | {name: number}, {name}, 0
        with pytest.raises(AssertionError):
            exec(test.source, theirs)
        if is_told(test.source, theirs):
            continue
        for cell in (one for one in later if one is not test):
            code = ast.parse(cell.source)
            if not changed & named(code):
                continue  # it is right, as it was
            if sources.graded(cell)["solution"]:
                changed.update(
                    named(code, ast.Store), sources.names(cell.source)
                )
            try:
                exec(cell.source, theirs)
            except AssertionError:
                if not is_told(cell.source, theirs):
                    lost += sources.graded(cell)["points"]
        assert lost <= 1, (name, number)
    return len(tried)


def is_told(code, left):
    """Tell whether the student sees that a test fails: its part in the open fails alone."""
    try:
        exec(sources.HIDDEN.sub("", code), left)
    except AssertionError:
        return True
    return False


@sources.each_lab
def test_what_is_asked_was_taught(lab):
    tests = sources.cells_that_test(sources.source(lab))
    assert tests
    for cell in tests:
        assert cell.metadata.dpwidgets.taught
        for lesson in cell.metadata.dpwidgets.taught:
            word, _, heading = lesson.partition(": ")
            assert f"## {heading}" in lines(word), lesson


@functools.cache
def lines(word):
    """Return the lines of the notebook on a text; the last one is about choosing."""
    known = {text.word: text.notebook for text in TEXTS} | {
        "choice": "07_choosing_epsilon.ipynb"
    }
    cells = sources.read(tools.ROOT / "notebooks" / known[word]).cells
    return [line for cell in cells for line in cell.source.splitlines()]


@sources.each_lab
@pytest.mark.parametrize(
    "odd",
    [None, "many", [0.5], (), {"a": 1.0}, math.nan, -1.0, True],
    ids=repr,
)
def test_an_odd_answer_meets_no_error_but_that_of_an_assert(lab, odd):
    literal = "float('nan')" if odd != odd else repr(odd)

    def change(code):
        function = "lambda *arguments: "
        return "\n".join(
            f"{name} = {function * (f'def {name}(' in code)}{literal}"
            for name in sources.names(code)
        )

    left = {}
    for _, code in sources.codes(lab, "s1", change):
        hidden = sources.HIDDEN.search(code)
        with (
            contextlib.suppress(AssertionError)
            if hidden
            else contextlib.nullcontext()
        ):
            exec(sources.HIDDEN.sub("", code), left)
        if hidden:
            with pytest.raises(AssertionError):
                exec(hidden[0], left)
    assert left
