"""Records of format 4, as format 5 says them: what counts does not count for less than it did."""

import math
from collections.abc import Iterator
from typing import Any

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import AT_ONCE, IntervalGoal
from dpwidgets.decisions.plan import Statistic
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import quoted

_GEOMETRIC = "geometric"
_NO_ID = "its id is made from what it says, so that one which says the same counts as a copy"


def renew(content: dict[str, Any]) -> list[str]:
    """Say a record's JSON anew, in place, and return what to know of that.

    What is malformed stays as it is: it is refused later.
    """
    told = [_NO_ID]
    whole = content.get("whole")
    if isinstance(whole, dict):
        if whole.get("mechanism") == _GEOMETRIC:
            _renew_case(content, whole, told)
        lines = whole.get("statistics")
        if isinstance(lines, list) and content.get("number") is not None:
            factor = _number(content["number"])
            whole["statistics"] = [_line(line, factor, told) for line in lines]
    for about, one in _statistics(content):
        case = one.get("case")
        if isinstance(case, dict) and case.get("mechanism") == _GEOMETRIC:
            case["mechanism"] = "Laplace"
            scale = _number(one.get("scale"))
            one["scale"] = laplace(scale)
            told.append(f"before it, {about}: {_said(scale)}")
    return told


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


def _number(found: object) -> float:
    return SCALE.check_one("scale", found)


def _renew_case(
    content: dict[str, Any], whole: dict[str, Any], told: list[str]
) -> None:
    """Give a case with geometric noise the ε of Laplace noise that tells no less."""
    whole["mechanism"] = "Laplace"
    if content.get("number") is None:
        return
    case = Case.from_dict(whole)
    scale = case.scale(content["number"])
    content["number"] = case.epsilon(laplace(scale))
    told.append(_said(scale))


def _line(line: Any, factor: float, told: list[str]) -> Any:
    """Return the line of a statistic without geometric noise: with a fixed scale instead.

    A goal allows geometric noise of no smaller scale than is taken here.
    """
    if not isinstance(line, str) or f"mechanism={_GEOMETRIC}" not in line:
        return line
    one = Statistic.read(line.replace(f", mechanism={_GEOMETRIC}", ""))
    scale = one.scale or math.inf
    if one.scale is None:
        for goal in one.goals:
            high = goal.scales(one.case).high
            if isinstance(goal, IntervalGoal):
                cells = one.case.numbers if goal.cells == AT_ONCE else 1
                inside = math.log(one.case.confidence or 0.5) / cells
                distance = -math.log(-math.expm1(inside))
                high *= distance / (distance + math.log(2))
            scale = min(scale, high * factor)
    told.append(f"{one.name}: {_said(scale)}")
    fixed = Statistic(name=one.name, case=one.case, scale=laplace(scale))
    return fixed.line()


def _said(scale: float) -> str:
    return (
        f"its noise was geometric, of scale {show(scale)}, and is read as Laplace noise that tells "
        "no less; it is off by no more than that scale on average"
    )


def _statistics(
    content: dict[str, Any],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each statistic that an earlier record publishes, and what that one is about."""
    before = content.get("before")
    for earlier in before if isinstance(before, list) else ():
        published = (
            earlier.get("published") if isinstance(earlier, dict) else ()
        )
        for one in published if isinstance(published, list) else ():
            if isinstance(one, dict):
                yield quoted(str(earlier.get("about", ""))), one
