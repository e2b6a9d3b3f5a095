"""Records of format 1, which had no case: their goals named no reach, and ε was not the noise's."""

from __future__ import annotations

import math
from typing import Any

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice._goals import (
    BeliefGoal,
    BudgetGoal,
    Goal,
    IntervalGoal,
    RiskGoal,
)
from dpwidgets.calculators.domain import one_of
from dpwidgets.outside import checked_text, described

_ORIGIN = (
    "An earlier version of dpwidgets wrote it (format 1). There was no case: it is taken for a "
    "count with Δf = 1 whose neighbours are a person added or removed. Its goals named no reach: "
    "beliefs and risks are taken for one release."
)
_FIELDS = {
    "count": {"count", "half_width", "confidence", "secret", "kept"},
    "risk": {"worlds", "risk", "kept"},
    "breach": {"prior", "posterior"},
    "budget": {"releases", "epsilon", "delta", "mechanism"},
}
_NOISE = {"any": "Laplace", "laplace": "Laplace", "gaussian": "Gaussian"}


def from_format_1(content: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the record that JSON of format 1 holds, but for what ε gives.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is damaged, or its goals suppose different things of one case.
    """
    if not isinstance(content["goals"], list):
        raise TypeError(f"goals must be a list; got {described(content['goals'])}")
    supposed: dict[str, Any] = {}
    goals = [_goal(data, supposed) for data in content["goals"][:21]]
    words = {name: checked_text(name, content[name]) for name in ("about", "names", "date")}
    return {
        **words,
        "case": Case(published="count", **supposed),
        "goals": goals,
        "rejected": _rejected(content["rejected"]),
        "origin": _ORIGIN,
        "version": checked_text("version", content["version"]),
    }


def _goal(data: Any, supposed: dict[str, Any]) -> Goal:
    """Make a goal, and note what it supposes of the case."""
    kind = one_of("goal", data.get("goal") if isinstance(data, dict) else None, _FIELDS)
    names = data.keys() - {"goal"}
    if names != _FIELDS[kind]:
        raise ValueError(f"a {kind} goal has {', '.join(sorted(_FIELDS[kind]))}")
    for name, value in data.items():
        if isinstance(value, list | dict) or isinstance(value, bool) != (name == "secret"):
            raise TypeError(f"{described(name)} of a goal cannot be {described(value)}")
    if kind == "count":
        _suppose(supposed, confidence=data["confidence"])
        if data["count"] is None:
            return IntervalGoal(data["half_width"], kept=_scale(data["kept"]))
        _suppose(supposed, reference=data["count"])
        return IntervalGoal(data["half_width"])
    if kind == "risk":
        return RiskGoal(None, data["risk"], kept=_scale(data["kept"]))
    if kind == "breach":
        _suppose(supposed, prior=data["prior"])
        return BeliefGoal(data["posterior"])
    noise = _NOISE[one_of("mechanism", data["mechanism"], _NOISE)]
    _suppose(supposed, releases=data["releases"], delta=data["delta"], mechanism=noise)
    return BudgetGoal(data["epsilon"])


def _suppose(supposed: dict[str, Any], **given: Any) -> None:
    for name, value in given.items():
        if supposed.setdefault(name, value) != value:
            raise ValueError(
                f"its goals suppose two different values of {name}, {described(supposed[name])} "
                f"and {described(value)}; one case has one"
            )


def _scale(kept: Any) -> float | str:
    """Return the limit that was kept as an ε as a scale, for Δf = 1."""
    if kept == "inf":
        return 0.0
    if isinstance(kept, str) or kept is None:
        raise TypeError(f"kept must be a number or 'inf'; got {described(kept)}")
    if kept <= 0 or not math.isfinite(1 / kept):
        return "inf"
    return float(1 / kept)


def _rejected(pairs: Any) -> str:
    if not isinstance(pairs, list):
        raise TypeError(f"rejected must be a list; got {described(pairs)}")
    said = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise TypeError(f"rejected must be pairs of texts; got {described(pair)}")
        what, why = (checked_text("rejected", words) for words in pair)
        said.append(f"{what}: {why}")
    return " ".join(said)[:10_000]
