"""How numbers are written for people: a few digits, and limits on their own side."""

import math
from collections.abc import Callable, Sequence
from decimal import (
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)
from fractions import Fraction

#: What two ways of computing the same number may differ by, relative to it.
ROUNDING = 1e-9


def at_most(number: float, limit: float) -> bool:
    """Tell whether a number keeps a limit, but for what two ways of computing it may differ by.

    Parameters
    ----------
    number : float
        The number.
    limit : float
        The limit. A number that is above it by no more than a billionth of it
        keeps it: far less than any sentence writes.

    Examples
    --------
    >>> at_most(11 * (1 / 11 + 1e-17), 1), at_most(0.1 + 0.2, 0.3), at_most(1.00001, 1)
    (True, True, False)
    """
    return number <= limit + ROUNDING * abs(limit)


_NOT_FINITE = {math.inf: "∞", -math.inf: "−∞"}


def rounded(value: float, digits: int = 3, *, up: bool | None = None) -> float:
    """Round to so many significant digits, and to all before the point of a number below 10¹⁵.

    Parameters
    ----------
    value : float
        Any number.
    digits : int
        How many digits to keep, from 1.
    up : bool, optional
        Whether always up or always down, unless the nearest differs by no more
        than a billionth of the number, as two ways of computing it may: 0.2 +
        3·10⁻¹⁷ is 0.2 and not 0.201. By default to the nearest.

    Returns
    -------
    float
        The rounded number; one that is not finite stays as it is.

    Examples
    --------
    >>> rounded(0.08047, up=True), rounded(0.8109, up=False), rounded(12345.6)
    (0.0805, 0.81, 12346.0)
    >>> rounded(1e10, up=True), rounded(1e10, up=False)
    (10000000000.0, 10000000000.0)
    """
    return _rounded(value, abs(value), digits, up=up)


def show(value: float, digits: int = 3, *, up: bool | None = None) -> str:
    """Write a number for a sentence: a few digits, and no exponent where none is needed.

    Parameters
    ----------
    value : float
        Any number, infinite or not, or a whole number of any size.
    digits : int
        How many significant digits to keep, from 1. A whole number below 10¹⁵
        keeps them all.
    up : bool, optional
        As in `rounded`; see `up` and `down`.

    Returns
    -------
    str
        The number as text.

    Examples
    --------
    >>> show(0.0804718), show(1234567), show(1.5e-9), show(80.0)
    ('0.0805', '1,234,567', '1.5e-9', '80')
    >>> show(0.0804718, up=False), show(0.1 + 0.2, up=True)
    ('0.0804', '0.3')
    """
    number = value if isinstance(value, int) else float(value)
    if up is not None:
        number = rounded(number, digits, up=up)
    if isinstance(number, float) and not math.isfinite(number):
        return _NOT_FINITE.get(number, "undefined")
    if abs(number) < 1e15 and number == round(number):
        return _minus(f"{int(number):,}")
    mantissa, exponent = f"{Decimal(number):.{digits - 1}e}".split("e")
    power = int(exponent)
    if -5 < power < 15:
        text = f"{number:,.{max(digits - 1 - power, 0)}f}"
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        return _minus(text)
    return _minus(f"{mantissa.rstrip('0').rstrip('.')}e{power}")


def exact(number: float) -> str:
    """Write a number so that people and Python read it as it is, and a third as 1/3.

    Parameters
    ----------
    number : float
        Any number. What has many digits and is a fraction of two numbers below
        1,000 is written as that.

    Returns
    -------
    str
        The number as text.

    Examples
    --------
    >>> exact(100.0), exact(1e-6), exact(1 / 74), exact(0.1 + 0.2)
    ('100', '1e-6', '1/74', '0.30000000000000004')
    """
    text = repr(number)
    if len(text) > 12 and math.isfinite(number):
        ratio = Fraction(number).limit_denominator(999)
        above, below = ratio.as_integer_ratio()
        if abs(above) < 1000 and above / below == number:
            return str(ratio)
    return text.removesuffix(".0").replace("e-0", "e-")


def percent(share: float, digits: int = 3, *, up: bool | None = None) -> str:
    """Write a share as a percentage that says 100% only of the whole, or of what is at most that.

    Parameters
    ----------
    share : float
        A number from 0 to 1, or up to 10³⁰⁰ where more than the whole makes
        sense.
    digits : int
        How many significant digits to keep, from 1, and more where the share
        is nearly 1.
    up : bool, optional
        As in `show`.

    Returns
    -------
    str
        The percentage as text.

    Examples
    --------
    >>> percent(0.8), percent(0.79810348), percent(0.999996)
    ('80%', '79.8%', '99.9996%')
    """
    if up and share > 1 - 0.01**digits:
        share = max(share, 1.0)  # at most all: no row of nines says more
    size = 100 * share
    if share < 1:
        size = 100 * min(share, 1 - share)
        # Rounded down, it keeps as many digits as it needs otherwise.
        while _rounded(100 * share, size, digits, up=up or None) >= 100:
            digits += 1
    return f"{show(_rounded(100 * share, size, digits, up=up), digits)}%"


def belief(probability: float, *, up: bool | None = None) -> str:
    """Write a belief after noisy answers as a percentage: floats may be 0 or 1, it never is.

    Parameters
    ----------
    probability : float
        A number from 0 to 1.
    up : bool, optional
        As in `show`.

    Returns
    -------
    str
        The percentage as text.

    Examples
    --------
    >>> belief(0.618), belief(1.0), belief(0.0)
    ('61.8%', 'nearly 100%', 'nearly 0%')
    """
    if probability <= 0:
        return "nearly 0%"
    written = percent(probability, up=up)
    # Of what is less away floats round off much.
    is_certain = written == "100%" or 1 - probability < 1e-12
    return "nearly 100%" if is_certain else written


def chance(probability: float, *, up: bool | None = None) -> str:
    """Write a probability as people say it: 1 in so many where that is whole, else a percentage.

    Parameters
    ----------
    probability : float
        A number from 0 to 1.
    up : bool, optional
        As in `show`.

    Returns
    -------
    str
        The probability as text.

    Examples
    --------
    >>> chance(1 / 74), chance(0.2), chance(0.3), chance(2.04e-5)
    ('1 in 74', '1 in 5', '30%', '1 in 49,020')
    """
    if 0 < probability <= 0.5:
        # The smallest have no float for a reciprocal.
        number = 1 / Fraction(float(probability))
        whole = round(number)
        if (
            up is not None
            and abs(number - whole) > Fraction(ROUNDING) * number
        ):
            whole = math.floor(number) if up else math.ceil(number)
        near = number >= 1000 or abs(number - whole) < number / 1000
        if near and number < 10**15:  # of more, not all digits are written
            return f"1 in {show(whole)}"
    return percent(probability, up=up)


def times(ratio: float, *, up: bool | None = None) -> str:
    """Write how many times as large something is, with more digits where that is nearly once.

    Parameters
    ----------
    ratio : float
        A number from 0.
    up : bool, optional
        As in `show`.

    Returns
    -------
    str
        The ratio as text.

    Examples
    --------
    >>> times(1.6487), times(1.0010005)
    ('1.65', '1.001')
    """
    more = abs(ratio - 1)
    digits = 3
    if 0 < more < 0.01:
        digits = 2 - math.floor(math.log10(more))
    return show(ratio, digits, up=up)


def likelier(loss: float, *, up: bool | None = None) -> str:
    """Write how many times as likely something is, from the logarithm of that.

    Parameters
    ----------
    loss : float
        The logarithm, from 0 up, such as a privacy loss.
    up : bool, optional
        As in `show`.

    Returns
    -------
    str
        The ratio as text.

    Examples
    --------
    >>> likelier(0.5), likelier(1000)
    ('1.65', 'e^1,000')
    """
    # Beyond 700 no float holds the ratio.
    if loss < 700:
        return times(math.exp(loss), up=up)
    return f"e^{show(loss, up=up)}"


def several(number: int, one: str, many: str = "") -> str:
    """Write how many there are of something.

    Parameters
    ----------
    number : int
        How many.
    one, many : str
        What one of them is called, and what several; by default that with an
        s.

    Returns
    -------
    str
        The number and the word as text.

    Examples
    --------
    >>> several(1, "release"), several(1200, "release"), several(2, "person", "people")
    ('1 release', '1,200 releases', '2 people')
    """
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {many or f'{one}s'}"


def every(number: int, one: str) -> str:
    """Write all of so many: the one, both, or all with their number.

    Parameters
    ----------
    number : int
        How many there are.
    one : str
        What one of them is called; several are called so with an s.

    Returns
    -------
    str
        The number and the word as text.

    Examples
    --------
    >>> every(1, "release"), every(2, "sum"), every(1200, "count")
    ('the release', 'both sums', 'all 1,200 counts')
    """
    few = {1: f"the {one}", 2: f"both {one}s"}
    return few.get(number, f"all {number:,} {one}s")


def listed(names: Sequence[str], last: str = "and") -> str:
    """Write names as a list, with a word before the last one.

    Parameters
    ----------
    names : sequence of str
        The names, at least one.
    last : str
        The word.

    Returns
    -------
    str
        The list as text.

    Examples
    --------
    >>> listed(["one", "two", "three"]), listed(["one", "two"], "or"), listed(["one"])
    ('one, two and three', 'one or two', 'one')
    """
    *first, end = names
    return f"{', '.join(first)} {last} {end}" if first else end


def up(value: float, write: Callable[..., str] = show, *digits: int) -> str:
    """Write a limit that must not become less: what something is at most, or must at least be.

    Whatever a sentence calls a limit is written by `up` or by `down`, so that
    the sentence is true of the number that stands there.

    Parameters
    ----------
    value : float
        The limit.
    write : callable
        What writes it: `show`, `percent`, `chance`, `times`, or a case's
        `measured`.
    *digits : int
        How many digits, if not as many as `write` takes by itself.

    Returns
    -------
    str
        The limit as text.

    Examples
    --------
    >>> f"a belief of at most {up(0.50049, percent)}, at an ε of up to {down(1.38629)}"
    'a belief of at most 50.1%, at an ε of up to 1.38'
    """
    return write(value, *digits, up=True)


def down(value: float, write: Callable[..., str] = show, *digits: int) -> str:
    """Write a limit that must not become more: what something is at least, or may at most be.

    Parameters
    ----------
    value, write, *digits : float, callable, int
        As in `up`.

    Returns
    -------
    str
        The limit as text.

    Examples
    --------
    >>> down(0.43171), down(0.999996, percent)
    ('0.431', '99.9996%')
    """
    return write(value, *digits, up=False)


def ordinal(number: int) -> str:
    """Write a whole number as a place in a row.

    Parameters
    ----------
    number : int
        The place, from 1.

    Returns
    -------
    str
        The place as text.

    Examples
    --------
    >>> ordinal(1), ordinal(12), ordinal(1234567), ordinal(103)
    ('1st', '12th', '1,234,567th', '103rd')
    """
    ending = "th"
    if number % 100 not in (11, 12, 13):
        ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{show(number)}{ending}"


def _rounded(
    value: float, size: float, digits: int, *, up: bool | None
) -> float:
    """Round a number; two ways of computing one of this size may differ by a billionth of it."""
    if not math.isfinite(value):
        return value
    exact = Decimal(value)
    whole = exact.adjusted() + 1 if exact else 0
    if whole <= 15:
        digits = max(digits, whole)
    nearest = float(Context(digits, ROUND_HALF_EVEN).plus(exact))
    if up is None or abs(nearest - value) <= ROUNDING * size:
        return nearest
    way = ROUND_CEILING if up else ROUND_FLOOR
    return float(Context(digits, way).plus(exact))


def _minus(text: str) -> str:
    return f"−{text[1:]}" if text.startswith("-") else text
