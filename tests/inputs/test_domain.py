"""The one door through which every argument comes: any object at all, and numbers at the edges."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpwidgets.inputs import domain as door
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    POSITIVE,
    PROBABILITY,
    DomainError,
    whole,
)
from strategies import NO_NUMBERS, silence


def refuse(self, *_, **__):
    raise RuntimeError


class Refuses:
    """An object that cannot be looked at."""

    __hash__ = None
    __array__ = __float__ = __eq__ = __repr__ = refuse


looped = []
looped.append(looped)


CANNOT_BE_LOOKED_AT = (
    looped,
    (number for number in [1, 2]),
    Refuses(),
    [Refuses()],
)


@pytest.mark.parametrize(
    "value",
    [*NO_NUMBERS, *CANNOT_BE_LOOKED_AT],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number_is_refused_by_name_in_few_words(value):
    for domain in (EPSILON, PROBABILITY, whole(1, 9), NUMBER):
        for look in (domain.check, domain.check_one):
            with pytest.raises(
                TypeError, match=r"^argument must be .*; got "
            ) as caught:
                look("argument", value)
            assert len(str(caught.value)) < 200
            assert "\n" not in str(caught.value)
    with pytest.raises(
        DomainError, match=r"^query must be one of 'mean', 'sum'; got "
    ):
        door.one_of("query", value, ("mean", "sum"))


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        1,
        Fraction(1, 2),
        Decimal("0.5"),
        np.float32(0.5),
        np.int8(1),
        np.longdouble(0.5),
    ],
)
def test_a_number_is_a_number_in_any_type(value):
    one = POSITIVE.check_one("argument", value)
    assert one == value
    assert type(one) is float
    assert POSITIVE.check("argument", value).shape == ()
    for several in (
        [value, 2],
        np.array([value, 2], dtype=object),
        np.ma.masked_array([value, 2]),
    ):
        assert POSITIVE.check("argument", several).tolist() == [
            float(value),
            2,
        ]


def test_a_number_just_outside_is_written_so_that_it_is_outside_and_nothing_warns():
    far = [
        np.inf,
        np.longdouble("1e4000"),
        np.longdouble("1e-4000"),
        np.float16(6e4),
    ]
    for value in (
        1e-9,
        np.nextafter(1e-8, 0),
        np.nextafter(1000, 2000),
        1e-320,
        *far,
    ):
        with silence(), pytest.raises(DomainError) as caught:
            EPSILON.check("epsilon", value)
        got = float(str(caught.value).split("got ")[1].split(". A smaller")[0])
        assert not EPSILON.contains(np.array(got))
        assert "A smaller ε hides nearly everything" in str(caught.value)


def test_a_solved_number_beyond_an_end_by_rounding_is_that_end():
    def solved(number):
        return door.check_solved(
            "ε", np.array(number), EPSILON, "width", above="more", below="less"
        )

    assert solved(1000 * (1 + 1e-13)) == 1000
    assert solved(1e-8 * (1 - 1e-13)) == 1e-8
    assert solved(3.0) == 3
    with pytest.raises(
        DomainError, match=r"^width must be less here: it would take ε = 1e-08"
    ):
        solved(1e-8 * (1 - 1e-11))
    with pytest.raises(
        DomainError, match=r"^width must be more here: it would take ε = inf"
    ):
        solved([1.0, np.inf])


def test_shapes():
    assert [
        array.shape
        for array in door.check(a=([1, 2], POSITIVE), b=(1, POSITIVE))
    ] == [
        (2,),
        (),
    ]
    with pytest.raises(
        ValueError, match=r"the shapes .* broadcast; got a \(2,\), b \(3,\)"
    ):
        door.check(a=([1, 2], POSITIVE), b=([1, 2, 3], POSITIVE))


def test_silent_lets_numbers_round_to_0_and_nothing_else():
    @door.silent
    def power(x):
        return np.exp(np.array(x))

    with np.errstate(all="raise"):
        assert power(-1000.0) == 0
        with pytest.raises(FloatingPointError, match="overflow"):
            power(1000.0)
    assert 0 < 1 - door.ALMOST_ONE < 1.2e-16
