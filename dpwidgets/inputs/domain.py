"""What the calculators accept, checked at the door and said in words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpwidgets.inputs.number import as_floats
from dpwidgets.inputs.outside import described

FloatArray: TypeAlias = NDArray[np.float64]

_Word = TypeVar("_Word")

#: Decorates a function whose numbers may round to 0: they are meant to,
#: whatever the user's own `np.seterr` says. Division by zero, overflow and NaN
#: stay errors, for they are never meant.
silent = np.errstate(under="ignore")

#: The largest float below 1: what a probability becomes that is closer to 1
#: than floats can tell.
ALMOST_ONE = float(np.nextafter(1.0, 0.0))


class DomainError(ValueError):
    """A value that its argument does not allow.

    Parameters
    ----------
    argument : str
        The argument's name, so that an explorer can put the message beside the
        right control.
    message : str
        The whole message.
    """

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(message)
        self.argument = argument


def must_be(argument: str, what: str) -> DomainError:
    """Return the error that an argument must be something else than it is.

    Parameters
    ----------
    argument : str
        The argument's name.
    what : str
        Completes the sentence "argument must be …".

    Examples
    --------
    >>> raise must_be("n", "even; got 3")
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: n must be even; got 3
    """
    return DomainError(argument, f"{argument} must be {what}")


@dataclass(frozen=True)
class Domain:
    """The numbers that an argument allows.

    Parameters
    ----------
    allowed : str
        Completes the sentence "epsilon must be …".
    low, high : float
        The two ends.
    includes_low, includes_high : bool
        Whether an end belongs to the domain.
    whole : bool
        Whether only whole numbers belong to it.
    why : str
        A sentence that says why other numbers are out, where a reader may
        wonder.
    also : tuple of float
        What else belongs to it, wherever its ends are: 0, infinity.
    includes_truth : bool
        Whether True and False belong to it, as 1 and 0.
    of : str
        Stands behind the argument's name in a message: "values of a count must
        be …".

    Examples
    --------
    >>> POSITIVE.check("epsilon", [0.1, 1])
    array([0.1, 1. ])
    >>> POSITIVE.check("epsilon", -1)
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: epsilon must be a finite number above 0; got -1
    """

    allowed: str
    low: float = -np.inf
    high: float = np.inf
    includes_low: bool = False
    includes_high: bool = False
    whole: bool = False
    why: str = ""
    also: tuple[float, ...] = ()
    includes_truth: bool = False
    of: str = ""

    def contains(self, values: FloatArray) -> NDArray[np.bool_]:
        """Tell for each value whether it belongs to the domain; NaN never does."""
        above_low = np.greater_equal if self.includes_low else np.greater
        below_high = np.less_equal if self.includes_high else np.less
        inside = np.isfinite(values)
        inside &= above_low(values, self.low)
        inside &= below_high(values, self.high)
        if self.whole:
            inside &= values == np.round(values)
        for number in self.also:
            inside |= values == number
        return inside

    def check(self, argument: str, value: object) -> FloatArray:
        """Return `value` as an array of floats, or raise an error that names the argument.

        Parameters
        ----------
        argument : str
            The argument's name.
        value : array_like
            A number or an array of numbers.

        Returns
        -------
        array of the shape of `value`
            The numbers.

        Raises
        ------
        TypeError
            If `value` is not made of real numbers.
        DomainError
            If a number lies outside the domain.
        """
        array = as_floats(value, truth=self.includes_truth)
        if array is None:
            raise TypeError(str(self.wrong(argument, described(value))))
        outside = ~self.contains(array)
        if outside.any():
            worst = float(array[outside].flat[0])
            got = f"{worst:.12g}"
            # Outside by less than twelve digits show.
            if self.contains(np.asarray(float(got))):
                got = repr(worst)
            if self.why:
                got = f"{got}. {self.why}"
            raise self.wrong(argument, got)
        return array

    def check_one(self, argument: str, value: object) -> float:
        """Return one number as a float, or as an int where only whole ones are allowed.

        It raises what `check` does, and a DomainError for an array.
        """
        # Nearly always, and quick.
        if type(value) is (int if self.whole else float) and (
            self.low < value < self.high
        ):
            return value
        array = self.check(argument, value)
        if array.ndim:
            raise self.wrong(argument, f"an array of shape {array.shape}")
        return int(array) if self.whole else float(array)

    def wrong(self, argument: str, got: str) -> DomainError:
        """Return the error that an argument is something else than what is allowed."""
        return DomainError(
            argument, f"{argument}{self.of} must be {self.allowed}; got {got}"
        )


def within(low: float, high: float, why: str = "") -> Domain:
    """Return the domain of the numbers from `low` to `high`, both included.

    Parameters
    ----------
    low, high : float
        Its ends.
    why : str
        As in `Domain`.

    Examples
    --------
    >>> within(-1e12, 0.5).allowed, within(1e-8, 1000).allowed
    ('a number from −1e12 to 0.5', 'a number from 1e-8 to 1000')
    """
    return Domain(
        f"a number from {_end(low)} to {_end(high)}",
        low,
        high,
        includes_low=True,
        includes_high=True,
        why=why,
    )


def _end(number: float) -> str:
    """Write an end of a domain: 1e-8, −1e100."""
    text = f"{number:.12g}".replace("e-0", "e-").replace("e+", "e")
    return f"−{text[1:]}" if text.startswith("-") else text


def whole(low: int, high: float = np.inf) -> Domain:
    """Return the domain of the whole numbers from `low` up, or to `high`, both included.

    Parameters
    ----------
    low : int
        The smallest.
    high : int, optional
        The largest; by default there is none.

    Examples
    --------
    >>> whole(2).allowed, whole(1, 10**6).allowed
    ('a whole number from 2 up', 'a whole number from 1 to 1,000,000')
    """
    end = f"to {int(high):,}" if high < np.inf else "up"
    return Domain(
        f"a whole number from {low:,} {end}",
        low,
        high,
        includes_low=True,
        includes_high=True,
        whole=True,
    )


POSITIVE = Domain("a finite number above 0", low=0.0)
PROBABILITY = Domain(
    "a number between 0 and 1, both excluded", low=0.0, high=1.0
)
REAL = Domain("a finite number")
#: A record of a column that is counted. A code, such as 1 for yes and 2 for
#: no, is no such number.
COUNTED = replace(
    whole(0, 1),
    allowed="0 or 1: 1 for whoever has the property, 0 for all others",
    includes_truth=True,
    of=" of a count",
)
#: An answer, or any other number of which only its distance from others
#: matters.
NUMBER = within(-1e100, 1e100)
#: The privacy parameter, in every function of every text.
EPSILON = within(
    1e-8,
    1000,
    why="A smaller ε hides nearly everything and a larger one next to nothing",
)


def one_of(argument: str, value: object, allowed: Iterable[_Word]) -> _Word:
    """Return the one of the allowed words that `value` equals, or raise an error that lists them.

    Parameters
    ----------
    argument : str
        The argument's name.
    value : object
        What was given, anything at all.
    allowed : iterable
        What may be given.

    Returns
    -------
    word
        The allowed one, and not what was given.

    Raises
    ------
    DomainError
        If it is none of them.

    Examples
    --------
    >>> one_of("mechanism", "laplace", ("laplace", "gaussian"))
    'laplace'
    >>> one_of("mechanism", "cauchy", ("laplace", "gaussian"))
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: mechanism must be one of 'laplace', 'gaussian';
    got 'cauchy'
    """
    words = tuple(allowed)
    for word in words:
        if isinstance(value, type(word)) and value == word:
            return word
    names = ", ".join(map(repr, words))
    raise must_be(argument, f"one of {names}; got {described(value)}")


def check(**arguments: tuple[ArrayLike, Domain]) -> list[FloatArray]:
    """Check each argument against its domain, and all of them against each other's shapes.

    Parameters
    ----------
    **arguments : (array_like, Domain)
        Under each argument's name its value and its domain.

    Returns
    -------
    list of arrays
        The values as floats, in the order given.

    Raises
    ------
    TypeError, DomainError
        As `Domain.check`.
    ValueError
        If the shapes do not broadcast; the message names every shape.

    Examples
    --------
    >>> check(epsilon=(0.1, POSITIVE), count=([1, 2], POSITIVE))
    [array(0.1), array([1., 2.])]
    """
    arrays = [
        domain.check(name, value)
        for name, (value, domain) in arguments.items()
    ]
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(
            f"{name} {array.shape}"
            for name, array in zip(arguments, arrays, strict=True)
            if array.ndim
        )
        raise ValueError(
            f"the shapes of the arguments must broadcast; got {shapes}"
        ) from None
    return arrays


def check_solved(
    name: str,
    numbers: FloatArray,
    domain: Domain,
    argument: str,
    *,
    above: str,
    below: str,
) -> FloatArray:
    """Return numbers that were solved for, or raise an error where one lies outside its domain.

    Parameters
    ----------
    name : str
        What was solved for.
    numbers : array of any shape
        What came out. Numbers beyond an end by no more than rounding become
        that end.
    domain : Domain
        What the next function accepts; both its ends belong to it.
    argument : str
        The argument that the error blames.
    above, below : str
        What that argument must be where a number is too large, and where one
        is too small.

    Returns
    -------
    array of the shape of `numbers`
        The numbers, all within the domain.

    Raises
    ------
    DomainError
        If a number lies outside.

    Examples
    --------
    >>> check_solved("ε", np.array(2e4), EPSILON, "half_width", above="wider", below="narrower")
    Traceback (most recent call last):
        ...
    dpwidgets.inputs.domain.DomainError: half_width must be wider here: it would take
    ε = 2e+04, and ε is a number from 1e-8 to 1000
    """
    too_large = numbers > domain.high * (1 + 1e-12)
    too_small = numbers < domain.low * (1 - 1e-12)
    for outside, must in ((too_large, above), (too_small, below)):
        if np.any(outside):
            worst = float(np.asarray(numbers)[outside].flat[0])
            would = f"it would take {name} = {worst:.3g}"
            raise must_be(
                argument,
                f"{must} here: {would}, and {name} is {domain.allowed}",
            )
    return np.clip(numbers, domain.low, domain.high)
