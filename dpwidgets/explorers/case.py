"""What the explorers of a case share: its controls, and a case to start from."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dpwidgets.calculators import breach, interval, loss
from dpwidgets.decisions import case
from dpwidgets.decisions.case import Case
from dpwidgets.explorers.before import Before
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.outside import described
from dpwidgets.page.explorer import Explorer, Values
from dpwidgets.page.page import About, fold
from dpwidgets.page.parameters import (
    Choice,
    Number,
    TextBox,
    even_grid,
    log_grid,
    whole_grid,
)

#: What an explorer starts from that is given no case.
HOSPITAL = Case(
    published="count",
    n=2000,
    unit="patients",
    delta=1e-6,
    releases=12,
    prior=0.2,
    reference=400,
    confidence=0.95,
)
#: What is folded until it is wanted.
_FOLDS = {
    "What is published": {
        "published",
        "n",
        "cells",
        "groups",
        "contributions",
        "low",
        "high",
        "unit",
        "neighbours",
        "mechanism",
        "delta",
    },
    "People and attackers": {
        "releases",
        "before",
        "household",
        "prior",
        "reference",
        "confidence",
    },
}
#: What means nothing for what is published.
_UNUSED = {
    "count": {"low", "high", "groups", "cells"},
    "sum": {"cells"},
    "mean": {"neighbours", "cells"},  # it has only one kind of neighbours
    "table": {"low", "high", "groups"},
}
_WHOLE = whole_grid(3)
_PRIORS = np.concatenate([log_grid(-4, -1), np.arange(11, 51) / 100])
_CONFIDENCES = np.array([*np.arange(1, 100) / 100, 0.999])


class CaseExplorer(Explorer):
    """An explorer with the controls of a case, in two folds. A subclass adds its own above them.

    Parameters
    ----------
    case : Case, optional
        What to start from; by default a hospital's monthly count.
    **values
        Start values of parameters, by name.
    """

    published: Choice[str] = Choice(
        HOSPITAL.published,
        {name: f"a {name}" for name in case.PUBLISHED},
        "Published",
    )
    """What is published: a count of people, the sum or mean of clipped values, or a table."""
    n: Number = Number(
        HOSPITAL.n,
        case.N,
        log_grid(1, 6).round(),
        "People (n)",
        "if public",
        optional=True,
    )
    """How many people the data are about, if that is public, or the smallest group with a mean."""
    cells: Number = Number(
        40, case.CELLS, whole_grid(4), "Cells", "of the table"
    )
    """How many cells the table has, of which each record lies in one."""
    groups: Number = Number(
        None,
        case.CELLS,
        whole_grid(4),
        "Groups",
        "of different people, a number for each",
        optional=True,
    )
    """Of how many groups a sum or a mean is published for each, if of groups."""
    contributions: Number = Number(
        None,
        case.CONTRIBUTIONS,
        _WHOLE,
        "Contributions",
        "of all published numbers, one person's",
        optional=True,
    )
    """In how many of all published numbers one person is; if open, once in each release."""
    low: Number = Number(0.0, case.END, even_grid(-100, 0), "Clipped from")
    """The public lower end to which values are clipped."""
    high: Number = Number(10.0, case.END, even_grid(1, 101), "Clipped to")
    """The public upper end to which values are clipped."""
    unit: TextBox = TextBox(HOSPITAL.unit, 40, "Unit")
    """What is counted, as a plural, or the unit of the values."""
    neighbours: Choice[str] = Choice(
        "add/remove",
        {
            "add/remove": "a person is added or removed",
            "replace": "a record is replaced",
        },
        "Neighbours",
    )
    """What distinguishes two databases that must look alike; a mean has only the second."""
    mechanism: Choice[str] = Choice(
        HOSPITAL.mechanism, {name: name for name in case.MECHANISMS}, "Noise"
    )
    """Which noise each release has."""
    delta: Number = Number(
        HOSPITAL.delta,
        loss.DELTA_OR_NONE,
        log_grid(-12, -2),
        "Delta (δ)",
        "at which ε is read",
    )
    """The δ at which the ε of several releases, or of Gaussian noise, is read."""
    releases: Number = Number(
        HOSPITAL.releases,
        loss.COUNT,
        _WHOLE,
        "Releases (k)",
        "about the same people",
    )
    """How many such releases there are about the same people."""
    before: Before = Before((), "What came before", "a line for each")
    """What earlier records published about the same people, and what others used up."""
    household: Number = Number(
        1,
        case.MEMBERS,
        np.arange(1.0, 11.0),
        "Household (m)",
        "people with dependent records",
    )
    """How many people's records may depend on each other."""
    prior: Number = Number(
        HOSPITAL.prior,
        breach.PRIOR,
        _PRIORS,
        "Prior",
        "probability",
        optional=True,
    )
    """What an attacker believes of a person before the first release."""
    reference: Number = Number(
        HOSPITAL.reference,
        interval.COUNT,
        log_grid(0, 5),
        "Reference",
        "public, never the secret",
        optional=True,
    )
    """A public number near to which the truth is supposed to lie."""
    confidence: Number = Number(
        HOSPITAL.confidence,
        interval.CONFIDENCE,
        _CONFIDENCES,
        "Confidence",
        "probability",
        optional=True,
    )
    """How often the published number shall lie in an interval around the truth."""

    if TYPE_CHECKING:
        case: Case | None = None
    else:

        @property
        def case(self) -> Case:
            """The present case."""
            return self.result.case

    def __init__(self, **values: Any) -> None:
        if "case" in values:
            start = values.pop("case")
            if not isinstance(start, Case):
                raise TypeError(f"case must be a Case; got {described(start)}")
            values = of_case(start) | values
        super().__init__(**values)

    def unused(self, now: Values) -> set[str]:
        return _UNUSED[now["published"]]

    def arranged(self) -> list[About]:
        *rest, view = super().arranged()
        folds = []
        for label, names in _FOLDS.items():
            inside = [part for part in rest if part["name"] in names]
            rest = [part for part in rest if part["name"] not in names]
            folds.append(fold(label, *inside, open=bool(names & {*self.only})))
        return [*rest, *folds, view]

    def grids(self, result: Any, now: Values) -> dict[str, FloatArray]:
        # n, the reference of a count and the household bound one another, and
        # so do contributions and how many numbers there are: no slider goes
        # beyond.
        present: Case = result.case
        people = present.n or math.inf
        least = present.household
        if present.counts:
            least = max(least, math.ceil(present.reference or 0))
        most_counted = people if present.counts else math.inf
        bound = present.contributions or 0
        numbers = math.ceil(bound / present.releases)
        return {
            "n": self._stops("n", low=least),
            "reference": self._stops("reference", high=most_counted),
            "contributions": self._stops("contributions", high=present.places),
            "releases": self._stops(
                "releases", low=math.ceil(bound / present.numbers)
            ),
            "cells": self._stops("cells", low=numbers),
            "groups": self._stops("groups", low=numbers),
            "household": self._stops("household", high=people),
        }

    def _stops(
        self, name: str, low: float = 0, high: float = math.inf
    ) -> FloatArray:
        """Return the stops of a slider between two numbers; the lower one is a stop."""
        grid = self.parameters()[name].grid
        low = max(low, grid[0])
        return np.array([low, *grid[(grid > low) & (grid <= high)]])


def of_case(start: Case) -> dict[str, Any]:
    """Return a case as the parameters of an explorer; what it lacks stays as it is."""
    given = {
        name: value
        for name, value in start.to_dict().items()
        if value is not None or name not in ("low", "high", "cells")
    }
    return {"before": start.before, **given}
