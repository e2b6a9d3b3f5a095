"""Three attacks that anybody can carry out, and how often the best attacker could have been right.

`subtract` two counts, `rebuild` a table from its sums, and tell from published
counts whether somebody is a `member`. Each says what the attack reaches, and
what no attack can: exactly where that is known, and from both sides elsewhere.
`play` scores a rule of the reader's own.
"""

from dpwidgets.calculators.attack._game import NOISES as NOISES, play as play
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
