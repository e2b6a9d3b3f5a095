"""The numbers in words: where they stand, what they are worth, and which need no source."""

import ast
import re
from typing import NamedTuple

from tools import ASKING

_NUMBER = re.compile(
    r"(?<![\w.,])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<power>[eE][+-]?\d+)?"
    r"(?P<percent> ?%)?(?![\w]|[.,]\d)"
)
_MORE = r"\d+(?:\.\d+)*(?:(?: and |, | to )\d+(?:\.\d+)*)*"
_PLACES = "[Ss]ection|[Dd]efinition|[Ff]igure|[Tt]able|[Aa]lgorithm|[Ss]tep"
#: What is no quantity.
_NAMED = re.compile(
    r"\]\([^)]*\)|https?://\S+"  # an address
    r"|`[^`]*`"  # code
    r"|(?<![\d.,])(?:1[6-9]|20)\d\d\b(?= ?[,.;:)*\]]|$)"  # a year
    r"|\b(?:[Ii]n|of|since|until) (?:1[6-9]|20)\d\d\b(?! [a-z]+s\b)"
    # The number of an equation.
    r"|\b[Ee]qs?\. ?\(\d+\)(?:(?: and |, | to )\(\d+\))*"
    rf"|\b(?:Sec|Def|Fig|Tab|Alg|Thm|Prop)s?\. ?{_MORE}"  # a place in a text
    rf"|\b(?:{_PLACES})s? {_MORE}"
    # The number of a notebook.
    r"|(?<![\d.,])0\d\b(?![.,]\d)|\b[Nn]otebooks? \d\d\b|\[(?:← )?\d\d (?=[^]]*\]\()"
    r"|(?m:^\s*\d+\. )"  # the number of a step in a list
    r"|about \d+ minutes(?:, and \d+ more)?"  # how long a notebook takes
)
#: No finding anywhere: nothing, the whole, half and double or the square, and
#: per cent.
ALWAYS = {0.0, 1.0, 2.0, 100.0}


class Number(NamedTuple):
    """A number as it is written."""

    written: str
    value: float
    unit: float  # of its last digit


def numbers(text: str) -> list[Number]:
    """Return the numbers in a text; a percentage as the share."""
    found = []
    for match in _NUMBER.finditer(text):
        scale = 0.01 if match["percent"] else 1.0
        digits, power = match["digits"].replace(",", ""), match["power"] or ""
        places = len(digits.partition(".")[2])
        unit = float(f"1e-{places}") * float(f"1{power}") * scale
        found.append(Number(match[0], float(digits + power) * scale, unit))
    return found


def unnamed(text: str) -> list[Number]:
    """Return the numbers in prose that name no section, year or notebook."""
    return numbers(_NAMED.sub(" ", text))


def quantities(text: str) -> list[Number]:
    """Return the numbers in prose that need a source."""
    return [number for number in unnamed(text) if number.value not in ALWAYS]


def stands(number: Number, among: list[Number]) -> bool:
    """Tell whether a number stands among others, perhaps with more digits there."""
    slack = min(number.unit / 2 * (1 + 1e-9), 0.06 * abs(number.value))
    return any(abs(other.value - number.value) <= slack for other in among)


def literal(node: ast.expr) -> list[float] | None:
    """Return the numbers of which an expression is made, or None where something computes it."""
    computing = (ast.Call, ast.Name, ast.Attribute, ast.Subscript)
    if any(isinstance(inner, computing) for inner in ast.walk(node)):
        return None
    constants = (
        inner.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant)
    )
    return [float(value) for value in constants if type(value) in (int, float)]


def typed(node: ast.expr) -> str:
    """Return the words of a string or an f-string that somebody typed, without what is computed."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "…".join(
        part.value
        for part in parts
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def calls(source):
    """Yield the calls of a cell that ask."""
    for call in ast.walk(ast.parse(source)):
        name = getattr(getattr(call, "func", None), "id", "")
        if name in ASKING:
            yield call


def asked(source):
    """Yield all that a cell asks, each as its arguments by name."""
    for call in calls(source):
        arguments = {keyword.arg: keyword.value for keyword in call.keywords}
        if call.args:
            arguments["prompt"] = call.args[0]
        yield arguments


def words_of(arguments):
    """Yield the words of what is asked that may hold numbers, but the prompt and choices.

    The solution of code is code. What is wrong with code stands as a key, and
    with an answer below it.
    """
    if "like" in arguments:
        helps = ("hint", "then")
    else:
        helps = ("hint", "solution", "then")
    yield from (arguments[name] for name in helps if name in arguments)
    misconceptions = arguments.get("misconceptions")
    yield from getattr(misconceptions, "keys", [])
    yield from getattr(misconceptions, "values", [])


def typed_numbers(source):
    """Return the numbers of a cell's questions that are neither computed nor given."""
    found = []
    for arguments in asked(source):
        choices = getattr(arguments.get("choices"), "elts", [])
        given = numbers(
            " ".join(typed(one) for one in [arguments["prompt"], *choices])
        )
        numeric = [arguments["answer"]] if "answer" in arguments else []
        if "like" not in arguments:
            numeric += getattr(arguments.get("misconceptions"), "keys", [])
        for node in numeric:
            for value in literal(node) or []:
                if value not in ALWAYS and not stands(
                    *numbers(repr(value)), given
                ):
                    found.append(ast.unparse(node))
        for node in words_of(arguments):
            # A task's solution holds settings.
            if not isinstance(node, ast.Dict):
                found += [
                    n.written
                    for n in quantities(typed(node))
                    if not stands(n, given)
                ]
    return found
