"""A program whose wrong line the reader presses, and our eight, each with its attack."""

import math

import numpy as np
import pytest

import tools
from dpwidgets import Question, Spot
from dpwidgets.inputs.domain import DomainError
from dpwidgets.teaching import mistakes
from dpwidgets.teaching.mistakes import MISTAKES, Mistake
from tools import assert_sound, said, shown

PROGRAM = """
    def release(ages, rng):
        count = len(ages)
        return count + <noise>
"""
WHY = {3: "no noise is called <noise>", 2: "it counts everybody once"}


def spot(**more):
    return Spot(
        "Which line?",
        PROGRAM,
        3,
        **({"why": WHY, "then": "The attack."} | more),
    )


def choose(asked, line):
    tools.ask(asked, "answer", place=line - 1)


def test_a_press_answers_and_what_it_lets_happen_appears():
    asked = spot()
    assert_sound(asked)
    assert "check" not in asked._shown
    choose(asked, 1)
    assert shown(asked, "verdict")["text"].startswith(
        "✗ Not yet: that line does what it should"
    )
    assert shown(asked, "answer")["place"] == 0
    assert "The attack." not in said(asked)
    choose(asked, 1)  # the same line again is no second try
    assert asked.attempts == 1
    choose(asked, 3)
    assert (
        shown(asked, "verdict")["text"]
        == "✓ Right: no noise is called <noise>. See below."
    )
    assert asked.solved
    assert "The attack." in said(asked)


def test_lines_stand_in_their_order_and_keep_their_spaces():
    asked = spot()
    assert asked.lines == (
        "def release(ages, rng):",
        "    count = len(ages)",
        "    return count + <noise>",
    )
    field = asked._about["parts"][1]["parts"][0]
    assert field["kind"] == "lines"
    assert field["options"] == [
        f"line {at}: {line}" for at, line in enumerate(asked.lines, 1)
    ]
    assert repr(asked).splitlines()[2] == "  ( ) line 2:     count = len(ages)"


def test_a_page_without_a_kernel_judges_each_line_and_escapes_it():
    asked = spot()
    checks = asked.checks()
    assert checks["lines"]
    assert [right for _, right, _ in checks["judged"]] == [False, False, True]
    page = asked.still_page()
    assert "return count + &lt;noise&gt;</code>" in page
    assert page.index("count = len(ages)") < page.index("The attack.")
    assert "no noise is called" not in page


def test_without_a_reason_it_says_only_whether_a_line_is_right():
    plain = spot(why=None)
    assert plain.judge(plain.answer) == (True, "Right.")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("x = 1", 1),
            "program must be two lines or more, none of them empty; got 'x = 1'",
        ),
        (("x = 1\n\ny = 2", 1), "none of them empty"),
        (("x = 1\ny = 2", 3), "wrong must be one of 1, 2; got 3"),
        (("x = 1\ny = 2", "2"), "wrong must be one of 1, 2; got '2'"),
    ],
)
def test_a_program_without_such_a_line_is_refused(arguments, says):
    with pytest.raises(DomainError, match=says):
        Spot("Which?", *arguments)
    with pytest.raises(DomainError, match="why must be one of 1, 2; got 7"):
        Spot("Which?", "x = 1\ny = 2", 1, why={7: "there is none"})


def test_it_is_counted_as_a_question_and_known_again_by_its_lines():
    assert isinstance(spot(), Question)
    assert spot().key != Spot("Which line?", "x = 1\ny = 2", 1).key


NAMES = {
    id(one): name
    for name, one in vars(mistakes).items()
    if isinstance(one, Mistake)
}
each = pytest.mark.parametrize(
    "mistake", MISTAKES, ids=lambda one: NAMES[id(one)]
)
#: How often the attack is right at least, of 100; where nothing stands, always
#: but for a percent.
LEAST = {"FLOAT_NOISE": 82, "CLIPPED_TO_TRUTH": 88, "EACH_ACCOUNT": 97}


@each
def test_the_attack_beats_every_attack_on_what_is_promised_and_not_on_the_mended_program(
    mistake,
):
    games = 2000
    most = math.exp(mistake.epsilon) / (1 + math.exp(mistake.epsilon))
    slack = 3 / (2 * math.sqrt(games))
    for seed in (1, 2):
        found = mistake.play(games, seed=seed)
        assert found >= LEAST.get(NAMES[id(mistake)], 99) / 100
        assert found > most + slack
        assert mistake.play(games, mended=True, seed=seed) <= most + slack


@each
def test_both_data_are_neighbours_and_the_rule_sees_the_answer_alone(mistake):
    without, her = (list(map(np.array, data)) for data in mistake.data)
    assert len(her) == len(without) + 1
    assert all(
        np.array_equal(one, other)
        for one, other in zip(without, her, strict=False)
    )
    assert set(mistake.says.__code__.co_varnames) & {"data", "rng"} == set()


@each
def test_a_program_has_one_line_to_find_that_fits_on_a_page(mistake):
    spot = Spot(
        mistake.prompt,
        mistake.program,
        mistake.wrong,
        why=mistake.why,
        then=mistake,
    )
    assert_sound(spot)
    assert 5 <= len(spot.lines) <= 10
    assert max(map(len, [*spot.lines, mistake.mended])) <= 85
    line = spot.lines[mistake.wrong - 1]
    assert line != mistake.mended
    assert len(line) - len(line.lstrip()) == len(mistake.mended) - len(
        mistake.mended.lstrip()
    )
    assert mistake.wrong in mistake.why
    assert spot.judge(spot.answer) == (
        True,
        f"Right: {mistake.why[mistake.wrong]}.",
    )


@each
def test_what_appears_tells_how_often_the_attack_was_right(mistake):
    page = mistake._repr_html_()
    for mended in (False, True):
        assert f" {mistake.play(mended=mended) * 400:.0f} of 400" in page
    most = 100 * math.exp(mistake.epsilon) / (1 + math.exp(mistake.epsilon))
    (said,) = (
        float(part.split()[0]) for part in page.split("in more than ")[1:]
    )
    assert 0 <= said - most < 0.1


def test_noise_of_numpy_has_the_gaps_that_the_attack_looks_for():
    """Each answer could come from its own count, and most could not from the other."""
    rng = np.random.default_rng(1)
    noises = rng.laplace(scale=100, size=500)
    assert all(mistakes._could_be(4 + noise, 4, 100) for noise in noises)
    others = np.mean(
        [mistakes._could_be(4 + noise, 5, 100) for noise in noises]
    )
    assert 0.25 < others < 0.4
