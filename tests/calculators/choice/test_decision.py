"""A decision puts goals of up to four kinds together and suggests an ε."""

import pytest

from dpwidgets.calculators import breach, choice, interval
from dpwidgets.calculators.choice import decide

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


def test_a_kind_is_left_out_where_its_first_argument_is():
    assert [goal.kind for goal in decide(count=100).goals] == ["count"]
    everything = decide(count=100, values=STUDENTS, prior=0.1, releases=12)
    assert [goal.kind for goal in everything.goals] == ["count", "risk", "breach", "budget"]
    with pytest.raises(ValueError, match="at least one goal"):
        decide()


def test_the_suggestion_meets_every_goal_that_can_be_met():
    everything = decide(count=100, values=STUDENTS, prior=0.1, releases=12)
    assert everything.met == (True,) * 4
    assert everything.epsilon == pytest.approx(interval.epsilon(0.2, 0.8, 100), rel=0.005)
    assert decide(prior=0.1).epsilon == pytest.approx(breach.epsilon(0.1, 0.2), rel=0.005)
    assert decide(prior=0.1).met == (True,)
    torn = decide(count=3, prior=0.1)
    assert torn.met == (False, True)
    assert "It would do to say" in torn.sentence


def test_an_epsilon_of_ones_own_is_kept_and_judged():
    own = decide(count=100, prior=0.1, epsilon=5)
    assert (own.epsilon, own.met) == (5, (True, False))
    assert own.sentence.endswith("ε = 5 meets 1 of 2.")
    assert [why for what, why in own.record().rejected if what.startswith("“")] == [
        "ε = 5 does not meet it: it needs an ε of at most 0.81"
    ]


def test_the_record_tells_what_epsilon_means_for_these_goals():
    kept = decide(
        count=400, half_width=0.05, confidence=0.95, prior=0.2, releases=4, delta=0, epsilon=0.2
    ).record()
    assert dict(kept.assumptions) == {
        "count": 400,
        "confidence": 0.95,
        "prior": 0.2,
        "compositions": 4,
    }
    said = " ".join(told.sentence for told in kept.meanings)
    assert "a noisy count of 400 lies within ±3.74% of the truth, with a probability of 95%" in said
    assert "a belief of 20% about you above 23.4%" in said
    assert "4 releases with Laplace noise" in said


def test_worlds_that_answer_alike_allow_any_epsilon():
    alike = decide(values=[5, 5, 5, 5])
    assert alike.choice.feasible.high == float("inf")
    assert alike.epsilon == 1
    assert alike.choice.from_data


def test_a_column_is_not_for_publishing_and_not_in_the_record():
    with_column = decide(values={"Terry": 123456789, "Pat": 2, "Kelly": 3})
    assert "not for publishing" in with_column.warning
    for text in (with_column.record().json(), with_column.record().markdown()):
        assert "not for publishing" in text
        assert "123456789" not in text
        assert "Terry" not in text
    assert decide(count=100).warning == ""


def test_the_same_arguments_make_equal_decisions():
    assert decide(values=STUDENTS, prior=0.1) == decide(values=STUDENTS, prior=0.1)
    assert decide(values=STUDENTS) != decide(values=STUDENTS, risk=0.5)


def test_bad_input():
    with pytest.raises(ValueError, match=r"^epsilon must be a number from 1e-8 to 1000; got -1"):
        decide(count=100, epsilon=-1)
    with pytest.raises(ValueError, match="half_width must be"):
        decide(count=100, half_width=0)
    assert choice.suggested(decide(count=100).choice) == 0.0805
