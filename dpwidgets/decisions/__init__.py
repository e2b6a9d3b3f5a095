"""Which ε: what stands on the texts' calculators, for who must decide.

A `case` says what is published, about whom and with which noise. `meanings`
says what that noise means in every text at once, `choice` turns goals into an
ε for one case, and `plan` for several statistics about the same people.
`totals` says what sums of noisy numbers are off by. What goes in is what a
person knows of a release; what comes out is a frozen decision, and a record of
it that holds no data. Begin with `case`, then read `choice`: `decide` puts both
together.
"""

from dpwidgets.decisions import (
    case as case,
    choice as choice,
    goals as goals,
    meanings as meanings,
    plan as plan,
    record as record,
    totals as totals,
)
