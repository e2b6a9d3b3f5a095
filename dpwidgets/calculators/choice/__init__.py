"""Goals for a case, and the ε that meets them.

How precise shall the number be, what may nobody learn, what may all releases lose together? Every
goal bounds the noise that is published: its scale. Precision needs little noise, a promise to
people needs much. `choose` intersects what they allow. Where nothing is left it names the pairs
that contradict each other, and by how much each would have to give way.

`decide` puts a case, goals and a chosen ε together, `stress` says what becomes of the goals when
what was supposed turns out otherwise, and a `Record` keeps the decision without its data.
"""

from dpwidgets.calculators.case import (
    ALL as ALL,
    HOUSEHOLD as HOUSEHOLD,
    ONE as ONE,
    REACHES as REACHES,
    Case as Case,
)
from dpwidgets.calculators.choice._choice import (
    Choice as Choice,
    Conflict as Conflict,
    Option as Option,
    choose as choose,
)
from dpwidgets.calculators.choice._decision import (
    Decision as Decision,
    decide as decide,
    risk_goal as risk_goal,
)
from dpwidgets.calculators.choice._feasible import Feasible as Feasible
from dpwidgets.calculators.choice._goals import (
    AT_ONCE as AT_ONCE,
    EACH as EACH,
    ERROR as ERROR,
    KINDS as KINDS,
    ErrorGoal as ErrorGoal,
    Goal as Goal,
    IntervalGoal as IntervalGoal,
)
from dpwidgets.calculators.choice._page import OPEN as OPEN, Table as Table
from dpwidgets.calculators.choice._protection import (
    AdvantageGoal as AdvantageGoal,
    BeliefGoal as BeliefGoal,
    Promise as Promise,
    RiskGoal as RiskGoal,
    SuccessGoal as SuccessGoal,
)
from dpwidgets.calculators.choice._record import (
    NOT_FOR_PUBLISHING as NOT_FOR_PUBLISHING,
    Record as Record,
    record as record,
)
from dpwidgets.calculators.choice._sections import (
    answers as answers,
    clipped as clipped,
    people_said as people_said,
    unpromised as unpromised,
)
from dpwidgets.calculators.choice._sheet import (
    LARGEST as LARGEST,
    SUFFIXES as SUFFIXES,
    WORDS as WORDS,
    Sheet as Sheet,
)
from dpwidgets.calculators.choice._stress import (
    Chosen as Chosen,
    Outcome as Outcome,
    Stress as Stress,
    stress as stress,
)
from dpwidgets.calculators.choice._totals import (
    RHO as RHO,
    BudgetGoal as BudgetGoal,
    RhoGoal as RhoGoal,
    together as together,
)
