"""A hint leads to the answer: what it names is there, and says what `judge` accepts.

A question whose answer is a number, and whose button sets an explorer, is
followed to that state. There the answer stands in what the hint names, or it
takes one more step, which is written down here. A choice has no number to
find; what its hint lets a reader see is written down here, too.
"""

import math
import re

import numpy as np

from dpwidgets import Question, Task
from dpwidgets.teaching.asking import Asking
from here import assert_met, each_lesson, executed, made, made_anywhere
from numbers_in_words import numbers
from test_given_away import seen as words
from tools import visible

SENDS = re.compile(
    r"\b(button|[Cc]hange|[Ss]et the explorer|[Rr]ead|[Tt]ype|[Ll]ook)\b"
)
MOVES = r"(?:[Mm]ove|[Ss]et|[Rr]aise|[Ss]olve for|[Ww]iden|into)(?: the)? "
#: What a hint may call the parts below an explorer, each with where it stands.
PLACES = {
    r"\bsentence\b": "sentence",
    r"\bnote\b": "notes",
    r"\brows?\b": "rows",
}


def weighted(share):
    """Return a probability of somebody who has three times the weight of each other."""
    return 3 * share / (1 + 2 * share)


#: By the beginning of the prompt, the step from a number that is shown to the
#: answer.
STEPS = {
    "For ±20% with 80%, you guess 50": lambda epsilon: (
        epsilon * 200 * 0.2 / math.log(5)
    ),
    "A town counts about 2,000 cyclists": lambda epsilon: 365 * epsilon,
    "Before, the adversary gave Ada": lambda lost: 1 / (1 + math.exp(-lost)),
    "Five people, p = 0.3, ε = 1": lambda mean: (
        mean / (5 - mean) / (0.3 / 0.7)
    ),
    "With this prior, ε = 2": weighted,
    "Now it is Chris who is missing": weighted,
    "In the attack, 10 is three times": weighted,
    "The promise from 20% to 25% fixes ε": lambda epsilon: (
        1 / (1 + 4 * math.exp(-4 * epsilon))
    ),
    "A Laplace count every week": lambda scale: 1 / scale,
}


def at(explorer, **state):
    """Return what a page says in a state, by where it stands."""
    seen = explorer._seen(explorer.state_at(**state))
    plot = type(explorer).view.plots[seen.state.values["view"]]()
    picture = words(plot.svg(seen.result, "").replace("svg", "g"))
    says = {
        "sentence": seen.sentence,
        "notes": " ".join(seen.notes),
        "picture": picture,
    }
    rows = " ".join(words for _, words in seen.rows)
    return says | {"rows": rows, "code": " ".join(seen.folded_code.values())}


def shown(explorer, place="", **state):
    """Return the numbers that stand in one place in a state, or everywhere."""
    says = at(explorer, **state)
    return [
        one.value
        for one in numbers(says[place] if place else " ".join(says.values()))
    ]


def epsilon_of_all(explorer, **state):
    return float(
        re.search(r"ε = ([\d.]+)", at(explorer, **state)["sentence"])[1]
    )


def scales_at_the_largest(asked):
    """Each query's sentence has its largest ε; set to it, it has the scale."""
    scales = []
    for query in ("mean", "median"):
        said = at(asked.explorer, view="risk", query=query)["sentence"]
        largest = float(re.search(r"up to ε = ([\d.]+)", said)[1])
        said = at(asked.explorer, view="risk", query=query, epsilon=largest)[
            "sentence"
        ]
        scales.append(float(re.search(r"scale ([\d.]+)", said)[1]))
    return asked.judge(repr(scales[0] / scales[1]))[0]


def on_the_green_curve(asked):
    plot = type(asked.explorer).view.plots["risk"]()
    result = asked.explorer.result_at(**asked.state)
    plot.update(result)
    (green,) = (
        line for line in plot.axes.lines if line.get_color() == "#007f5c"
    )
    return asked.judge(
        repr(float(np.interp(result.epsilon, *green.get_data())))
    )[0]


def bound_is_no_larger(asked):
    pattern = r"up to ε = ([\d.]+) \(by the text’s bound, up to ([\d.]+)\)"
    for values in (asked.state["values"], (1, 2, 3, 10), (5, 5, 5, 9, 30)):
        said = at(asked.explorer, view="risk", values=values)["sentence"]
        largest, bound = re.search(pattern, said).groups()
        if float(bound) > float(largest):
            return False
    return True


def median_moves(asked):
    other = asked.explorer.result_at(
        **asked.state | {"values": (10, 25, 60, 60, 60)}
    )
    return {*asked.explorer.result_at(**asked.state).answers} != {
        *other.answers
    }


def same(pattern, **start):
    """Return what looks whether something in the sentence stays where the button leads."""

    def stays(asked):
        then = {**start, **asked.state}
        before, after = (
            re.search(pattern, at(asked.explorer, **state)["sentence"])[1]
            for state in (start, then)
        )
        return before == after

    return stays


def falls(number, **start):
    """Return what looks whether a number falls from a state to that where the button leads."""
    return lambda asked: (
        number(asked.explorer, **asked.state)
        < number(asked.explorer, **start) * (1 - 1e-3)
    )


def a_larger_posterior_takes_less_noise(asked):
    """The sentence has the scale: it grows with the prior, and falls as the posterior grows."""
    scales = []
    for moved in ({}, {"prior": 0.1}, {"posterior": 0.5}):
        said = at(asked.explorer, **asked.state | moved)["sentence"]
        scales.append(float(re.search(r"noise of scale ([\d.e-]+)", said)[1]))
    return scales[2] < scales[0] < scales[1]


#: By the beginning of the prompt, what a reader sees where the hint leads, if
#: not the answer.
SEES = {
    "Take the exact ε for the risk 1/3": scales_at_the_largest,
    "The risk is about the worst answer": on_the_green_curve,
    "Two ε stand under the explorer": bound_is_no_larger,
    "The median of 10, 25, 25, 25 and 60": median_moves,
    "The text says: at a fixed ρ2": a_larger_posterior_takes_less_noise,
    "Two promises for the same mean": falls(epsilon_of_all, view="beliefs"),
    "The clinic limits each patient": falls(epsilon_of_all),
    "The pupil with 30 days moves away": same(
        r"ε = 1.4, which is noise of scale ([\d.]+)"
    ),
}


def first(table, asked):
    """Return what a table says of a prompt, by its beginning."""
    return next(
        (
            what
            for start, what in table.items()
            if asked.prompt.startswith(start)
        ),
        None,
    )


def is_followed(asked):
    """Tell whether the hint of a question sends a reader to an explorer."""
    sends = not asked.choices or SENDS.search(asked.hint)
    return asked.explorer and asked.hint and asked.state and sends


def leads(asked):
    """Tell whether a reader finds the answer where the hint and the button lead."""
    if sees := first(SEES, asked):
        return sees(asked)
    step = first(STEPS, asked) or (lambda number: number)
    named = [
        place
        for words, place in PLACES.items()
        if re.search(words, asked.hint)
    ]
    found = [
        number
        for place in named or [""]
        for number in shown(asked.explorer, place, **asked.state)
    ]
    if asked.choices:
        right = [one.value for one in numbers(asked.answer)]
        return bool(right) and all(
            any(math.isclose(a, b) for b in found) for a in right
        )
    return any(stepped(asked, step, number) for number in found)


def stepped(asked, step, number):
    """Tell whether the step from a number leads to what is judged right."""
    try:
        return asked.judge(repr(step(number)))[0]
    except (ArithmeticError, ValueError):
        return False


def controls(hint, explorer):
    """Return the names of the controls that a hint tells a reader to move, and those it names."""
    moved, named = set(), set()
    for name, trait in explorer.parameters().items():
        label, _, symbol = trait.label.rstrip(")").partition(" (")
        for call in filter(None, (label, symbol)):
            if re.search(
                rf"{MOVES}{re.escape(call)}(?!\w)", hint, re.IGNORECASE
            ):
                moved.add(name)
            if len(label.split()) > 1 and re.search(
                rf"\b{re.escape(label)}\b", hint
            ):
                named.add(name)
    return moved, moved | named


@each_lesson
def test_a_hint_leads_to_what_is_judged_right(path, data_directory):
    several = made(path, Question, Task)
    tasks = [asked for asked in several if isinstance(asked, Task)]
    assert 0 < len(tasks) < len(several)
    seen = [asked._then for asked in several] + [
        getattr(one, "explorer", one)
        for one in executed(path).shown
        if not isinstance(one, Asking)
    ]
    for asked in several:
        explorer = asked.explorer
        assert explorer is None or explorer in seen, asked.prompt
        if "button" in asked.hint:
            assert asked.state, asked.prompt
        if not (asked.hint and explorer):
            continue
        moved, named = controls(asked.hint, explorer)
        reader = type(explorer)(**explorer.start, only=explorer.only)
        before = visible(reader)
        reader.go_to(**asked.state)
        assert named <= before | visible(reader), asked.prompt
        if isinstance(asked, Task):
            assert moved <= asked.free | {explorer.state_at().solved}, (
                asked.prompt
            )
        elif is_followed(asked):
            assert leads(asked), asked.prompt


def test_each_of_these_prompts_is_that_of_a_question_that_is_followed(
    data_directory,
):
    followed = filter(is_followed, made_anywhere(Question))
    assert_met({**STEPS, **SEES}, followed)
