"""Three attacks that anybody can carry out, and how often the best attacker could have been right.

`divide` two hundred worlds by a line, or by a rule of one's own, `rebuild` a
table from its sums, and tell from published counts whether somebody is a
`member`.
Each takes an ε and how much is published, and gives a frozen
result that says what the attack reaches, and what no attack can: exactly where
that is known, and from both sides elsewhere. A result draws, too: `games` for
a rule of the reader's own. Begin with `divide`.
"""

from dpwidgets.calculators.attack._divide import (
    RELEASES as RELEASES,
    Divided as Divided,
    divide as divide,
)
from dpwidgets.calculators.attack._line import (
    WORLDS as WORLDS,
    Line as Line,
    Sample as Sample,
)
from dpwidgets.calculators.attack._member import (
    MARKERS as MARKERS,
    PEOPLE as PEOPLE,
    Membership as Membership,
    member as member,
)
from dpwidgets.calculators.attack._rebuild import (
    SMALLEST as SMALLEST,
    TABLE as TABLE,
    Rebuilt as Rebuilt,
    groups as groups,
    least_squares as least_squares,
    rebuild as rebuild,
)
