"""What earns points without the work: each earns what an honest wrong answer earns."""

import ast
import itertools
import json
import math
import types

import numpy as np
import pytest

import tools
from dpwidgets import calculators, labs, texts
from sources import (
    answers,
    cells_that_test,
    each_lab,
    found,
    graded,
    names,
    points,
    read,
    runs,
    source,
)

CALCULATORS = (
    "from dpwidgets.calculators import bayes, breach, choice, interval, loss, noise, worlds\n"
)

#: The answers of one call, by question: the whole answer, or the nearest to it where one call is
#: not enough. Earlier answers are at hand, and are right.
ONE_CALL = {
    "lab1": {
        "belief": "highest = breach.posterior(mine.prior, mine.epsilon)\n"
        "lowest = breach.downward(mine.prior, mine.epsilon)",
        "limit": "largest_epsilon = breach.epsilon(mine.prior, mine.limit)",
        "inverse": "def answer_with(wanted, epsilon, others):\n"
        "    return others + loss.laplace(epsilon).tail(wanted)",
        "after": "belief_after = breach.posterior(mine.prior, 2 * mine.epsilon)",
        "delta": "def smallest_delta(epsilon, with_you, without_you):\n"
        "    return loss.finite(with_you, without_you).delta(epsilon)",
        "expected": "expected_loss = loss.laplace(mine.epsilon).mean()",
        "worst": "worst_case = mine.releases * mine.small_epsilon",
        "total": "total_epsilon = "
        "loss.laplace(mine.small_epsilon).compose(mine.releases).epsilon(mine.delta)",
        "most": "most_releases = "
        "loss.compositions(mine.small_epsilon, mine.budget - mine.epsilon, mine.delta)",
        "each": "each_epsilon = loss.epsilon(mine.budget, mine.delta, mine.releases)",
    },
    "lab2": {
        "worlds": "def world_answers(days):\n    return worlds.Worlds(days).answers",
        "posterior": "def posterior(means, answers, scales):\n"
        "    return noise.posterior_after(answers, means, scales[0])",
        "first": "first_guess = max(pupils, key=pupils.get)\n"
        "first_belief = worlds.Worlds(mine.days).risk(1 / mine.scale)",
        "ends": "guess_if_lowest = max(pupils, key=pupils.get)\n"
        "guess_if_highest = min(pupils, key=pupils.get)",
        "fact": "before = (mine.most_days - mine.many_days) / mine.most_days\n"
        "after = breach.Attack(mine.days, [*range(mine.most_days)]).risk(mine.epsilon)",
        "promise": "largest_epsilon = breach.epsilon(before, mine.limit)",
        "likeliest": "def likeliest_count(noisy, prior, epsilon):\n    return max(prior)",
        "estimate": "def estimate(noisy, prior, epsilon):\n"
        "    return bayes.posterior_median(noisy, mine.n, mine.share, epsilon)",
        "doubled": "doubled_belief = breach.posterior(0.5, mine.count_epsilon)",
        "nearer": "pupils_nearer = 1 / mine.count_epsilon - bayes.mean_error("
        "mine.n, mine.share, mine.count_epsilon, 'posterior median')",
        "school": "school_epsilon = worlds.Worlds(mine.days).sensitivity / mine.scale",
        "safe": "safe_epsilon = worlds.Worlds(mine.days).epsilon(mine.risk)",
        "each": "each_epsilon = safe_epsilon / mine.releases",
        "off": "days_off = school_epsilon * mine.scale / each_epsilon\n"
        "days_off_without = worlds.Worlds(mine.days[:-1]).sensitivity / each_epsilon",
    },
    "lab3": {
        "smallest": "def smallest_epsilon(half_width, confidence, counts):\n"
        "    return interval.epsilon(half_width, confidence, counts[0])",
        "planner": "planner_epsilon = "
        "smallest_epsilon(mine.half_width, mine.confidence, [mine.count])",
        "offered": "offered_half_width = "
        "interval.half_width(mine.offer, mine.confidence, mine.count)",
        "total": "total_epsilon = breach.epsilon(mine.prior, mine.posterior)",
        "budget": "budget_epsilon = loss.epsilon(total_epsilon, mine.delta, mine.releases)",
        "after": "after_one = breach.posterior(mine.prior, mine.offer)\n"
        "after_all = breach.posterior(mine.prior, mine.releases * mine.offer)\n"
        "after_all_at_delta = "
        "loss.laplace(mine.offer).compose(mine.releases).epsilon(mine.delta)",
        "feasible": "low = planner_epsilon\n"
        "high = choice.decide(total=total_epsilon, prior=mine.prior, posterior=mine.posterior, "
        "belief_reach='all releases', releases=mine.releases, delta=mine.delta).suggestion",
        "conflict": "times_as_large = "
        "smallest_epsilon(mine.half_width, mine.confidence, [mine.branch]) / high",
        "officer-stands": "fitting_half_width = "
        "interval.half_width(high, mine.confidence, mine.branch)",
        "planner-stands": "fitting_posterior = breach.posterior(mine.prior, total_epsilon)\n"
        "fitting_releases = loss.compositions(high * times_as_large, total_epsilon, mine.delta)",
        "rule": "smallest_count = interval.count(high, mine.half_width, mine.confidence)",
        "chosen": "chosen_epsilon = high\n"
        "chosen_people = mine.count * interval.half_width(high, mine.confidence, mine.count)\n"
        "chosen_total = loss.laplace(high).compose(mine.releases).epsilon(mine.delta)\n"
        "chosen_belief = breach.posterior(mine.prior, chosen_total)",
        "record": "decision_record = choice.decide(reference=mine.count, "
        "half_width=mine.half_width, confidence=mine.confidence, total=total_epsilon, "
        "prior=mine.prior, posterior=mine.posterior, belief_reach='all releases', "
        "releases=mine.releases, delta=mine.delta, epsilon=chosen_epsilon)"
        ".record(about='a weekly count', names='planner, officer', date='today').json()",
    },
}
#: What a function that a lesson's readers wrote comes nearest to: none of these is enough.
FROM_LESSONS = {
    "lab1": {
        "inverse": "def answer_with(wanted, epsilon, others):\n"
        "    return others + lessons.loss.loss_of(wanted, epsilon)",
        "delta": "def smallest_delta(epsilon, with_you, without_you):\n"
        "    return lessons.loss.delta(np.divide(with_you, without_you), epsilon)",
    },
    "lab2": {
        "posterior": "def posterior(means, answers, scales):\n"
        "    return lessons.worlds.posterior(answers[0], np.array(means), scales[0])",
        "likeliest": "def likeliest_count(noisy, prior, epsilon):\n"
        "    return lessons.bayes.most_likely(noisy, len(prior) - 1)",
        "estimate": "def estimate(noisy, prior, epsilon):\n"
        "    return range(len(prior)) @ lessons.bayes.posterior(prior, noisy, epsilon)",
    },
    "lab3": {
        "smallest": "def smallest_epsilon(half_width, confidence, counts):\n"
        "    exact = lessons.interval.epsilon_for(half_width, confidence, min(counts))\n"
        "    return math.ceil(1000 * exact) / 1000",
    },
}


def score(lab, student, change):
    """Return the points that the lab's tests give; a wrong answer costs only its own."""
    earned = 0
    cells = iter([cell for cell, _ in runs(lab, student, run=lambda code, left: None)])

    def run(code, left):
        nonlocal earned
        about = graded(next(cells))
        try:
            exec(code, left)
        except Exception:
            return
        if about["grade"]:
            earned += about["points"]

    assert list(runs(lab, student, change, run))
    return earned


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
        if not any(isinstance(one.func, ast.Attribute) and one.func.value is node for one in chain)
    ]
    outer = [node for node in inner if getattr(node.func, "id", "") != "range"]
    return len(outer) <= 1 and sum(isinstance(node, ast.BinOp) for node in nodes) <= 2


def is_one_line(code):
    """Tell whether each of a question's answers is one line: one call, and two operations more."""
    body = [node for node in ast.parse(code).body if not is_none(node)]
    return len(body) <= len(names(code)) and all(map(is_one_call, body))


def is_none(node):
    return isinstance(getattr(node, "value", None), ast.Constant)


@each_lab
def test_at_most_a_third_of_the_points_can_be_had_by_one_call_each(lab):
    earned = {}
    for cell, left in runs(lab, "s1"):
        name = graded(cell)["grade_id"].removesuffix("-test")
        if not graded(cell)["grade"]:
            continue
        code = ONE_CALL[lab].get(name)
        for node in ast.parse(code or "").body:
            assert is_one_call(node), name
        if is_one_line(answers(lab)[name]) or (code and passes(cell, left, CALCULATORS + code)):
            earned[name] = graded(cell)["points"]
    # Half as much at least: so the answers above are real ones.
    assert points(lab) / 4 < sum(earned.values()) <= points(lab) / 3, earned


def lessons():
    """Return the functions that the lessons' readers wrote, by the word of the text."""
    known, found = {**vars(calculators), "math": math, "np": np}, types.SimpleNamespace()
    for text in texts.TEXTS:
        written = types.SimpleNamespace()
        for cell in read(tools.ROOT / "notebooks" / text.notebook).cells:
            if cell.source.startswith("Code("):
                call = ast.parse(cell.source).body[0].value
                (like,) = (one.value for one in call.keywords if one.arg == "like")
                name = call.args[1].body.id  # Code("…", lambda: name, like=…)
                setattr(written, name, eval(ast.unparse(like), known))
        assert vars(written), text.word
        setattr(found, text.word, written)
    return found


@each_lab
def test_no_function_that_a_lesson_had_written_answers_a_question(lab):
    written = {"lessons": lessons(), "np": np}
    for cell, left in runs(lab, "s1"):
        name = graded(cell)["grade_id"].removesuffix("-test")
        if graded(cell)["grade"] and name in FROM_LESSONS[lab]:
            assert not passes(cell, left | written, FROM_LESSONS[lab][name]), name


def spied(lab, student):
    """Yield each test, what is left before it, and all that was handed to functions before."""
    handed = []

    def keep(function):
        def kept(*arguments):
            handed.extend(arguments)
            return function(*arguments)

        return kept

    told = []
    for cell, left in runs(lab, student):
        if graded(cell)["grade"]:
            yield cell, dict(left), list(told)
            # It hands over a grid of noisy counts, of which some are near to any number.
            theirs = left | {"average_error": lambda *_: 1.0}
            name = graded(cell)["grade_id"].removesuffix("-test")
            for function in names(answers(lab)[name]):
                if callable(left[function]):
                    theirs[function] = keep(left[function])
            exec(cell.source, theirs)
            told = [one for one in handed if one not in ([], ())]


def offers(told, right):
    """Return what was handed over that could be this answer: a number for a number, and so on."""
    numbers = [one for one in told if isinstance(one, (int, float))]
    numbers += [one for many in told if isinstance(many, (list, tuple)) for one in many]
    if isinstance(right, (int, float)):
        return sorted(set(numbers))
    return [one for one in told if isinstance(one, (list, tuple)) and len(one) == len(right)]


@each_lab
def test_what_tests_hand_to_functions_is_no_answer(lab):
    """A function may keep its arguments and offer them as a later answer.

    What a test hands over for every student alike tells nobody anything of their own numbers.
    """
    for (cell, left, told), (_, _, alike) in zip(spied(lab, "s1"), spied(lab, "s2"), strict=True):
        own = [one for one in told if one not in alike]
        for name in names(answers(lab)[graded(cell)["grade_id"].removesuffix("-test")]):
            if callable(left[name]) or isinstance(left[name], str):
                continue
            for offer in offers(own, left[name]):
                assert not passes(cell, left, f"{name} = {offer!r}"), (name, offer)


@pytest.mark.parametrize("student", ["s1", "s2", "s123"])
def test_a_spy_without_means_of_its_own_has_none_of_those_of_lab_2(student):
    """The review's program: zeros for the means, and then those that a test handed over."""
    spy = "\nkept = []\n_right = posterior\ndef posterior(means, *more):\n"
    spy += "    kept.append(list(means))\n    return _right(means, *more)\n"
    wrong = "def world_answers(days):\n    return [0.0] * len(days)\n"

    def change(code, *, spying):
        code = wrong if "def world_answers" in code else code
        code += spy if spying and "def posterior" in code else ""
        means = "([one for one in kept if len(one) == 8] or [[0.0] * 8])[-1]"
        return code.replace("world_answers(mine.days)", means) if spying else code

    honest, with_spy = (
        score("lab2", student, lambda code, spying=spying: change(code, spying=spying))
        for spying in (False, True)
    )
    assert with_spy == honest


@pytest.mark.parametrize("chosen", ["0.0001", "1.0", "3 * budget_epsilon", "2000.0"])
@pytest.mark.parametrize("student", ["s1", "s123"])
def test_a_range_that_holds_everything_earns_no_more_than_a_wrong_one(student, chosen):
    def scored(wide):
        def change(code):
            if "low = None" in code:
                return f"{code}\n{wide}"
            return code.replace("chosen_epsilon = high", f"chosen_epsilon = {chosen}")

        return score("lab3", student, change)

    wide = scored("low, high = 1e-9, 1e9")
    assert wide <= scored("low, high = 2 * planner_epsilon, 2.5 * budget_epsilon")
    assert wide < points("lab3") - 9


def test_one_spelling_of_an_id_has_the_numbers_of_all_that_the_tests_accept():
    for lab in labs.LABS:
        spelled = [labs.numbers(one, lab) for one in ("skate", "ſKaTe", "SKATE", " Skate ")]
        assert spelled.count(spelled[0]) == 4


#: What somebody may write into the JSON of a record, beside the right ε.
FORGED = {
    "mechanism": ("case", {"mechanism": "Gaussian"}),
    "n": ("case", {"n": 1}),
    "neighbours": ("case", {"neighbours": "replace", "n": 900}),
    "used": ("case", {"used": 0.5}),
    "household": ("case", {"household": 3}),
    "confidence": ("case", {"confidence": 0.5}),
    "prior": ("case", {"prior": 0.01}),
    "words": ("about", "x"),
}


def forge(kept, what):
    """Return the JSON of a record in which one thing is another."""
    data = json.loads(kept)
    place, other = FORGED[what]
    fields = (
        data
        if place in data
        else next(one for one in data.values() if isinstance(one, dict) and place in one)
    )
    fields[place] = {**fields[place], **other} if isinstance(other, dict) else other
    return json.dumps(data)


def test_a_record_of_another_case_earns_nothing():
    left = found("lab3", "s1")
    tests = {graded(cell)["grade_id"]: cell for cell in cells_that_test(source("lab3"))}
    test, kept = tests["record-test"], left["decision_record"]
    assert passes(test, left, f"decision_record = {kept!r}")
    for what in FORGED:
        assert not passes(test, left, f"decision_record = {forge(kept, what)!r}"), what


def test_the_record_of_lab_3_promises_something_about_beliefs():
    record, _ = labs.read_record(found("lab3", "s1")["decision_record"])
    assert [goal.kind for goal in record.goals] == ["interval", "belief", "budget"]


@each_lab
def test_the_lecturers_page_says_what_a_wrong_function_costs_at_most(lab):
    """It is told at once, and costs what is built on it."""
    most = 0
    for function in itertools.chain(*(names(code) for code in answers(lab).values())):

        def change(code, function=function):
            if f"def {function}(" not in code:
                return code
            scale = "[one * 1.3 for one in right] if isinstance(right, list) else 1.3 * right"
            more = f"\n_right_{function} = {function}\ndef {function}(*arguments):\n"
            return code + more + f"    right = _right_{function}(*arguments)\n    return {scale}\n"

        most = max(most, points(lab) - score(lab, "s1", change))
    page = (tools.ROOT / "notebooks" / "labs" / "README.md").read_text(encoding="utf-8")
    assert f"{most} in `{lab}`" in page, most
