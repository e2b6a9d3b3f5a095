"""What earns points without the work: each earns what an honest wrong answer earns."""

import ast
import json
import re

import numpy as np
import pytest

import sources
import tools
from wrong_functions import WRONG

CALCULATORS = (
    "from dpwidgets.calculators import bayes, breach, interval, loss, noise, worlds\n"
    "from dpwidgets.decisions import choice\n"
)

#: Answers of one call, by question, where our own is longer; of the largest
#: questions the nearest to it, which is not enough. Earlier answers are at
#: hand, and are right.
ONE_CALL = {
    "lab1": {
        "belief": "highest = breach.posterior(mine.prior, mine.epsilon)\n"
        "lowest = breach.downward(mine.prior, mine.epsilon)",
        "largest_epsilon": "largest_epsilon = breach.epsilon(mine.prior, mine.limit)",
        "after": "belief_after = breach.posterior(mine.prior, 2 * mine.epsilon)",
        "delta": "def smallest_delta(epsilon, with_you, without_you):\n"
        "    return loss.finite(with_you, without_you).delta(epsilon)",
        "each": "each_epsilon = loss.epsilon(mine.budget, mine.delta, mine.releases)",
    },
    "lab2": {
        "worlds": "def world_answers(days):\n    return worlds.Worlds(days).answers",
        "posterior": "def posterior(means, answers, scales):\n"
        "    return noise.posterior_after(answers, means, scales[0])",
        "fact": "before = (mine.most_days - mine.many_days) / mine.most_days\n"
        "after = breach.Attack(mine.days, [*range(mine.most_days)]).risk(mine.epsilon)",
        "promise": "largest_epsilon = breach.epsilon(before, mine.limit)",
        "estimate": "def estimate(noisy, prior, epsilon):\n"
        "    return bayes.posterior_median(noisy, mine.n, mine.share, epsilon)",
        "school": "school_epsilon = worlds.Worlds(mine.days).sensitivity / mine.scale",
    },
    "lab3": {
        "offered": "offered_half_width = "
        "interval.half_width(mine.offer, mine.confidence, mine.count)",
        "total": "total_epsilon = breach.epsilon(mine.prior, mine.posterior)",
        "feasible": "low = planner_epsilon\n"
        "high = choice.decide(total=total_epsilon, prior=mine.prior, posterior=mine.posterior, "
        "releases=mine.releases, delta=mine.delta).suggestion",
        "officer-stands": "fitting_half_width = "
        "interval.half_width(high, mine.confidence, mine.branch)",
        "chosen": "chosen_epsilon = high\n"
        "chosen_people = mine.count * interval.half_width(high, mine.confidence, mine.count)\n"
        "chosen_total = loss.laplace(high).compose(mine.releases).epsilon(mine.delta)\n"
        "chosen_belief = breach.posterior(mine.prior, chosen_total)",
    },
}


def score(lab, student, change, told=None):
    """Return the points that the lab's tests give, and add to `told` what they say.

    A wrong answer costs only its own.
    """
    earned, left = 0, {}
    for cell, code in sources.codes(lab, student, change):
        about = sources.graded(cell)
        try:
            exec(code, left)
        except Exception as error:
            if told is not None and about["grade"]:
                told.append(error)
        else:
            earned += about["points"] if about["grade"] else 0
    return earned


@sources.each_lab
def test_wrong_answers_earn_nothing_and_those_of_another_student_only_their_functions(
    lab,
):
    theirs, told = sources.found(lab, "s2"), []

    def copied(code):
        values = [
            f"{name} = {theirs[name]!r}"
            for name in sources.names(code)
            if not callable(theirs[name])
        ]
        return "\n".join(values) or code

    assert score(lab, "s1", sources.ten_percent_more, told) == 0
    assert len(told) == len(sources.cells_that_test(sources.source(lab)))
    for error in told:
        assert type(error) is AssertionError
        # It does not give the right one.
        assert not re.search(r"\d\.\d{2,}", str(error)), error
    assert score(lab, "s1", lambda code: sources.SOLUTION.sub("", code)) == 0
    functions = sources.points(lab, only_functions=True)
    # One more where a copied answer happens to follow from another copied one.
    assert (
        functions
        <= score(lab, "s1", copied)
        <= functions + 1
        < sources.points(lab)
    )


def passes(test, left, code):
    """Tell whether a test passes with other answers than those that are left."""
    scope = dict(left)
    try:
        exec(code, scope)
        exec(test.source, scope)
    except Exception:
        return False
    return True


def is_one_call(expression):
    """Tell whether code is one call, or methods in a chain, and two arithmetic operations more."""
    nodes = list(ast.walk(expression))
    chain = [node for node in nodes if isinstance(node, ast.Call)]
    inner = [
        node
        for node in chain
        if not any(
            isinstance(one.func, ast.Attribute) and one.func.value is node
            for one in chain
        )
    ]
    outer = [node for node in inner if getattr(node.func, "id", "") != "range"]
    return (
        len(outer) <= 1
        and sum(isinstance(node, ast.BinOp) for node in nodes) <= 2
    )


def is_one_line(code):
    """Tell whether each of a question's answers is one line: one call, and two operations more."""
    body = ast.parse(code).body
    body = [
        one
        for one in body
        if not isinstance(getattr(one, "value", None), ast.Constant)
    ]
    return len(body) <= len(sources.names(code)) and all(
        map(is_one_call, body)
    )


@sources.each_lab
def test_at_most_a_third_of_the_points_can_be_had_by_one_call_each(lab):
    earned = {}
    for cell, left in sources.runs(lab, "s1"):
        name = sources.tested(cell)
        if not sources.graded(cell)["grade"]:
            continue
        code = ONE_CALL[lab].get(name)
        for node in ast.parse(code or "").body:
            assert is_one_call(node), name
        if is_one_line(sources.answers(lab)[name]) or (
            code and passes(cell, left, CALCULATORS + code)
        ):
            earned[cell.id] = sources.graded(cell)["points"]
    # Half as much at least: so the answers above are real ones.
    assert (
        sources.points(lab) / 4
        < sum(earned.values())
        <= sources.points(lab) / 3
    ), earned


@pytest.mark.parametrize(
    "chosen", ["0.0001", "1.0", "3 * budget_epsilon", "2000.0"]
)
def test_a_range_that_holds_everything_earns_no_more_than_a_wrong_one(chosen):
    def scored(wide):
        def change(code):
            if "low = None" in code:
                return f"{code}\n{wide}"
            return code.replace(
                "chosen_epsilon = high", f"chosen_epsilon = {chosen}"
            )

        return score("lab3", "s123", change)

    wide = scored("low, high = 1e-9, 1e9")
    assert wide <= scored(
        "low, high = 2 * planner_epsilon, 2.5 * budget_epsilon"
    )
    assert wide < sources.points("lab3") - 9


def test_a_record_of_another_case_earns_nothing():
    left = sources.found("lab3", "s1")
    (test,) = (
        one
        for one in sources.cells_that_test(sources.source("lab3"))
        if one.id == "record-test"
    )
    kept = left["decision_record"]
    assert passes(test, left, f"decision_record = {kept!r}")
    # Beside the right ε:
    for forged in (
        {"mechanism": "Gaussian"},
        {"n": 1},
        {"household": 3},
        {"confidence": 0.5},
    ):
        data = json.loads(kept)
        (fields,) = (
            one
            for one in (data, *data.values())
            if isinstance(one, dict) and "whole" in one
        )
        fields["whole"] |= forged
        assert not passes(
            test, left, f"decision_record = {json.dumps(data)!r}"
        ), forged


def larger(function):
    """Return a function that returns what another does, a third larger."""

    return lambda *asked: np.multiply(1.3, function(*asked)).tolist()


@sources.each_lab
def test_the_lecturers_page_says_what_a_wrong_function_costs_at_most(lab):
    """It is told at once, and costs what is built on it."""
    most, after = 0, sources.rooms(lab, "s1")
    for at, (asked, room) in enumerate(after):
        is_answer = sources.graded(asked)["solution"]
        defined = sources.names(asked.source) if is_answer else ()
        for function in (name for name in defined if callable(room[name])):
            theirs, lost = room | {function: larger(room[function])}, 0
            for cell, _ in after[at + 1 :]:
                try:
                    exec(cell.source, theirs)
                except AssertionError:
                    lost += sources.graded(cell)["points"]
            most = max(most, lost)
    page = (tools.ROOT / "notebooks" / "labs" / "README.md").read_text(
        encoding="utf-8"
    )
    assert f"{most} in `{lab}`" in page, most


@sources.each_lab
def test_each_test_of_a_question_refuses_each_function_that_looks_right(lab):
    answers = sources.answers(lab)
    assert {one for one in answers if "def " in answers[one]} == {*WRONG[lab]}
    for test, left in sources.rooms(lab, "s1"):
        functions = WRONG[lab].get(sources.tested(test), ())
        if not sources.graded(test)["solution"]:
            for code in functions:
                scope = dict(left)
                exec(f"{CALCULATORS}{code}", scope)
                with pytest.raises(AssertionError):
                    exec(f"{test.source}\nraise LookupError({code!r})", scope)
