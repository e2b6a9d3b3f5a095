"""Means and rates with a private n: a noisy sum or count, over a noisy count.

Where n itself is private, a mean is published as a quotient of two noisy
numbers, and so is a rate. How far off it is follows from the law of both.

What enters is the case of the numerator, and what the two numbers are supposed
to be. `within` integrates how close to the truth the quotient lies, and `lost`
says how often there is none. What leaves `split` is a `Quotient`: an ε or a ρ
divided between the two so that the quotient is as precise as it can be, with
their lines of a plan. Begin with `split`.
"""

from dpwidgets.decisions.rates._split import (
    Quotient as Quotient,
    split as split,
)
from dpwidgets.decisions.rates._within import (
    LARGEST as LARGEST,
    lost as lost,
    within as within,
)
