"""Call every public calculator with drawn numbers, and print what each returns: `drawn.py MANY`.

CPython and Pyodide draw the same numbers, so what they print can be compared.
"""

import importlib
import json
import math
import pkgutil
import sys
from dataclasses import fields, is_dataclass
from inspect import signature

import numpy as np

from dpwidgets import calculators, decisions
from dpwidgets.calculators.loss import LossDistribution
from dpwidgets.decisions.case import Case

DRAWN_WITH = 20261125
#: What has no domain that a number could be drawn of.
OTHERS = {
    "count": 7.0,
    "values": [3, 3.5, 4.7, 9],
    "case": Case(published="table", cells=20, neighbours="replace"),
}
#: A call takes long in Pyodide: of these, a tenth as many must do.
SLOW = (
    *("loss.compositions", "loss.epsilon", "bayes.compare", "bayes.simulate"),
    *("breach.noise_ratio", "bayes.mean_error", "bayes.posterior_median"),
)


def public():
    """Yield the public functions behind a door, with the domains of their numbers, by name."""
    for floor in (calculators, decisions):
        yield from on(floor)


def on(floor):
    """Yield the public functions of one floor."""
    for room in pkgutil.walk_packages(floor.__path__, f"{floor.__name__}."):
        if "._" in room.name:
            continue
        for name, thing in sorted(
            vars(importlib.import_module(room.name)).items()
        ):
            if getattr(thing, "domains", None) and not name.startswith("_"):
                yield f"{room.name}.{name}", thing


def number(domain, draw):
    """Draw a number of a domain: its logarithm, where it reaches over orders of magnitude."""
    low, high = max(domain.low, -1e6), min(domain.high, 1e6)
    if low >= 0:
        least = max(low, 1e-6 * high, 1e-6)
        value = math.exp(draw.uniform(math.log(least), math.log(high)))
    else:
        value = draw.uniform(low, high)
    value = float(f"{value:.6g}")  # the same in every libm
    if not domain.contains(np.array([0.5 + int(value)]))[0]:
        return int(value)
    return value


def arguments(function, draw):
    """Draw arguments; of those that a statement can do without, it does without the first."""
    named = signature(function).parameters
    domains = function.domains
    given = {
        name: number(domains[name], draw) for name in named if name in domains
    }
    needed = [name for name, one in named.items() if one.default is one.empty]
    given |= {
        name: OTHERS[name]
        for name in needed
        if name in OTHERS and name not in given
    }
    # A mechanism's parameters.
    if any(one.kind == one.VAR_KEYWORD for one in named.values()):
        given["epsilon"] = draw.uniform(0.01, 5)
    open_ones = [
        name for name, one in named.items() if one.kind == one.KEYWORD_ONLY
    ]
    if open_ones and all(
        named[name].default is None for name in open_ones[:3]
    ):
        given.pop(open_ones[0])
    return given


def flat(result):
    """Return the numbers in a result."""
    if isinstance(result, LossDistribution):
        result = result.delta(0.5)
    if isinstance(result, (int, float, np.ndarray, np.generic)):
        return np.atleast_1d(np.asarray(result, dtype=float)).ravel().tolist()
    if is_dataclass(result):
        result = [getattr(result, one.name) for one in fields(result)]
    if isinstance(result, (tuple, list)):
        return [number for part in result for number in flat(part)]
    return []


def main(many):
    draw = np.random.default_rng(DRAWN_WITH)
    for name, function in public():
        named = signature(function).parameters
        for _ in range(many // 10 if name.endswith(SLOW) else many):
            given = arguments(function, draw)
            if "rng" in named:
                random = {"rng": np.random.default_rng(7)}
            else:
                random = {}
            try:
                numbers = flat(function(**given, **random))
            except (TypeError, ValueError) as error:
                numbers = [type(error).__name__]
            print(json.dumps([name, given, numbers], default=repr))


if __name__ == "__main__":
    main(int(sys.argv[1]))
