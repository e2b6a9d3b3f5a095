"""Goals for a case, and the ε that meets them.

How precise shall the number be, what may nobody learn, what may all releases lose together? Every
goal bounds the noise that is published: its scale. Precision needs little noise, a promise to
people needs much. `choose` intersects what they allow. Where nothing is left it names the pairs
that contradict each other, and by how much each would have to give way.

`decide` puts a case, goals and a chosen ε together, `stress` says what becomes of the goals when
what was supposed turns out otherwise, and a `Record` keeps the decision without its data.
"""

from dpwidgets.calculators.case import ALL, HOUSEHOLD, ONE, REACHES, Case
from dpwidgets.calculators.choice._choice import Choice, Conflict, Option, choose
from dpwidgets.calculators.choice._decision import Decision, decide, risk_goal
from dpwidgets.calculators.choice._goals import (
    ERROR,
    KEPT,
    KINDS,
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    ErrorGoal,
    Feasible,
    Goal,
    IntervalGoal,
    Promise,
    RiskGoal,
)
from dpwidgets.calculators.choice._page import OPEN
from dpwidgets.calculators.choice._record import NOT_FOR_PUBLISHING, Record, record
from dpwidgets.calculators.choice._sections import WORDS
from dpwidgets.calculators.choice._stress import Outcome, Stress, stress
from dpwidgets.inputs.domain import EPSILON

__all__ = [
    "ALL",
    "EPSILON",
    "ERROR",
    "HOUSEHOLD",
    "KEPT",
    "KINDS",
    "NOT_FOR_PUBLISHING",
    "ONE",
    "OPEN",
    "REACHES",
    "WORDS",
    "AdvantageGoal",
    "BeliefGoal",
    "BudgetGoal",
    "Case",
    "Choice",
    "Conflict",
    "Decision",
    "ErrorGoal",
    "Feasible",
    "Goal",
    "IntervalGoal",
    "Option",
    "Outcome",
    "Promise",
    "Record",
    "RiskGoal",
    "Stress",
    "choose",
    "decide",
    "record",
    "risk_goal",
    "stress",
]
