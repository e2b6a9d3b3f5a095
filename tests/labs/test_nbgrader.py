"""Every lab can be released and graded: nbgrader does with it what the lecturer's page says."""

import json
import re

import pytest

from sources import (
    HIDDEN,
    LABS,
    SCHEME,
    SOLUTION,
    answers,
    cells_that_test,
    each_lab,
    graded,
    points,
    points_by_a_person,
    read,
    right,
    source,
    ten_percent_more,
)

pytestmark = pytest.mark.slow


#: What each student hands in, from the student version and the source's own answers; None leaves
#: the cells as they are. All three hand in the last lab, and one all others too.
STUDENTS = {"right": right, "empty": None, "wrong": ten_percent_more}
ALL_BY = LABS[-1]
SHOWS = re.compile(r"^\w+Explorer\(", re.MULTILINE)

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
def scores(course):
    """The scores where every lab is handed in by all students, and graded."""
    for lab in LABS:
        for student in STUDENTS if lab == ALL_BY else ["right"]:
            course.put(lab, student, course.answered(lab, student, STUDENTS[student]))
        course.run("nbgrader", "autograde", lab)
    return course.scores()


@each_lab
def test_the_student_version_holds_no_solution_and_no_hidden_test(lab, course):
    released = {
        line.strip() for cell in course.released(lab).cells for line in cell.source.splitlines()
    }
    assert not [line for line in released if line.endswith((" SOLUTION", " HIDDEN TESTS"))]
    code = [cell.source for cell in source(lab).cells]
    patterns = (SOLUTION, HIDDEN, SCHEME)
    secrets = [secret for text in code for pattern in patterns for secret in pattern.findall(text)]
    assert len(secrets) >= 2 * len(answers(lab)) + 2 * len(answers(lab, read_by="a person"))
    lines = {line.strip() for secret in secrets for line in secret.splitlines()}
    assert not {line for line in lines if len(line) > 3} & released


@each_lab
def test_the_student_version_runs_unanswered_and_says_so(lab, course, tmp_path):
    released = course.folder / "release" / lab / f"{lab}.ipynb"
    execute = ("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir", tmp_path)
    course.environment.run(*execute, released, cwd=released.parent)
    for cell in cells_that_test(read(tmp_path / released.name)):
        assert cell.outputs[0].text.startswith("Not answered yet: "), graded(cell)["grade_id"]


@each_lab
def test_right_answers_get_all_points_and_explorers_are_shown(lab, course, scores):
    assert scores[lab, "right"] == points(lab) > 0
    assert scores[ALL_BY, "empty"] == scores[ALL_BY, "wrong"] == 0
    shown = [cell for cell in course.graded(lab, "right").cells if SHOWS.search(cell.source)]
    assert shown
    for cell in shown:
        assert any("image/png" in output.get("data", {}) for output in cell.outputs)


def test_an_argument_waits_for_a_person_whose_points_are_added(course, scores):
    given = {
        lab: {name: most / 2 for name, most in points_by_a_person(lab).items()} for lab in ARGUED
    }
    waiting = json.loads(course.run("python", "-c", GRADE, json.dumps(given)))
    after = course.scores("argued.csv")
    for lab in ARGUED:
        touched = {student: change is not None for student, change in STUDENTS.items()}
        assert waiting[lab] == touched
        assert after[lab, "right"] == points(lab) + sum(points_by_a_person(lab).values()) / 2
    assert after | {(lab, "right"): scores[lab, "right"] for lab in ARGUED} == scores
