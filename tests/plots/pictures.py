"""Each view of each explorer with the results of many states, and the plots that stand alone.

A case is a plot and the results of many states: the start, both ends and the
middle of every slider, every choice, and names and numbers that are long.
"""

from functools import cache, partial

import numpy as np
import pytest

from dpwidgets.calculators.attack import Sample
from dpwidgets.plots import attack as attack_plots, by_hand as by_hand_plots
from dpwidgets.plots.curves import Curves
from dpwidgets.teaching import by_hand
from tools import EXPLORERS, states

VIEWS = {
    f"{kind.__name__}-{view}": (kind, view, plot)
    for kind in EXPLORERS
    for view, plot in kind.parameters()["view"].plots.items()
}
_AMOUNTS = np.random.default_rng(6).lognormal(10, 1, 1200).round(2)
# States beside the sliders': what a reader may type or paste.
STATES = {
    "IntervalExplorer": [
        {"count": 123456789.0, "half_width": 0.000123, "confidence": 0.999999},
        {"solve_for": "confidence", "epsilon": 50.0, "count": 1e5},
    ],
    "BayesExplorer": [
        {"n": 2000, "answer": 1e6},
        {"n": 1, "p": 1.0},
        {"n": 7, "epsilon": 0.01},
    ],
    "WorldsExplorer": [
        {
            "values": {
                "Wolfeschlegelsteinhausenbergerdorff": 1,
                "WWWWWWWWWWWWWWWWW": 2,
                "Mm": 3,
            }
        },
        {
            "values": {
                "WWWWWWWWWWWWWWWWWW": -1.23456e9,
                "WWWWWWWWWWWWWWWWWWW": 2e9,
                "Mm": 3.5e9,
            }
        },
        {
            "values": [
                1234567890.0,
                2345678901.5,
                3456789012.25,
                4567890123.0,
                5678901234.5,
            ]
        },
        {"values": _AMOUNTS[:50]},
        {"values": _AMOUNTS},
        {"values": [4.0] * 7},
        {"risk": 0.999999, "epsilon": 12.34},
    ],
    "BreachExplorer": [
        {"prior": 1.23e-6, "posterior": 0.000345},
        {"answer": -123456.789},
    ],
    "LossExplorer": [
        {"mechanism": "binomial", "trials": 100_000},
        {"mechanism": "gaussian", "mu": 0.001, "compositions": 1000},
        {
            "mechanism": "randomized_response",
            "epsilon": 0.0123,
            "compositions": 345,
        },
        {
            "mechanism": "finite",
            "p": [0.6, 0.3, 0.1, 0.0],
            "q": [0.0, 0.3, 0.2, 0.5],
        },
        {
            "mechanism": "finite",
            "p": [0.001] * 1000,
            "q": [0.002] * 500 + [0.0] * 500,
        },
        {"mechanism": "finite", "swapped": True, "compositions": 1000},
    ],
    "ChoiceExplorer": [
        {"releases": 1000, "total": 0.0123},
        {"half_width": 0.001234, "confidence": 0.9999876, "reference": 12.0},
        {"use_risk": True, "use_error": True, "risk": 0.1, "unit": "W" * 40},
        {
            "mechanism": "Gaussian",
            "household": 4,
        },
        {
            "published": "mean",
            "low": -123456.0,
            "unit": "WWWW days",
            "prior": None,
        },
        {"unit": "\x1a \U0001f9ee\n"},
        {"epsilon": 987.6},
    ],
    "MeaningsExplorer": [
        {"epsilon": 0.0123},
        {"rows": "all", "household": 4, "releases": 12345, "unit": "W" * 40},
        {"unit": "\x1a \U0001f9ee\n"},
        {
            "published": "sum",
            "low": -1e9,
            "high": 1e9,
            "n": None,
            "confidence": None,
        },
        {"epsilon": 50.0},
    ],
}


@cache
def moves_of(kind):
    """Return what a reader moves in any view of an explorer, and what they may type besides."""
    return [*states(kind, {}, True), *STATES.get(kind.__name__, [])]


def results_of(case, moves=None):
    """Return a case's results by their states: a view's start, and all that is not computed yet."""
    if case in ALONE:
        return {str(at): result for at, result in enumerate(ALONE[case])}
    kind, view, _ = VIEWS[case]
    explorer = kind(view=view)
    results, codes = {"start": explorer.result}, {explorer.code}
    solved = explorer.state.solved
    for state in moves or moves_of(kind):
        if state.get("view", view) != view:
            continue
        if "solve_for" not in state and solved in state:
            # Which then gives it, and solves for another.
            state = {"solve_for": solved} | state
        try:
            seen = explorer._seen(
                explorer.state_at(**({"view": view} | state))
            )
        except ValueError:  # the explorer says what it refuses
            continue
        if seen.code not in codes:
            codes.add(seen.code)
            results[str(state)[:90]] = seen.result
    return results


_NEAR = np.random.default_rng(1).normal(5, 3, 4000)
_X = np.linspace(0, 1, 101)
_TABLES = [by_hand.BayesTable(50, 0.3, 0.5), by_hand.BayesTable(5, 0.3, 1, 4)]
for _name in ("Ask again", "Show the true count"):
    _TABLES[0].asked(_name, {})
# Of intervals that hold the count, and of such that leave the frame.
_HELD = [
    by_hand.FiftyIntervals(lambda answer, *_: (answer - 20, answer), 0.1, 0.8),
    by_hand.FiftyIntervals(lambda *_: (-1e6, 1e6), 0.1, 0.8),
]
# The plots that no explorer shows, each with some results.
ALONE = {
    by_hand_plots.Rule: _TABLES[1:],
    by_hand_plots.Again: _TABLES[:1],
    by_hand_plots.Held: _HELD,
    attack_plots.BothWorlds: [
        Sample(_NEAR[:3], -_NEAR[:3]),
        Sample(_NEAR, -_NEAR),
        Sample([0, 0], [0]),
    ],
    partial(Curves, "a place", "a height", percents="y", points=["4"]): [
        {str(power): (_X, _X**power) for power in range(6)}
    ],
}
CASES = {view: plot for view, (_, _, plot) in VIEWS.items()} | {
    plot: plot for plot in ALONE
}


def name_of(case):
    """Return a view as it is, and a plot that stands alone by its class."""
    return getattr(getattr(case, "func", case), "__name__", case)


every = pytest.mark.parametrize("case", CASES, ids=name_of)
