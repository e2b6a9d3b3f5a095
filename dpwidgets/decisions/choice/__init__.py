"""Goals for a case, and the ε that meets them.

How precise shall the number be, what may nobody learn, what may all releases
lose together? Every goal bounds the noise that is published: its scale.
Precision needs little noise, a promise to people needs much. `choose`
intersects what they allow. Where nothing is left it names the pairs that
contradict each other, and by how much each would have to give way.

`decide` puts a case, goals and a chosen ε together, `stress` says what becomes
of the goals when what was supposed turns out otherwise, and a `Record` keeps
the decision without its data.
"""

from dpwidgets.decisions.case import (
    ALL as ALL,
    ONE as ONE,
    REACHES as REACHES,
    Case as Case,
)
from dpwidgets.decisions.choice._choice import choose as choose
from dpwidgets.decisions.choice._decide import (
    decide as decide,
    risk_goal as risk_goal,
)
from dpwidgets.decisions.choice._goals import (
    AT_ONCE as AT_ONCE,
    EACH as EACH,
    KINDS as KINDS,
    ErrorGoal as ErrorGoal,
    Feasible as Feasible,
    Goal as Goal,
    IntervalGoal as IntervalGoal,
)
from dpwidgets.decisions.choice._page import Row as Row, Table as Table
from dpwidgets.decisions.choice._protection import (
    AdvantageGoal as AdvantageGoal,
    BeliefGoal as BeliefGoal,
    BudgetGoal as BudgetGoal,
    Promise as Promise,
    RhoGoal as RhoGoal,
    RiskGoal as RiskGoal,
    SuccessGoal as SuccessGoal,
)
from dpwidgets.decisions.choice._record import (
    Decision as Decision,
    Record as Record,
    record as record,
)
from dpwidgets.decisions.choice._sheet import (
    LARGEST as LARGEST,
    SUFFIXES as SUFFIXES,
    WORDS as WORDS,
    Sheet as Sheet,
    adding_up as adding_up,
    by_size as by_size,
)
from dpwidgets.decisions.choice._stress import (
    Stress as Stress,
    stress as stress,
)
