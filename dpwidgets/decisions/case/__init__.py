"""The case: what is published, about whom, with which noise, how often, and what others know.

Goals, meanings and the record of a decision all follow from it. The noise is
given by its scale, in the unit of what is published: Laplace and geometric
noise by its b, Gaussian noise by its standard deviation σ. ε is read from the
scale, with the sensitivity Δf of the case beside it.
"""

from dpwidgets.decisions.case._case import (
    Case as Case,
    CaseFields as CaseFields,
)
from dpwidgets.decisions.case._data import (
    CELLS as CELLS,
    CONTRIBUTIONS as CONTRIBUTIONS,
    END as END,
    MECHANISMS as MECHANISMS,
    PUBLISHED as PUBLISHED,
    N as N,
)
from dpwidgets.decisions.case._limits import (
    ALL as ALL,
    FAR as FAR,
    HOUSEHOLD as HOUSEHOLD,
    MEMBERS as MEMBERS,
    NEIGHBOURS as NEIGHBOURS,
    ONE as ONE,
    REACHES as REACHES,
    USED as USED,
    Limits as Limits,
    slip as slip,
)
from dpwidgets.decisions.case._told import (
    Numbers as Numbers,
    Told as Told,
    exceeded as exceeded,
)
