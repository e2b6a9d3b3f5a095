"""Every lab can be released and graded: nbgrader does with it what the lecturer's page says."""

import json
import re

import nbformat
import pytest

import tools
from sources import (
    HIDDEN,
    LABS,
    SCHEME,
    SOLUTION,
    answers,
    cells_that_test,
    each_lab,
    found,
    graded,
    hand_in,
    names,
    points,
    points_by_a_person,
    read,
    read_scores,
    source,
    ten_percent_more,
)


def copied(code, student, lab):
    """Return the code with its answers as another student found them; functions stay the same."""
    theirs = found(lab, student)
    values = [f"{name} = {theirs[name]!r}" for name in names(code) if not callable(theirs[name])]
    return "\n".join(values) or code


#: What each student hands in, from the student version and the source's own answers; None leaves
#: the cells as they are.
STUDENTS = {
    "right": lambda code, lab: code,
    "empty": None,
    "wrong": lambda code, lab: ten_percent_more(code),
    "neighbour": lambda code, lab: copied(code, "right", lab),
}

#: The labs with an argument that a person reads.
ARGUED = [lab for lab in LABS if answers(lab, read_by="a person")]
#: What a lecturer does in the formgrader, as a program that nbgrader's environment runs: see who
#: waits, give points.
GRADE = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    waiting = {}
    for lab, scores in json.loads(sys.argv[1]).items():
        submissions = book.assignment_submissions(lab)
        waiting[lab] = {one.student.id: one.needs_manual_grade for one in submissions}
        for name, score in scores.items():
            grade = book.find_grade(name, lab, lab, "right")
            grade.manual_score, grade.needs_manual_grade = score, False
    book.db.commit()
print(json.dumps(waiting))
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory, nbgrader):
    """A course of which every lab is released, handed in by all students, graded and exported."""
    folder = tools.copy_repository(tmp_path_factory.mktemp("clone")) / "notebooks" / "labs"
    for lab in LABS:
        nbgrader.run("nbgrader", "generate_assignment", lab, cwd=folder)
        for student, change in STUDENTS.items():
            submission = read(folder / "release" / lab / f"{lab}.ipynb")
            hand_in(submission, lab, student, change)
            path = folder / "submitted" / student / lab / f"{lab}.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(submission, path)
        nbgrader.run("nbgrader", "autograde", lab, cwd=folder)
    nbgrader.run("nbgrader", "export", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def scores(course):
    return read_scores(course / "grades.csv")


@pytest.mark.slow
@each_lab
def test_the_student_version_holds_no_solution_and_no_hidden_test(lab, course):
    released = {
        line.strip()
        for cell in read(course / "release" / lab / f"{lab}.ipynb").cells
        for line in cell.source.splitlines()
    }
    assert not [
        line
        for line in released
        if line.startswith("###") and line.endswith(("SOLUTION", "HIDDEN TESTS"))
    ]
    code = [cell.source for cell in source(lab).cells]
    patterns = (SOLUTION, HIDDEN, SCHEME)
    secrets = [secret for text in code for pattern in patterns for secret in pattern.findall(text)]
    assert len(secrets) >= 2 * len(answers(lab)) + 2 * len(answers(lab, read_by="a person"))
    for secret in secrets:
        assert (
            not {line.strip() for line in secret.splitlines() if len(line.strip()) > 3} & released
        )


@pytest.mark.slow
@each_lab
def test_the_student_version_runs_unanswered_and_says_so(lab, course, nbgrader, tmp_path):
    released = course / "release" / lab / f"{lab}.ipynb"
    command = (
        "jupyter",
        "nbconvert",
        "--to",
        "notebook",
        "--execute",
        "--output-dir",
        tmp_path,
        released,
    )
    nbgrader.run(*command, cwd=released.parent)
    for cell in cells_that_test(read(tmp_path / released.name)):
        assert cell.outputs[0].text.startswith("Not answered yet: "), graded(cell)["grade_id"]


@pytest.mark.slow
@each_lab
def test_right_answers_get_all_points(lab, scores):
    assert scores[lab, "right"] == points(lab) > 0


@pytest.mark.slow
@each_lab
@pytest.mark.parametrize("student", ["empty", "wrong"])
def test_no_answers_and_wrong_answers_get_none(lab, student, scores):
    assert scores[lab, student] == 0


@pytest.mark.slow
@each_lab
def test_answers_copied_from_another_student_get_at_most_one_point(lab, scores):
    functions = points(lab, only_functions=True)
    # One more where a copied answer happens to follow from another copied one.
    assert functions <= scores[lab, "neighbour"] <= functions + 1 < points(lab)


@pytest.mark.slow
@each_lab
def test_explorers_are_shown_where_the_lab_is_graded(lab, course):
    for student in STUDENTS:
        graded_copy = read(course / "autograded" / student / lab / f"{lab}.ipynb")
        shown = [
            cell
            for cell in graded_copy.cells
            if re.search(r"^\w+Explorer\(", cell.source, re.MULTILINE)
        ]
        assert shown
        assert all(
            any("image/png" in output.get("data", {}) for output in cell.outputs) for cell in shown
        )


@pytest.mark.slow
@each_lab
def test_the_feedback_on_a_wrong_answer_does_not_give_the_right_one(lab, course):
    for cell in cells_that_test(read(course / "autograded" / "wrong" / lab / f"{lab}.ipynb")):
        (error,) = [output for output in cell.outputs if output.output_type == "error"]
        assert error.ename == "AssertionError", error.evalue
        assert not re.search(r"\d\.\d{2,}", error.evalue), error.evalue


@pytest.fixture(scope="module")
def read_by_a_person(course, scores, nbgrader):
    """Who waits for a grade of their argument, by lab, and the scores once one has half of it."""
    given = {
        lab: {name: most / 2 for name, most in points_by_a_person(lab).items()} for lab in ARGUED
    }
    waiting = json.loads(nbgrader.run("python", "-c", GRADE, json.dumps(given), cwd=course))
    nbgrader.run("nbgrader", "export", "--to", "argued.csv", cwd=course)
    return waiting, read_scores(course / "argued.csv")


@pytest.mark.slow
@pytest.mark.parametrize("lab", ARGUED)
def test_an_argument_waits_for_a_person_and_an_untouched_cell_does_not(lab, read_by_a_person):
    waiting, _ = read_by_a_person
    assert waiting[lab] == {student: change is not None for student, change in STUDENTS.items()}


@pytest.mark.slow
@pytest.mark.parametrize("lab", ARGUED)
def test_the_score_of_an_argument_is_added(lab, scores, read_by_a_person):
    _, after = read_by_a_person
    assert after[lab, "right"] == points(lab) + sum(points_by_a_person(lab).values()) / 2
    assert {**after, (lab, "right"): scores[lab, "right"]} == scores


@pytest.mark.slow
@pytest.mark.parametrize("lab", ARGUED)
def test_the_grader_reads_the_scheme_above_the_argument(lab, course):
    cells = read(course / "autograded" / "right" / lab / f"{lab}.ipynb").cells
    for name in answers(lab, read_by="a person"):
        at = [graded(cell)["grade_id"] for cell in cells].index(name)
        assert SCHEME.search(cells[at - 1].source)
