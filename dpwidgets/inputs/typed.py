"""How numbers are read from people: as they type them in a box, a link, a line or a list."""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from dpwidgets.inputs.outside import described, quoted

_TOKEN = re.compile(
    r"(?P<number>(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?)\s*(?P<percent>%?)"
    r"|(?P<name>[a-z]+)|(?P<sign>[-+*/^()])|\S"
)
_AMBIGUOUS = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?!\d)")
_DECIMAL = re.compile(r"[-+−–]?(\d*)[.,]?(\d*)(?:[eE]([-+−–]?\d+))?\s*(%?)")
# What people and programs write for a day: 2020-01-31, 31/1/2020, 31.01.20.
_DATE = re.compile(
    r"\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2(?:\d\d){1,2}"
)
# Is ln 2^3 the logarithm of 8, or a third power? Are 0·8 and 8 e-1 numbers as
# some write them, or calculations? That 5·10^-3 is one is plain.
_TWOFOLD = re.compile(
    r"(?:ln|exp|sqrt|√)\s*[\d.,]+\s*%?\s*\^"
    r"|\d+·\d+(?!\d|\s*\^)"
    r"|\d+(?!e[-+−–]\d)\s*e\s*[-+−–]\s*\d+"
)
#: A number of a list of data: no calculation, and no fraction, which may be a
#: day.
_DATUM = re.compile(
    r"[-+]?\s*(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?\s*%?"
)
# Most numbers of a list are so, and this is soon told.
_PLAIN = re.compile(r"\s*[-+]?\d{1,15}(?:\.\d{1,15})?\s*")
_FUNCTIONS = {"ln": math.log, "exp": math.exp, "sqrt": math.sqrt}
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_LIKE = "write it like 0.08, 0,08, 1e-3, 80%, 1/3 or ln 3"
_LONGEST = 60
_SIGNS = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "√": "sqrt "})


def parse(text: str) -> float:
    """Read a number as a person writes it.

    Parameters
    ----------
    text : str
        A number with a decimal point or a decimal comma, or an expression:
        ``0,08``, ``1e-3``, ``80%``, ``1/3``, ``ln 3``, ``2 ln 3``, ``e^-0.1``,
        ``sqrt(2)``. At most 60 characters.

    Returns
    -------
    float
        The number, always finite.

    Raises
    ------
    TypeError
        If `text` is no text.
    ValueError
        If the text is not a number, is a number beyond all bounds, can be read
        in two ways (``1,000``, ``ln 2^3``, ``0·8``), or is a date (``2020-01-31``).

    Examples
    --------
    >>> parse("0,08"), parse("80%"), parse("1/4")
    (0.08, 0.8, 0.25)
    >>> parse("abc")
    Traceback (most recent call last):
        ...
    ValueError: “abc” is not a number; write it like 0.08, 0,08, 1e-3, 80%, 1/3 or ln 3
    """
    if not isinstance(text, str):
        raise TypeError(
            f"a number must be read from text; got {described(text)}"
        )
    if len(text) > _LONGEST:
        raise ValueError(
            f"a number has at most {_LONGEST} characters; this has {len(text)}"
        )
    if not text.strip():
        raise ValueError(f"a number is missing; {_LIKE}")
    if thousands := _AMBIGUOUS.search(text):
        either = thousands[0].replace(",", "")
        other = thousands[0].replace(",", ".")
        raise ValueError(
            f"“{thousands[0]}” may mean {either} or {other}; write one of these"
        )
    if twofold := _TWOFOLD.search(text):
        raise ValueError(
            f"{quoted(twofold[0])} may be meant in two ways; "
            "write it like 0.8, 8e-1, 2 × 3 or (ln 2)^3"
        )
    if _DATE.fullmatch(text.translate(_SIGNS).strip()):
        raise ValueError(
            f"{quoted(text.strip())} is a date; a calculation needs brackets"
        )
    try:
        expression = _python(text.translate(_SIGNS))
        value: float = _value(ast.parse(expression, mode="eval").body)
    except SyntaxError:
        raise ValueError(
            f"{quoted(text.strip())} is not a number; {_LIKE}"
        ) from None
    except OverflowError:
        value = math.inf
    except (ArithmeticError, ValueError):
        raise ValueError(f"{quoted(text.strip())} has no value") from None
    if not math.isfinite(value):
        raise ValueError(f"{quoted(text.strip())} is too large")
    return value


def parse_datum(text: str) -> float:
    """Read a number from a list of data: a decimal one, or a percentage.

    Data come with dates, ranges and negative numbers in brackets, none of
    which is meant as the calculation that it may look like.

    Parameters
    ----------
    text : str
        A number with a decimal point or a decimal comma, an exponent or a per
        cent sign: ``0,08``, ``1e-3``, ``80%``.

    Returns
    -------
    float
        The number, always finite.

    Raises
    ------
    TypeError, ValueError
        As in `parse`, and if the text is a calculation.

    Examples
    --------
    >>> parse_datum("1,5"), parse_datum("−5"), parse_datum("20%")
    (1.5, -5.0, 0.2)
    >>> parse_datum("1/2")
    Traceback (most recent call last):
        ...
    ValueError: “1/2” may be a calculation, a range or a date; write it like 0.5, 1e-3 or 80%
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    value = parse(text)
    if not _DATUM.fullmatch(text.translate(_SIGNS).strip()):
        raise ValueError(
            f"{quoted(text.strip())} may be a calculation, a range or a date; "
            "write it like 0.5, 1e-3 or 80%"
        )
    return value


def half_a_digit(text: str, digits: int = 2) -> float:
    """Return half a unit of the last digit of a decimal number that has so many digits or more.

    A number that is off by no more may be the same one, rounded.

    Parameters
    ----------
    text : str
        A number as a person writes it, or anything else.
    digits : int
        How many digits it has at least, without noughts at its head.

    Returns
    -------
    float
        Half a unit; 0 for any other text.

    Examples
    --------
    >>> half_a_digit("0.36"), half_a_digit("3.6e1%"), half_a_digit("0.4"), half_a_digit("1/3")
    (0.005, 0.005, 0.0, 0.0)
    """
    found = _DECIMAL.fullmatch(text.strip())
    if not found:
        return 0.0
    before, after, power, percent = found.groups()
    if len(f"{before}{after}".lstrip("0")) < digits:
        return 0.0
    last = int((power or "0").translate(_SIGNS)) - len(after)
    return 10.0**last / (200 if percent else 2)


def _python(text: str) -> str:
    """Write an expression as Python does: 2 ln 3 as (2.0)*ln(3.0), and 80% as (0.8)."""
    pieces = [""]
    for token in _TOKEN.finditer(text):
        if token["number"]:
            number = float(token["number"].replace(",", "."))
            if token["percent"]:
                number /= 100
            if math.isinf(number):
                raise OverflowError
            pieces.append(f"({number!r})")
        elif token["name"]:
            times = "*" if pieces[-1].endswith(")") else ""
            name = f"({math.e!r})" if token[0] == "e" else token[0]
            pieces.append(f"{times}{name}")
        elif token["sign"]:
            pieces.append(token[0].replace("^", "**"))
        else:
            raise SyntaxError
    return "".join(pieces)


def _value(node: ast.expr) -> Any:
    """Compute an expression, in which nothing but numbers, signs and our functions may stand."""
    match node:
        case ast.Constant(value=float(number)):
            return number
        case ast.UnaryOp(op=sign, operand=of) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_value(of))
        case ast.BinOp(left=left, op=sign, right=right) if (
            type(sign) in _OPERATORS
        ):
            return _OPERATORS[type(sign)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id=name), args=[of]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_value(of))
    raise SyntaxError
