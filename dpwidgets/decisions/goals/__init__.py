"""Goals: what each allows, all of them together, and under stress.

How precise shall the number be, what may nobody learn, what may all releases
lose together? Every `Goal` bounds the scale of the noise: `Precision` from
above, a `Promise` to people from below. `choose` intersects what they allow,
and names the pairs that contradict each other. A `Decision` is what is
published, the goals for it and the number that is chosen, with its `stress`
when what was supposed turns out otherwise. `Goal` says what every goal is.
"""

from dpwidgets.decisions.goals._choice import (
    Choice as Choice,
    choose as choose,
)
from dpwidgets.decisions.goals._chosen import (
    NOT_FOR_PUBLISHING as NOT_FOR_PUBLISHING,
    RECORDS as RECORDS,
    Decision as Decision,
)
from dpwidgets.decisions.goals._goals import (
    KINDS as KINDS,
    Feasible as Feasible,
    Goal as Goal,
    checked as checked,
)
from dpwidgets.decisions.goals._precision import (
    AT_ONCE as AT_ONCE,
    EACH as EACH,
    ErrorGoal as ErrorGoal,
    IntervalGoal as IntervalGoal,
    Precision as Precision,
)
from dpwidgets.decisions.goals._protection import (
    ALTERNATIVES as ALTERNATIVES,
    BeliefGoal as BeliefGoal,
    Budget as Budget,
    BudgetGoal as BudgetGoal,
    Promise as Promise,
    Promised as Promised,
    RhoGoal as RhoGoal,
    RiskGoal as RiskGoal,
    SuccessGoal as SuccessGoal,
)
from dpwidgets.decisions.goals._stress import (
    Row as Row,
    Stress as Stress,
    Table as Table,
    broken as broken,
    lasts as lasts,
    otherwise as otherwise,
    stress as stress,
    together as together,
)
