"""The case: what is published, about whom, with which noise, how often, and what others know.

Goals, meanings and the record of a decision all follow from it. What enters
are the fields of a `Case`; what leaves are numbers, at a scale of the noise,
and sentences about them (`_words.py`): about everything, which is all releases,
what came before, and the household. Who means one release asks
`Case.one_release`. Noise is given by its scale, in the unit of what is
published: Laplace noise by its b, Gaussian noise by its standard
deviation σ. Begin with `Case.epsilon`.

How a number is found, in one walk: `Limits.total`, or another method of
`Limits` (`_limits.py`), asks for the `privacy_loss` of the own releases.
`Data.privacy_loss` (`_data.py`) says how far one person moves how many numbers
(`moves`), over the scale: a `PrivacyLoss` of `Numbers` (`_loss.py`). Its
`epsilon`, `exceeded` or `rho` composes the law of each kind of noise
(`_noise.py`) with `calculators.loss`. `Limits` then adds what others have used up, which `People`
(`_people.py`) knows. A plan is a `Limits`, too: its loss is made of the parts
of several cases.
"""

from dpwidgets.decisions.case._before import (
    NO_ID as NO_ID,
    OF_A_STATISTIC as OF_A_STATISTIC,
    after as after,
    counted as counted,
    id_of_content as id_of_content,
    of_neighbours as of_neighbours,
    read_before as read_before,
    said_before as said_before,
)
from dpwidgets.decisions.case._case import (
    Case as Case,
    CaseFields as CaseFields,
    PeopleFields as PeopleFields,
)
from dpwidgets.decisions.case._data import (
    CELLS as CELLS,
    CONTRIBUTIONS as CONTRIBUTIONS,
    END as END,
    PUBLISHED as PUBLISHED,
    N as N,
)
from dpwidgets.decisions.case._guesses import (
    Guess as Guess,
    guesses as guesses,
    of_several as of_several,
)
from dpwidgets.decisions.case._limits import Limits as Limits
from dpwidgets.decisions.case._loss import (
    Numbers as Numbers,
    PrivacyLoss as PrivacyLoss,
    exceeded as exceeded,
)
from dpwidgets.decisions.case._noise import MECHANISMS as MECHANISMS
from dpwidgets.decisions.case._past import (
    Earlier as Earlier,
    Past as Past,
    checked_id as checked_id,
    id_of as id_of,
    others as others,
)
from dpwidgets.decisions.case._people import (
    LARGEST_SCALE as LARGEST_SCALE,
    MEMBERS as MEMBERS,
    failure_clause as failure_clause,
)
from dpwidgets.decisions.case._stated import (
    always_clause as always_clause,
    failing as failing,
    in_all as in_all,
    in_title as in_title,
    stated as stated,
)
