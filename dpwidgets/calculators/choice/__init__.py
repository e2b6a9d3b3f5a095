"""Goals, and the ε that meets them.

How precise shall a count be, what may nobody learn, how many releases will there be?
A count goal asks for an ε that is large enough, the others for one that is small enough. `choose`
intersects what they allow. Where nothing is left it names the pairs that contradict each other, and
by how much each would have to give way.

`decide` puts goals and a chosen ε together, and a `Record` keeps the decision without its data.
"""

from dpwidgets.calculators.choice._choice import Choice, Conflict, choose
from dpwidgets.calculators.choice._decision import Decision, decide, suggested
from dpwidgets.calculators.choice._goals import (
    KEPT,
    BreachGoal,
    BudgetGoal,
    CountGoal,
    Feasible,
    Goal,
    RiskGoal,
    rounded,
)
from dpwidgets.calculators.choice._record import NOT_FOR_PUBLISHING, Record, RecordedMeaning, record
from dpwidgets.calculators.domain import EPSILON

__all__ = [
    "EPSILON",
    "KEPT",
    "NOT_FOR_PUBLISHING",
    "BreachGoal",
    "BudgetGoal",
    "Choice",
    "Conflict",
    "CountGoal",
    "Decision",
    "Feasible",
    "Goal",
    "Record",
    "RecordedMeaning",
    "RiskGoal",
    "choose",
    "decide",
    "record",
    "rounded",
    "suggested",
]
