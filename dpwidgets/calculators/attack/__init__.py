"""Three attacks that anybody can carry out, and how often the best attacker could have been right.

`subtract` two counts, `divide` two hundred worlds by a line, `rebuild` a table
from its sums, and tell from published counts whether somebody is a `member`.
Each takes an ε, a mechanism and how much is published, and gives a frozen
result that says what the attack reaches, and what no attack can: exactly where
that is known, and from both sides elsewhere. A result draws, too: `games` for
a rule of the reader's own, which `play` scores. Begin with `subtract`.
"""

from dpwidgets.calculators.attack._divide import (
    Divided as Divided,
    divide as divide,
)
from dpwidgets.calculators.attack._game import NOISES as NOISES, play as play
from dpwidgets.calculators.attack._line import WORLDS as WORLDS, Line as Line
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
    linear_program as linear_program,
    rebuild as rebuild,
)
from dpwidgets.calculators.attack._subtract import (
    BEFORE as BEFORE,
    RELEASES as RELEASES,
    Subtraction as Subtraction,
    subtract as subtract,
)
