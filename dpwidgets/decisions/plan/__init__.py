"""A plan: several statistics about the same people, and one number that moves the noise of all.

A `Statistic` is a case with its goals of precision. A `Plan` puts several
together with promises to the people whom they are about, and says which factor
of noise keeps them; `decide` makes one from lines of text, and says what to do
where nothing is left. A `Record` keeps the decision, and a `ledger` counts
what the records of a folder have told so far about the same people.
"""

from dpwidgets.decisions.plan._decide import (
    FACTOR as FACTOR,
    Decision as Decision,
    Record as Record,
    decide as decide,
)
from dpwidgets.decisions.plan._ledger import (
    Entry as Entry,
    Ledger as Ledger,
    count as count,
    ledger as ledger,
)
from dpwidgets.decisions.plan._plan import (
    OF_PEOPLE as OF_PEOPLE,
    Plan as Plan,
    Statistic as Statistic,
)
