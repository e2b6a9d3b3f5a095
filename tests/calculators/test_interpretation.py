"""What one meaning is: its number, its sentence, its errors."""

import numpy as np
import pytest

from dpwidgets.calculators.interpretation import READER, Meaning
from dpwidgets.inputs.domain import DomainError

SQUARE = Meaning(
    name="",
    says="It becomes {value}.",
    computes=lambda scale: scale**2,
    gets=READER,
    shown=lambda value: f"<{value}>",
)


def test_the_number_and_the_sentence():
    assert SQUARE.value([[1, 2], [3, 4]]) == pytest.approx(np.array([[1, 4], [9, 16]]))
    assert type(SQUARE.value(1)) is float
    assert SQUARE.sentence(2) == "It becomes <4.0>."
    with pytest.raises(DomainError, match="scale must be a number from 1e-90 to 1e90; got 0"):
        SQUARE.value(0)
    with pytest.raises(TypeError, match="scale must be"):
        SQUARE.value("half")
