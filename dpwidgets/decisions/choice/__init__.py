"""An ε for one case: what its goals allow, and the number that is chosen.

What enters is a case and the numbers of its goals. What leaves is a
`Decision`: the ε with what it gives, which `record` writes down. Begin with
`decide`.
"""

from dpwidgets.decisions.case import Case as Case
from dpwidgets.decisions.choice._decide import (
    CaseDecision as CaseDecision,
    decide as decide,
    risk_goal as risk_goal,
)
