"""The case: what is published, about whom, with which noise, how often, and what others know.

Goals, meanings and the record of a decision all follow from it. The noise is given by its scale, in
the unit of what is published: Laplace noise by its b, Gaussian noise by its standard deviation σ.
ε is read from the scale, with the sensitivity Δf of the case beside it.
"""

from dpwidgets.calculators.case._case import Case as Case
from dpwidgets.calculators.case._data import (
    ALL as ALL,
    END as END,
    HOUSEHOLD as HOUSEHOLD,
    MECHANISMS as MECHANISMS,
    MEMBERS as MEMBERS,
    ONE as ONE,
    PUBLISHED as PUBLISHED,
    REACHES as REACHES,
    USED as USED,
    N as N,
)
from dpwidgets.calculators.case._mechanisms import gaussian_mu as gaussian_mu
from dpwidgets.calculators.case._words import slip as slip
