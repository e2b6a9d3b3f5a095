"""Every lab's source: its answers are right for any student, and its tests are fair."""

import contextlib
import itertools
import math
import re

import pytest

import tools
from dpwidgets import labs
from sources import (
    HIDDEN,
    SCHEME,
    answers,
    cells_that_test,
    each_lab,
    found,
    graded,
    names,
    points,
    points_by_a_person,
    runs,
    source,
)


def misconceptions(cell, left):
    """Yield each right answer that a cell's tests compare with others, and these others.

    A comparison is reached by letting all others before it hold, and only this one fail.
    """
    for at in itertools.count():
        asked, told = itertools.count(), []
        spies = {
            "near": lambda *_, asked=asked, at=at: next(asked) != at,
            "wrong": lambda answer, numbers, hint, told=told: (
                told.append((answer, numbers)) or hint
            ),
        }
        try:
            exec(cell.source, left | spies)
        except AssertionError:
            yield from told
        else:
            return


@each_lab
def test_every_answer_has_a_test_that_a_student_cannot_see_whole(lab):
    codes = {graded(cell)["grade_id"]: cell.source for cell in cells_that_test(source(lab))}
    assert set(codes) == {f"{name}-test" for name in answers(lab)}
    assert all(len(HIDDEN.findall(code)) == 1 and "answered(" in code for code in codes.values())


@each_lab
def test_every_argument_has_a_question_that_holds_the_scheme_for_its_marks(lab):
    cells = {graded(cell)["grade_id"]: cell for cell in source(lab).cells}
    for name in answers(lab, read_by="a person"):
        question = cells[f"{name}-question"]
        assert graded(question)[
            "locked"
        ]  # so nbgrader puts the scheme back where the argument is graded
        assert len(SCHEME.findall(question.source)) == 1
        assert f"({graded(cells[name])['points']} points; a person reads this)" in SCHEME.sub(
            "", question.source
        )


@each_lab
def test_the_lecturers_page_names_the_lab_and_its_points(lab):
    page = (tools.ROOT / "notebooks" / "labs" / "README.md").read_text(encoding="utf-8")
    both = " + ".join(map(str, [points(lab), *points_by_a_person(lab).values()]))
    assert re.search(rf"^\| `{lab}` · .* \| {re.escape(both)} \|", page, re.MULTILINE)


@each_lab
def test_the_source_holds_no_outputs(lab):
    assert not [
        cell for cell in source(lab).cells if cell.get("outputs") or cell.get("execution_count")
    ]


@each_lab
@pytest.mark.parametrize("student", ["s1", "s2", "Ångström 3"])
def test_the_sources_answers_are_right_for_any_student(lab, student):
    assert found(lab, student)["mine"] == labs.numbers(student, int(lab.removeprefix("lab")))


@each_lab
@pytest.mark.parametrize("student", ["s1", "s2", "Ångström 3"])
def test_no_misconception_leads_to_a_number_that_is_right(lab, student):
    left = found(lab, student)
    explained = 0
    for cell in cells_that_test(source(lab)):
        apart = {}  # a function is asked more than once, and a misconception may be right at times
        for right, numbers in misconceptions(cell, left):
            for why, number in numbers.items():
                apart[why] = apart.get(why, False) or not labs.near(number, right)
        assert all(apart.values()), apart
        explained += len(apart)
    assert explained > len(cells_that_test(source(lab)))


@each_lab
@pytest.mark.parametrize(
    "odd", [None, "many", [0.5], (), {"a": 1.0}, math.nan, -1.0, True], ids=repr
)
def test_an_odd_answer_meets_no_error_but_that_of_an_assert(lab, odd):
    literal = "float('nan')" if odd != odd else repr(odd)

    def change(code):
        function = "lambda *arguments: "
        return "\n".join(
            f"{name} = {function * (f'def {name}(' in code)}{literal}" for name in names(code)
        )

    def run(code, left):
        hidden = HIDDEN.search(code)
        with contextlib.suppress(AssertionError) if hidden else contextlib.nullcontext():
            exec(HIDDEN.sub("", code), left)
        if hidden:
            with pytest.raises(AssertionError):
                exec(hidden[0], left)

    assert [cell for cell, _ in runs(lab, "s1", change, run) if HIDDEN.search(cell.source)]
