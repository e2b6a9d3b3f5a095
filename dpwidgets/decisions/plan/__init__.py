"""A plan: several statistics about the same people, and one number that moves the noise of all.

A `Statistic` is a case with its goals of precision, and is said in a line of
text. A `Plan` puts several together with promises to the people whom they are
about: it answers what a case answers of people, with a factor of the noise in
place of a scale.

What enters are lines and limits. What leaves is a `Decision`: which factors
keep everything, what each statistic gets, and what to do where nothing is
left. Its record counts `before` the next decision. Begin with `decide`.
"""

from dpwidgets.decisions.plan._decide import (
    FACTOR as FACTOR,
    PlanDecision as PlanDecision,
    decide as decide,
)
from dpwidgets.decisions.plan._plan import (
    OF_PEOPLE as OF_PEOPLE,
    Plan as Plan,
)
from dpwidgets.decisions.plan._statistic import (
    Statistic as Statistic,
)
