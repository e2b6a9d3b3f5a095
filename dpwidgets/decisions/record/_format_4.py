"""Records of format 4, as format 5 says them: nothing counts for less than it did.

What they say that format 5 does not, and as what it is read:

- that one person counts several times in one number: as so many people;
- geometric noise: as Laplace noise that tells no less;
- an advantage: as success at a yes or no, which is as likely as not before;
- a promise about one release: as one about everything;
- what others used up, in fields of the case: as an entry of what came before.
"""

import math
from typing import Any, NamedTuple

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import Case, Earlier, counted, others
from dpwidgets.decisions.goals import AT_ONCE, IntervalGoal
from dpwidgets.decisions.plan import Statistic
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import quoted

_NO_ID = "its id is made from what it says, so that one which says the same counts as a copy"
_GEOMETRIC = "mechanism", "geometric"


class Renewed(NamedTuple):
    """What a file of format 4 says beside its JSON, once that is renewed.

    Attributes
    ----------
    said : list of str
        What to know of how it is read.
    used : dict
        What others used up: of the entry at a place of what came before, or at
        −1 of the record itself.
    repeats : list of int
        How often one person counts in a number of each statistic.
    """

    said: list[str]
    used: dict[int, dict[str, Any]]
    repeats: list[int]

    def before(self, entries: tuple[Earlier, ...]) -> tuple[Earlier, ...]:
        """Return what came before, each with what others used up that it says of."""
        found = []
        for place, entry in enumerate(entries):
            found.append(entry)
            if place in self.used:
                found.append(_others(entry, self.used[place]))
        return counted(found)

    def own(
        self, itself: Earlier, neighbours: str | None
    ) -> tuple[Earlier, ...]:
        """Return what others used up that the record itself says of, if it does."""
        if -1 not in self.used:
            return ()
        return (_others(itself, self.used[-1] | {"neighbours": neighbours}),)


def renew(content: dict[str, Any]) -> Renewed:
    """Say a record's JSON anew, in place. What is malformed stays: it is refused later."""
    said, used, repeats = [_NO_ID], {}, []
    whole = content.get("whole")
    if isinstance(whole, dict):
        own = {
            name: whole.pop(f"used{tail}", usual)
            for name, tail, usual in (
                ("by", "_by", ""),
                ("epsilon", "", 0),
                ("rho", "_rho", 0),
            )
        }
        if own["epsilon"] or own["rho"]:
            used[-1] = own
            said.append("what others used up came before it")
        many = whole.pop("alternatives", 2)
        _goals(content, many, said)
        if "statistics" in whole:
            repeats = _plan(content, whole, said)
        else:
            repeats = [_case(content, whole, said)]
        most = max(repeats, default=1)
        if most > 1:
            said.append(
                f"one person counted up to {most:,} times in a number, and is read as so many "
                "people whose records depend on each other"
            )
    for place, entry in enumerate(_list(content, "before")):
        if isinstance(entry, dict):
            _entry(entry, said)
            neighbours = entry.pop("neighbours", None)
            theirs = _dict(entry.pop("used", None))
            if not theirs.get("epsilon") and not theirs.get("rho"):
                continue
            theirs["neighbours"] = neighbours
            if entry.get("published"):
                used[place] = theirs
            else:  # a refusal, before which others used something up
                by = theirs.pop("by", "") or "others"
                entry |= {"about": by, **theirs}
    return Renewed(said, used, repeats)


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


def _fields(case: dict[str, Any]) -> int:
    """Renew the fields of a case, but for its noise; return how often one person counts in one."""
    table = case.get("published") == "table"
    in_cell = case.pop("per_cell", 1)
    records = case.pop("records", None)
    many = case.pop("contributions", 1)
    repeats = records or in_cell if table else many
    if not isinstance(many, int) or not isinstance(repeats, int):
        raise ValueError("contributions, records and per_cell must be whole")
    if table and not records and many > 1:
        case["contributions"] = many * case.get("releases", 1)
    n, reference = case.get("n"), case.get("reference")
    if n and reference and table and reference > n:
        del case["n"]  # which may be smaller than a count of its records
    return repeats


def _room(case: dict[str, Any], household: int) -> None:
    """Leave out n where a household has more people, of whom some are records of one person.

    A mean needs its n.
    """
    n = case.get("n")
    if n and household > n and case.get("published") != "mean":
        del case["n"]


def _case(
    content: dict[str, Any], whole: dict[str, Any], said: list[str]
) -> int:
    """Renew what a record is about, and its ε, so that its noise stays or is less."""
    repeats = _fields(whole)
    geometric = _GEOMETRIC in whole.items()
    if geometric:
        whole["mechanism"] = "Laplace"
    number = content.get("number")
    once = _once(whole)
    if repeats > 1:
        household = whole.get("household", 1) * repeats
        if whole.get("published") == "mean":  # of so many records
            most = whole.get("n", 1) * (whole.get("groups") or 1)
            household = min(household, most)
        _room(whole, household)
        whole["household"] = household
    # All numbers of a table in which one person is may be in one release now.
    otherwise = repeats > 1 or geometric or "contributions" in whole
    if number is None or not otherwise:
        return repeats
    scale = repeats * once.scale(number, 17)
    if geometric:
        said.append(_geometric(scale))
        scale = laplace(scale)
    content["number"] = Case.from_dict(whole).epsilon(scale)
    return repeats


def _once(whole: dict[str, Any]) -> Case:
    """Return one release of a case, by whose ε format 4 set its noise."""
    releases = whole.get("releases", 1)
    one = {"releases": 1, "household": 1}
    if "contributions" in whole:
        one["contributions"] = whole["contributions"] // releases
    return Case.from_dict(whole | one)


def _plan(
    content: dict[str, Any], whole: dict[str, Any], said: list[str]
) -> list[int]:
    """Renew the lines of a plan."""
    factor = content.get("number") or 1.0
    cases = {}
    for line in _list(whole, "statistics"):
        name, _, rest = str(line).partition(":")
        case: dict[str, Any] = {}
        for part in map(str.strip, rest.split(", ")):
            word, _, value = part.partition("=")
            case[word] = int(value) if value.isdecimal() else value
        cases[name] = case
    repeats = [_fields(case) for case in cases.values()]
    most = max(repeats, default=1)
    household = whole.get("household", 1) * most
    if most > 1:
        whole["household"] = household
    lines = []
    for name, case in cases.items():
        _room(case, household)
        geometric = _GEOMETRIC in case.items()
        if geometric:
            del case["mechanism"]
        words = ", ".join(f"{word}={case[word]}" for word in case)
        line = f"{name}: {words}"
        if geometric:
            line = _fixed(Statistic.read(line), factor, said).line()
        lines.append(line)
    whole["statistics"] = lines
    return repeats


def _fixed(one: Statistic, factor: float, said: list[str]) -> Statistic:
    """Return a statistic that had geometric noise with a fixed scale, of Laplace noise.

    A goal allows geometric noise of no smaller scale than is taken here.
    """
    scale = one.scale or math.inf
    if one.scale is None:
        for goal in one.goals:
            high = goal.largest_scale(one.case)
            if isinstance(goal, IntervalGoal):
                cells = one.case.numbers if goal.cells == AT_ONCE else 1
                inside = math.log(one.case.confidence or 0.5) / cells
                distance = -math.log(-math.expm1(inside))
                high *= distance / (distance + math.log(2))
            scale = min(scale, high * factor)
    said.append(f"{one.name}: {_geometric(scale)}")
    return Statistic(name=one.name, case=one.case, scale=laplace(scale))


def _geometric(scale: float) -> str:
    return (
        f"its noise was geometric, of scale {show(scale)}, and is read as Laplace noise that tells "
        "no less; it is off by no more than that scale on average"
    )


def _goals(content: dict[str, Any], many: Any, said: list[str]) -> None:
    """Renew the goals: each is about everything, and knows of how many values one is guessed."""
    for goal in _list(content, "goals"):
        if not isinstance(goal, dict):
            continue
        if goal.pop("reach", None) == "one release":
            said.append("a promise about one release is one about everything")
            if goal.get("kept") is not None:
                goal["kept"] = SCALE.high  # for how many more, nobody knows
        if goal.get("goal") == "success":
            goal["alternatives"] = many
        if goal.get("goal") == "advantage":
            goal["goal"] = "success"
            goal["success"] = (1 + goal.pop("advantage", 0)) / 2
            said.append("a promise about an advantage is one about a guess")


def _entry(entry: dict[str, Any], said: list[str]) -> None:
    """Renew an earlier record: who counts several times moves a number as less noise does."""
    for one in _list(entry, "published"):
        if not isinstance(one, dict):
            continue
        case = one.get("case")
        if not isinstance(case, dict):
            continue
        scale = SCALE.check_one("scale", one.get("scale"))
        if _GEOMETRIC in case.items():
            del case["mechanism"]
            about = quoted(str(entry.get("about", "")))
            said.append(f"before it, {about}: {_geometric(scale)}")
            scale = laplace(scale)
        one["scale"] = scale / _fields(case)


def _others(entry: Earlier, used: dict[str, Any]) -> Earlier:
    """Return what others used up that an entry says of; without a name, by this entry."""
    numbers = {name: used.get(name, 0) for name in ("epsilon", "rho")}
    neighbours = used.get("neighbours")
    if used.get("by"):
        return others(used["by"], **numbers, neighbours=neighbours)
    return Earlier(
        id=f"{entry.id}+",
        about=f"others, as {entry.name} says",
        **numbers,
        neighbours=neighbours,
    )


def _list(found: dict[str, Any], name: str) -> list[Any]:
    listed = found.get(name)
    return listed if isinstance(listed, list) else []


def _dict(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}
