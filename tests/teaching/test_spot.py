"""A program whose wrong line the reader presses."""

import pytest

import tools
from dpwidgets import LossExplorer, Question, Spot
from dpwidgets.inputs.domain import DomainError
from tools import assert_sound, press, said, shown

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


def test_two_other_lines_show_it_too():
    asked = spot(hint="Read aloud.", solution="Line 3.")
    choose(asked, 1)
    press(asked, "hint")
    choose(asked, 2)
    assert "it counts everybody once" in shown(asked, "verdict")["text"]
    assert "The attack." in said(asked)
    press(asked, "solution")
    assert not asked.correct


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


def test_what_it_knows_is_said_only_of_the_lines_that_are_named():
    assert spot().known() == ("Not yet: it counts everybody once.",)
    plain = spot(why=None)
    assert plain.known() == ()
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


def test_it_takes_no_explorer():
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        spot(explorer=LossExplorer())


def test_it_is_counted_as_a_question_and_known_again_by_its_lines():
    assert isinstance(spot(), Question)
    assert spot().key != Spot("Which line?", "x = 1\ny = 2", 1).key
