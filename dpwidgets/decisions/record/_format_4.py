"""Records of format 4, as format 5 says them: nothing counts for less than it did.

What they say that format 5 does not, and as what it is read:

- that one person counts several times in one number: as one value that is so
  many times as large, which moves the number just as far;
- geometric noise: as Laplace noise that tells no less;
- an advantage: as success at a yes or no, which is as likely as not before;
- a promise about one release: as one about everything;
- what others used up, in fields of the case: as an entry of what came before;
- noise of as many digits as follow from ε: before other decisions it counts as
  it was drawn.
"""

import math
from dataclasses import replace
from typing import Any

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import Case, id_of, others, said_before
from dpwidgets.decisions.plan import Statistic
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import quoted

_NO_ID = "its id is made from what it says, so that one which says the same counts as a copy"


def renew(content: dict[str, Any]) -> list[str]:
    """Say a record's JSON anew, in place; return what to know of how it is read.

    Raises
    ------
    ValueError
        If something in it is malformed.
    """
    said = [_NO_ID]
    try:
        before = []
        for entry in content.get("before", ()):
            before += _entry(entry, said)
        content["before"] = [*before, *_whole(content, said)]
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise ValueError(f"it is not of format 4: {error}") from None
    return [*dict.fromkeys(said)]


def laplace(scale: float) -> float:
    """Return the scale of Laplace noise that tells no less than geometric noise of this one.

    Where the truth moves by 1, geometric noise tells as much as randomized
    response of ε = 1/b, and Laplace noise tells as much as that at its vertex,
    and more beside it. So it does where the truth moves by more, which is
    several such steps for both.

    Examples
    --------
    >>> round(laplace(20 / 3), 4)
    6.4259
    """
    epsilon = min(1 / scale, EPSILON.high)
    return 1 / (2 * (math.log1p(math.exp(-epsilon)) + epsilon - math.log(2)))


def _whole(content: dict[str, Any], said: list[str]) -> list[dict[str, Any]]:
    """Renew what a record is about, and its goals; return what others used up before it."""
    whole = content["whole"]
    used = {
        "epsilon": whole.pop("used", 0),
        "rho": whole.pop("used_rho", 0),
        "by": whole.pop("used_by", ""),
    }
    many = whole.pop("alternatives", 2)
    for goal in content.get("goals", ()):
        _goal(goal, many, said)
    if "statistics" in whole:
        factor = content.get("number") or 1.0
        lines = [_line(one, factor, said) for one in whole["statistics"]]
        whole["statistics"] = lines
        neighbours = Statistic.read(lines[0]).case.neighbours
    else:
        _case(content, whole, said)
        neighbours = whole.get("neighbours")
    before = _others(used, content, neighbours)
    if before:
        said.append("what others used up came before it")
    return before


def _case(
    content: dict[str, Any], whole: dict[str, Any], said: list[str]
) -> None:
    """Renew a case and its ε, so that its noise stays or is less."""
    _fields(whole, said)
    geometric = _was_geometric(whole)
    number = content.get("number")
    # All numbers of a table in which one person is may be in one release now.
    if number is None or not (geometric or "contributions" in whole):
        return
    one = {"releases": 1, "household": 1}
    if "contributions" in whole:
        one["contributions"] = whole["contributions"] // whole["releases"]
    scale = Case.from_dict(whole | one).scale(number, 17)
    if geometric:
        scale = _as_laplace(scale, "", said)
    content["number"] = Case.from_dict(whole).epsilon(scale)


def _fields(case: dict[str, Any], said: list[str]) -> None:
    """Renew the fields of a case, but for its noise."""
    many, in_cell = case.pop("contributions", 1), case.pop("per_cell", 1)
    records, repeats = case.pop("records", None), many
    if case["published"] == "table":
        repeats = records or in_cell
        if not records and many > 1:
            releases = case.setdefault("releases", 1)
            case["contributions"] = many * releases
    if repeats == 1:
        return
    if case["published"] in ("count", "table"):
        case |= {"published": "sum", "low": 0, "high": 1}
        case["groups"] = case.pop("cells", None)
    for end in ("low", "high"):
        case[end] = repeats * float(case[end])
    said.append(
        f"one person counted up to {repeats:,} times in a number, and is read as one value that "
        "is so many times as large"
    )


def _line(line: str, factor: float, said: list[str]) -> str:
    """Renew the line of a statistic of a plan."""
    name, _, rest = line.partition(":")
    case: dict[str, Any] = {}
    for part in rest.split(", "):
        word, _, value = part.strip().partition("=")
        case[word] = int(value) if value.isdecimal() else value
    _fields(case, said)
    geometric = _was_geometric(case)
    words = [f"{word}={case[word]}" for word in case if case[word] is not None]
    line = f"{name}: {', '.join(words)}"
    return _fixed(line, factor, said) if geometric else line


def _fixed(line: str, factor: float, said: list[str]) -> str:
    """Return the line of a statistic that had geometric noise with a fixed scale of Laplace noise.

    A goal allowed geometric noise of no smaller scale than is taken here.
    """
    one = Statistic.read(line)
    scale = one.scale
    if scale is None:
        # Beyond a distance it lay less than twice as often as Laplace noise.
        sure = (1 + (one.case.confidence or 0.0)) / 2
        case = replace(one.case, confidence=sure)
        largest = min(goal.largest_scale(case) for goal in one.goals)
        scale = largest * factor
    scale = _as_laplace(scale, f"{one.name}: ", said)
    return Statistic(name=one.name, case=one.case, scale=scale).line()


def _was_geometric(case: dict[str, Any]) -> bool:
    """Take geometric noise out of a case, for Laplace noise; tell whether it was there."""
    if case.get("mechanism") != "geometric":
        return False
    del case["mechanism"]
    return True


def _as_laplace(scale: float, of: str, said: list[str]) -> float:
    """Return the scale as which that of geometric noise is read, and say so of what it is."""
    said.append(
        f"{of}its noise was geometric, of scale {show(scale)}, and is read as Laplace noise that "
        "tells no less; it is off by no more than that scale on average"
    )
    return laplace(scale)


def _goal(goal: dict[str, Any], many: int, said: list[str]) -> None:
    """Renew a goal: it is about everything, and knows of how many values one is guessed."""
    if goal.pop("reach", None) == "one release":
        said.append("a promise about one release is one about everything")
        if goal.get("kept") is not None:
            goal["kept"] = SCALE.high  # for how many more, nobody knows
    if goal.get("goal") == "success":
        goal["alternatives"] = many
    if goal.get("goal") == "advantage":
        goal["goal"] = "success"
        goal["success"] = (1 + goal.pop("advantage")) / 2
        said.append("a promise about an advantage is one about a guess")


def _entry(entry: dict[str, Any], said: list[str]) -> list[dict[str, Any]]:
    """Renew an earlier record; return it, and what others used up before it."""
    for one in entry.get("published", ()):
        _fields(one["case"], said)
        if _was_geometric(one["case"]):
            scale = SCALE.check_one("scale", one["scale"])
            about = f"before it, {quoted(entry.get('about', ''))}: "
            one["scale"] = _as_laplace(scale, about, said)
    used = entry.pop("used", {})
    theirs = _others(used, entry, entry.pop("neighbours", None))
    # A refusal published nothing.
    return (
        theirs if theirs and not entry.get("published") else [entry, *theirs]
    )


def _others(
    used: dict[str, Any], record: dict[str, Any], neighbours: str | None
) -> list[dict[str, Any]]:
    """Return what others used up before a record, if they did; without a name, as it says."""
    numbers = {name: used.get(name, 0) for name in ("epsilon", "rho")}
    if not any(numbers.values()):
        return []
    if name := used.get("by"):
        return [said_before(others(name, **numbers, neighbours=neighbours))]
    words = [record.get(word) for word in ("about", "period", "date")]
    whose = quoted(", ".join(filter(None, words)) or "a record without words")
    entry = replace(
        others("others", **numbers, neighbours=neighbours),
        id=id_of(record),
        about=f"others, as {whose} says",
    )
    return [said_before(entry)]
