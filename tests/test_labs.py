"""Every lab can be released and graded: nbgrader does with it what the lecturer's page says."""

import ast
import contextlib
import csv
import functools
import itertools
import json
import math
import re

import nbformat
import numpy as np
import pytest

import tools
from dpwidgets import ChoiceExplorer, labs
from dpwidgets.calculators import bayes, breach, interval, loss

SOURCES = sorted((tools.ROOT / "notebooks" / "labs" / "source").glob("*/*.ipynb"))
LABS = [path.stem for path in SOURCES]
SOLUTION = re.compile(r"^ *### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION\n?", re.DOTALL | re.MULTILINE)
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL)
SCHEME = re.compile(r"=== BEGIN MARK SCHEME ===\n.*?=== END MARK SCHEME ===", re.DOTALL)
each_lab = pytest.mark.parametrize("lab", LABS)


def read(path):
    return nbformat.read(path, as_version=4)


def graded(cell):
    """Return what nbgrader knows of a cell."""
    return cell.metadata.get("nbgrader", {"grade": False, "solution": False, "grade_id": ""})


def source(lab):
    return read(SOURCES[LABS.index(lab)])


def answers(lab, *, read_by="tests"):
    """Return the source's own answer for each cell that tests, or a person, will read, by the name of the cell."""
    cells = [cell for cell in source(lab).cells if graded(cell)["solution"]]
    cells = [cell for cell in cells if graded(cell)["grade"] == (read_by == "a person")]
    return {graded(cell)["grade_id"]: SOLUTION.sub(r"\1", cell.source) for cell in cells}


def cells_that_test(notebook):
    """Return the cells that test an answer; an argument is graded too, and by a person."""
    return [cell for cell in notebook.cells if graded(cell)["grade"] and not graded(cell)["solution"]]


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


def runs(lab, student, change=lambda code: code, run=exec):
    """Run the source's cells in order for a student, with its answers changed; yield each cell and all names so far."""
    left = {}
    for cell in source(lab).cells:
        if cell.cell_type == "code":
            code = change(cell.source) if graded(cell)["solution"] else cell.source
            run(f"lab_seed = {student!r}" if code.startswith("lab_seed =") else code, left)
            yield cell, left


@functools.cache
def found(lab, student):
    """Return all that the source's cells, run in order for a student, leave behind."""
    *_, (_, left) = runs(lab, student)
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


#: The labs with an argument that a person reads.
ARGUED = [lab for lab in LABS if answers(lab, read_by="a person")]
#: What a lecturer does in the formgrader, as a program that nbgrader's environment runs: see who waits, give points.
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
    return read_scores(course / "grades.csv")


def read_scores(path):
    with path.open(newline="") as table:
        return {(row["assignment"], row["student_id"]): float(row["score"]) for row in csv.DictReader(table)}


def hand_in(notebook, lab, student, change):
    arguments = answers(lab, read_by="a person")
    for cell in notebook.cells:
        name = graded(cell)["grade_id"]
        if cell.source.startswith("lab_seed ="):
            cell.source = f'lab_seed = "{student}"'
        elif change and graded(cell)["solution"]:
            cell.source = arguments[name] if name in arguments else change(answers(lab)[name], lab)


def points(lab, *, only_functions=False):
    """Return the points that tests give: all, or those for questions that ask for nothing but functions."""
    kept = {name for name, code in answers(lab).items() if not only_functions or "= None" not in code}
    return sum(
        graded(cell)["points"]
        for cell in cells_that_test(source(lab))
        if graded(cell)["grade_id"].removesuffix("-test") in kept
    )


def points_by_a_person(lab):
    """Return the points that a person gives, by the name of the cell."""
    arguments = answers(lab, read_by="a person")
    cells = [graded(cell) for cell in source(lab).cells]
    return {cell["grade_id"]: cell["points"] for cell in cells if cell["grade_id"] in arguments}


def misconceptions(cell, left):
    """Yield each right answer that a cell's tests compare with others, and these others, given all that comes before.

    A comparison is reached by letting all others before it hold, and only this one fail.
    """
    for at in itertools.count():
        asked, told = itertools.count(), []
        spies = {
            "near": lambda *_, asked=asked, at=at: next(asked) != at,
            "wrong": lambda answer, numbers, hint, told=told: told.append((answer, numbers)) or hint,
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
        assert graded(question)["locked"]  # so nbgrader puts the scheme back where the argument is graded
        assert len(SCHEME.findall(question.source)) == 1
        assert f"({graded(cells[name])['points']} points; a person reads this)" in SCHEME.sub("", question.source)


@each_lab
def test_the_lecturers_page_names_the_lab_and_its_points(lab):
    page = (tools.ROOT / "notebooks" / "labs" / "README.md").read_text(encoding="utf-8")
    both = " + ".join(map(str, [points(lab), *points_by_a_person(lab).values()]))
    assert re.search(rf"^\| `{lab}` · .* \| {re.escape(both)} \|", page, re.MULTILINE)


@each_lab
def test_the_source_holds_no_outputs(lab):
    assert not [cell for cell in source(lab).cells if cell.get("outputs") or cell.get("execution_count")]


@functools.cache
def drawn(lab):
    """Return the numbers of many students."""
    return [labs.numbers(f"s{student}", lab) for student in range(500)]


@each_lab
def test_every_student_has_numbers_of_their_own(lab):
    number = int(lab.removeprefix("lab"))
    assert len(set(drawn(number))) == 500
    assert labs.numbers(" s1 ", number) == labs.numbers("s1", number) == drawn(number)[1]


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
        apart = {}  # a function is asked more than once, and some misconception may be right here and there
        for right, numbers in misconceptions(cell, left):
            for why, number in numbers.items():
                apart[why] = apart.get(why, False) or not labs.near(number, right)
        assert all(apart.values()), apart
        explained += len(apart)
    assert explained > len(cells_that_test(source(lab)))


@each_lab
@pytest.mark.parametrize("odd", [None, "many", [0.5], (), {"a": 1.0}, math.nan, -1.0, True], ids=repr)
def test_an_odd_answer_meets_no_error_but_that_of_an_assert(lab, odd):
    literal = "float('nan')" if odd != odd else repr(odd)

    def change(code):
        function = "lambda *arguments: "
        return "\n".join(f"{name} = {function * (f'def {name}(' in code)}{literal}" for name in names(code))

    def run(code, left):
        hidden = HIDDEN.search(code)
        with contextlib.suppress(AssertionError) if hidden else contextlib.nullcontext():
            exec(HIDDEN.sub("", code), left)
        if hidden:
            with pytest.raises(AssertionError):
                exec(hidden[0], left)

    assert [cell for cell, _ in runs(lab, "s1", change, run) if HIDDEN.search(cell.source)]


def test_lab_1_asks_for_beliefs_and_answers_that_make_sense():
    for mine in drawn(1):
        assert 0 < mine.prior < mine.limit < 1
        assert mine.others + 0.5 < mine.answer < mine.others + 1


def test_lab_2_has_one_best_guess_and_answers_that_say_too_much():
    for mine in drawn(2):
        assert len({*mine.names, mine.newcomer}) == 9
        assert len(set(mine.days)) == 8
        assert 0 <= min(mine.days) <= max(mine.days) < mine.most_days
        means = (sum(mine.days) - np.array(mine.days)) / 7
        one, two = (np.exp(-abs(answer - means) / mine.scale) for answer in (mine.first_answer, mine.second_answer))
        for beliefs in (one / one.sum(), one * two / (one @ two)):
            second, best = np.sort(beliefs)[-2:]
            assert max(second, mine.risk, 1 / 8) < best - 0.04
        means = (sum(mine.days) + np.arange(mine.most_days + 1)) / 9
        beliefs = np.exp(-abs(mine.third_answer - means) / (mine.most_days / 9 / mine.epsilon))
        after = beliefs[mine.many_days + 1 :].sum() / beliefs.sum()
        assert (mine.most_days - mine.many_days) / (mine.most_days + 1) < mine.limit < after
        assert mine.noisy_count < 0 < mine.n * mine.share < mine.n
        assert mine.releases > 1


def test_lab_2_gives_points_for_the_posteriors_mean_and_none_for_the_prior():
    for mine in drawn(2)[:50]:
        year = (mine.n, mine.share, mine.count_epsilon)
        enough = 1.05 * bayes.mean_error(*year, "posterior median")
        assert bayes.mean_error(*year, "posterior mean") < enough < bayes.mean_error(*year, "prior")


@pytest.mark.parametrize("school", [(60, 0.2, 0.3), (85, 0.05, 0.25)])
@pytest.mark.parametrize(
    ("estimator", "estimate"),
    [
        ("naive", lambda noisy, n, p, epsilon: noisy),
        ("clamped", lambda noisy, n, p, epsilon: min(max(noisy, 0), n)),
        ("posterior mean", bayes.posterior_mean),
        ("posterior median", bayes.posterior_median),
    ],
)
def test_the_average_error_of_an_estimate_is_exact_to_half_a_percent(estimator, estimate, school):
    assert labs.average_error(estimate, *school) == pytest.approx(bayes.mean_error(*school, estimator), rel=0.005)


@pytest.mark.parametrize("strange", [None, "5", math.nan, [5.0]])
def test_an_estimate_that_is_no_number_is_infinitely_far_off(strange):
    assert labs.average_error(lambda noisy, n, p, epsilon: strange if noisy < 0 else noisy, 60, 0.1, 0.3) == math.inf


@pytest.mark.parametrize("answer", [[0.25, 0.75], (0.25, 0.75), np.array([0.25, 0.75])])
def test_a_list_a_tuple_and_an_array_are_numbers(answer):
    assert labs.are_numbers(answer, 2)
    assert labs.near_all(answer, np.array([0.2501, 0.7499]))
    assert not labs.near_all(answer, [0.25, 0.7])


@pytest.mark.parametrize("answer", [None, 0.25, "12", [0.25], [0.25, None], np.array(0.25), np.eye(2), {1: 2, 3: 4}])
def test_what_is_no_list_of_two_numbers_is_told_from_one(answer):
    assert not labs.are_numbers(answer, 2)
    assert not labs.near_all(answer, [0.25, 0.75])


def test_lab_3_has_room_for_the_town_and_none_for_the_branch():
    def within_budget(epsilon):
        return loss.laplace(epsilon).compose(mine.releases).epsilon(mine.delta) <= mine.total

    belief_is_stricter = set()
    for student in range(500):
        mine = labs.numbers(f"s{student}", 3)
        low = interval.epsilon(mine.half_width, mine.confidence, mine.count)
        branch = interval.epsilon(mine.half_width, mine.confidence, mine.branch)
        belief = breach.epsilon(mine.prior, mine.posterior)
        assert 1.4 * low < belief < branch / 1.5
        assert within_budget(1.4 * low)
        assert not within_budget(branch / 1.5)
        assert branch < mine.total  # so the budget allows at least one count of the branch
        assert within_budget(1.1 * belief) or not within_budget(belief / 1.1)  # the two limits differ
        assert within_budget(1.2 * mine.total / mine.releases)  # and so does a budget that is shared without δ
        assert breach.posterior(mine.prior, mine.releases * mine.offer) < 0.9
        belief_is_stricter.add(within_budget(belief))
    assert belief_is_stricter == {True, False}


def test_a_record_is_read_however_it_was_made():
    explorer = ChoiceExplorer(use_risk=False, epsilon=0.1)
    written = explorer.record(about="a count", names="two of us", date="today")
    assert labs.read_record(written.json()) == (written, "")
    assert labs.read_record(f"\n{written.json()}\n") == (written, "")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "no answer yet"),
        (0.1, "the text that its .json"),
        ({"epsilon": 0.1}, "the text that its .json"),
        ("decision.json", "the text that its .json"),
        ("{'epsilon': 0.1}", "this is not"),
        ('{"epsilon": 0.1}', "another program"),
        ('{"program": "dpwidgets decision record", "format": 1}', "epsilon is missing"),
        ('{"epsilon":' * 100_000, "this is not"),
    ],
)
def test_what_is_no_record_gets_the_reason(answer, reason):
    written, problem = labs.read_record(answer)
    assert written is None
    assert reason in problem


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
    patterns = (SOLUTION, HIDDEN, SCHEME)
    secrets = [secret for text in code for pattern in patterns for secret in pattern.findall(text)]
    assert len(secrets) >= 2 * len(answers(lab)) + 2 * len(answers(lab, read_by="a person"))
    for secret in secrets:
        assert not {line.strip() for line in secret.splitlines() if len(line.strip()) > 3} & released


@pytest.mark.slow
@each_lab
def test_the_student_version_runs_unanswered_and_says_so(lab, course, nbgrader, tmp_path):
    released = course / "release" / lab / f"{lab}.ipynb"
    command = ("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir", tmp_path, released)
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
    for cell in cells_that_test(read(course / "autograded" / "wrong" / lab / f"{lab}.ipynb")):
        (error,) = [output for output in cell.outputs if output.output_type == "error"]
        assert error.ename == "AssertionError", error.evalue
        assert not re.search(r"\d\.\d{2,}", error.evalue), error.evalue


@pytest.fixture(scope="module")
def read_by_a_person(course, scores, nbgrader):
    """Who waits for a grade of their argument, by lab, and the scores once one of them has half of its points."""
    given = {lab: {name: most / 2 for name, most in points_by_a_person(lab).items()} for lab in ARGUED}
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
