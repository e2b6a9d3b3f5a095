"""Call every public calculator with drawn numbers, and print what each returns: `drawn.py MANY`.

CPython and Pyodide draw the same numbers, so what they print can be compared.
"""

import importlib
import json
import math
import pkgutil
import sys
from inspect import signature

import numpy as np

from dpwidgets import calculators

DRAWN_WITH = 20261125


def public():
    """Yield the public functions behind a door, with the domains of their numbers, by name."""
    for room in pkgutil.walk_packages(calculators.__path__, f"{calculators.__name__}."):
        if "._" in room.name:
            continue
        for name, thing in sorted(vars(importlib.import_module(room.name)).items()):
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
    return int(value) if not domain.contains(np.array([0.5 + int(value)]))[0] else value


def flat(result):
    """Return the numbers in a result."""
    if isinstance(result, (int, float, np.ndarray, np.generic)):
        return np.atleast_1d(np.asarray(result, dtype=float)).ravel().tolist()
    if isinstance(result, (tuple, list)):
        return [number for part in result for number in flat(part)]
    return []


def main(many):
    draw = np.random.default_rng(DRAWN_WITH)
    for name, function in public():
        named = signature(function).parameters
        for _ in range(many):
            given = {
                one: number(function.domains[one], draw) for one in named if one in function.domains
            }
            try:
                numbers = flat(function(**given))
            except (TypeError, ValueError, AttributeError) as error:
                numbers = [type(error).__name__]
            print(json.dumps([name, given, numbers]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
