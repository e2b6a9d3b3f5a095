"""Goals for a case, and the ε that meets them.

How precise shall the number be, what may nobody learn, what may all releases
lose together? Every `Goal` bounds the scale of the noise: `Precision` from
above, a `Promise` to people from below. `choose` intersects what they allow,
and names the pairs that contradict each other.

What enters is a case and the numbers of its goals. What leaves is a
`Decision`: the ε with what it gives, its `stress` when what was supposed turns
out otherwise, and a `Record` without data, which is a `Sheet` of pages, a
label, an entry for a registry and a program. Begin with `decide`; `Goal` says
what every goal is.
"""

from dpwidgets.decisions.case import (
    ALL as ALL,
    ONE as ONE,
    REACHES as REACHES,
    Case as Case,
)
from dpwidgets.decisions.choice._choice import choose as choose
from dpwidgets.decisions.choice._chosen import Decision as Decision
from dpwidgets.decisions.choice._counted import (
    after as after,
    counted as counted,
)
from dpwidgets.decisions.choice._decide import (
    Promised as Promised,
    decide as decide,
    risk_goal as risk_goal,
)
from dpwidgets.decisions.choice._earlier import (
    read_before as read_before,
    said_before as said_before,
)
from dpwidgets.decisions.choice._files import (
    LARGEST as LARGEST,
    SUFFIXES as SUFFIXES,
)
from dpwidgets.decisions.choice._goals import (
    KINDS as KINDS,
    Feasible as Feasible,
    Goal as Goal,
)
from dpwidgets.decisions.choice._lasting import (
    Lasting as Lasting,
    lasting as lasting,
)
from dpwidgets.decisions.choice._objections import (
    Objection as Objection,
    objections as objections,
)
from dpwidgets.decisions.choice._page import Row as Row, Table as Table
from dpwidgets.decisions.choice._precision import (
    AT_ONCE as AT_ONCE,
    EACH as EACH,
    ErrorGoal as ErrorGoal,
    IntervalGoal as IntervalGoal,
    Precision as Precision,
)
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
    CaseDecision as CaseDecision,
    Record as Record,
    record as record,
)
from dpwidgets.decisions.choice._sheet import (
    NO_PLACE as NO_PLACE,
    WORDS as WORDS,
    Sheet as Sheet,
)
from dpwidgets.decisions.choice._stress import (
    Stress as Stress,
    broken as broken,
    otherwise as otherwise,
    stress as stress,
)
