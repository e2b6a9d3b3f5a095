"""Every lab can be released and graded: nbgrader does with it what the lecturer's page says."""

import ast
import csv
import functools
import re

import nbformat
import pytest

import tools
from dpwidgets import labs

SOURCES = sorted((tools.ROOT / "notebooks" / "labs" / "source").glob("*/*.ipynb"))
LABS = [path.stem for path in SOURCES]
SOLUTION = re.compile(r"^ *### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION\n?", re.DOTALL | re.MULTILINE)
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL)
each_lab = pytest.mark.parametrize("lab", LABS)


def read(path):
    return nbformat.read(path, as_version=4)


def graded(cell):
    """Return what nbgrader knows of a cell."""
    return cell.metadata.get("nbgrader", {"grade": False, "solution": False, "grade_id": ""})


def source(lab):
    return read(SOURCES[LABS.index(lab)])


def answers(lab):
    """Return the source's own answer for each cell that a student fills in, by the name of the cell."""
    cells = [cell for cell in source(lab).cells if graded(cell)["solution"]]
    return {graded(cell)["grade_id"]: SOLUTION.sub(r"\1", cell.source) for cell in cells}


def names(code):
    """Return the answers' names: those that the code sets to None, and its functions."""
    body = ast.parse(code).body
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    empty = [node for node in body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    return functions + [node.targets[0].id for node in empty if node.value.value is None]


#: What spoils an answer in a student's notebook: another text, and every number at least a tenth larger.
SPOIL = """
def _more(right):
    if isinstance(right, str):
        return f"not {right}"
    if isinstance(right, dict):
        return {key: _more(value) for key, value in right.items()}
    if isinstance(right, (list, tuple)):
        return type(right)(map(_more, right))
    return right + right // 10 + 1 if isinstance(right, int) else right * 1.1
"""


def ten_percent_more(code):
    """Return the code with all that it finds, or that its functions return, spoiled."""
    lines = [SPOIL]
    for name in names(code):
        more = f"(lambda right: lambda *arguments: _more(right(*arguments)))({name})"
        lines.append(f"{name} = {more} if callable({name}) else _more({name})")
    return "\n".join([code, *lines])


@functools.cache
def found(lab, student):
    """Return all that the source's cells, run in order for a student, leave behind."""
    left = {}
    for cell in source(lab).cells:
        if cell.cell_type == "code":
            exec(f"lab_seed = {student!r}" if cell.source.startswith("lab_seed =") else cell.source, left)
    return left


def copied(code, student, lab):
    """Return the code with its answers as another student found them; a function is the same for everybody."""
    theirs = found(lab, student)
    values = [f"{name} = {theirs[name]!r}" for name in names(code) if not callable(theirs[name])]
    return "\n".join(values) or code


#: What each student hands in, from the student version and the source's own answers; None leaves the cells as they are.
STUDENTS = {
    "right": lambda code, lab: code,
    "empty": None,
    "wrong": lambda code, lab: ten_percent_more(code),
    "neighbour": lambda code, lab: copied(code, "right", lab),
}


@pytest.fixture(scope="module")
def nbgrader(tmp_path_factory):
    """An environment with the `course` extra."""
    environment = tools.Environment(tmp_path_factory.mktemp("nbgrader"))
    repository = tools.copy_repository(tmp_path_factory.mktemp("repository"))
    environment.install(f"{repository}[course]")
    return environment


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
    with (course / "grades.csv").open(newline="") as table:
        return {(row["assignment"], row["student_id"]): float(row["score"]) for row in csv.DictReader(table)}


def hand_in(notebook, lab, student, change):
    for cell in notebook.cells:
        if cell.source.startswith("lab_seed ="):
            cell.source = f'lab_seed = "{student}"'
        elif change and graded(cell)["solution"]:
            cell.source = change(answers(lab)[graded(cell)["grade_id"]], lab)


def points(lab, *, only_functions=False):
    """Return a lab's points: all, or those for questions that ask for nothing but functions."""
    cells = [cell for cell in source(lab).cells if graded(cell)["grade"]]
    kept = {name for name, code in answers(lab).items() if not only_functions or "= None" not in code}
    return sum(graded(cell)["points"] for cell in cells if graded(cell)["grade_id"].removesuffix("-test") in kept)


@each_lab
def test_every_answer_has_a_test_that_a_student_cannot_see_whole(lab):
    tests = {graded(cell)["grade_id"]: cell.source for cell in source(lab).cells if graded(cell)["grade"]}
    assert set(tests) == {f"{name}-test" for name in answers(lab)}
    assert all(len(HIDDEN.findall(code)) == 1 and "answered(" in code for code in tests.values())


@each_lab
def test_the_lecturers_page_names_the_lab_and_its_points(lab):
    page = (tools.ROOT / "notebooks" / "labs" / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{lab}` · .* \| {points(lab)} \|", page, re.MULTILINE)


@each_lab
def test_the_source_holds_no_outputs(lab):
    assert not [cell for cell in source(lab).cells if cell.get("outputs") or cell.get("execution_count")]


@each_lab
def test_every_student_has_numbers_of_their_own(lab):
    number = int(lab.removeprefix("lab"))
    drawn = [labs.numbers(f"s{student}", number) for student in range(500)]
    assert len(set(drawn)) == 500
    assert labs.numbers(" s1 ", number) == labs.numbers("s1", number) == drawn[1]


@each_lab
@pytest.mark.parametrize("student", ["s1", "s2", "Ångström 3"])
def test_the_sources_answers_are_right_for_any_student(lab, student):
    assert found(lab, student)["mine"] == labs.numbers(student, int(lab.removeprefix("lab")))


def test_lab_1_asks_for_beliefs_and_answers_that_make_sense():
    for student in range(500):
        mine = labs.numbers(f"s{student}", 1)
        assert 0 < mine.prior < mine.limit < 1
        assert mine.others + 0.5 < mine.answer < mine.others + 1


@pytest.mark.parametrize(
    ("seed", "lab", "error", "message"),
    [
        (123, 1, TypeError, "between quotation marks"),
        (" ", 1, ValueError, "it is empty"),
        ("s123", 9, ValueError, "lab must be one of 1"),
    ],
)
def test_a_seed_or_lab_that_cannot_be_is_refused(seed, lab, error, message):
    with pytest.raises(error, match=message):
        labs.numbers(seed, lab)


@pytest.mark.slow
@each_lab
def test_the_student_version_holds_no_solution_and_no_hidden_test(lab, course):
    released = {
        line.strip()
        for cell in read(course / "release" / lab / f"{lab}.ipynb").cells
        for line in cell.source.splitlines()
    }
    assert not [line for line in released if line.startswith("###") and line.endswith(("SOLUTION", "HIDDEN TESTS"))]
    code = [cell.source for cell in source(lab).cells]
    secrets = [secret for text in code for secret in [*SOLUTION.findall(text), *HIDDEN.findall(text)]]
    assert len(secrets) >= 2 * len(answers(lab))
    for secret in secrets:
        assert not {line.strip() for line in secret.splitlines() if len(line.strip()) > 3} & released


@pytest.mark.slow
@each_lab
def test_the_student_version_runs_unanswered_and_says_so(lab, course, nbgrader, tmp_path):
    released = course / "release" / lab / f"{lab}.ipynb"
    command = ("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir", tmp_path, released)
    nbgrader.run(*command, cwd=released.parent)
    for cell in read(tmp_path / released.name).cells:
        if graded(cell)["grade"]:
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
def test_answers_copied_from_another_student_get_no_points(lab, scores):
    assert scores[lab, "neighbour"] == points(lab, only_functions=True) < points(lab)


@pytest.mark.slow
@each_lab
def test_explorers_are_shown_where_the_lab_is_graded(lab, course):
    for student in STUDENTS:
        graded_copy = read(course / "autograded" / student / lab / f"{lab}.ipynb")
        shown = [cell for cell in graded_copy.cells if re.search(r"^\w+Explorer\(", cell.source, re.MULTILINE)]
        assert shown
        assert all(any("image/png" in output.get("data", {}) for output in cell.outputs) for cell in shown)


@pytest.mark.slow
@each_lab
def test_the_feedback_on_a_wrong_answer_does_not_give_the_right_one(lab, course):
    rights = read(course / "autograded" / "wrong" / lab / f"{lab}.ipynb")
    for cell in rights.cells:
        if graded(cell)["grade"]:
            (error,) = [output for output in cell.outputs if output.output_type == "error"]
            assert error.ename == "AssertionError", error.evalue
            assert not re.search(r"\d\.\d{2,}", error.evalue), error.evalue
