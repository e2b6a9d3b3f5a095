"""What one meaning is: its inverse, its sentence, its errors."""

import numpy as np
import pytest

from dpwidgets.calculators.domain import POSITIVE, DomainError
from dpwidgets.calculators.interpretation import Meaning, monotone

SQUARE = monotone(lambda epsilon: epsilon**2)
FALL = monotone(lambda epsilon: 1 / (1 + epsilon))


@pytest.mark.parametrize(
    ("ways", "function"), [(SQUARE, np.square), (FALL, lambda one: 1 / (1 + one))]
)
def test_both_ways_undo_each_other(ways, function):
    meaning, epsilons = Meaning(name="", says="", **ways), np.geomspace(1e-3, 49, 30).reshape(5, 6)
    assert meaning.value(epsilons) == pytest.approx(function(epsilons), rel=1e-15)
    assert meaning.epsilon(function(epsilons)) == pytest.approx(epsilons, rel=1e-9)
    assert type(meaning.value(1)) is type(meaning.epsilon(0.5)) is float


def test_a_value_that_no_epsilon_gives_is_refused():
    with pytest.raises(DomainError, match=r"value must be a number from 0.000999001 to 1; got 2"):
        Meaning(name="", says="", **FALL).epsilon([0.5, 2])
    with pytest.raises(DomainError, match="epsilon must be a number from 1e-8 to 1000; got 0"):
        Meaning(name="", says="", **FALL).value(0)
    with pytest.raises(TypeError, match="value must be"):
        Meaning(name="", says="", **FALL).epsilon("half")


def test_a_meaning_without_an_inverse_says_why():
    meaning = Meaning(
        name="Error", says="", computes=np.square, domain=POSITIVE, note="it rises and falls."
    )
    with pytest.raises(ValueError, match="“Error” has no inverse: it rises and falls"):
        meaning.epsilon(1)


def test_the_sentence_writes_numbers_as_people_do():
    meaning = Meaning(
        name="", says="{epsilon} becomes {value}.", **SQUARE, shown=lambda value: f"<{value}>"
    )
    assert meaning.sentence(2.0) == "2 becomes <4.0>."
    with pytest.raises(DomainError, match=r"epsilon must be .*; got an array of shape \(2,\)"):
        meaning.sentence([1, 2])
