"""Every meaning of a case's noise, side by side, and what others chose.

`meanings` collects what the noise of a case means in each text and to a test, `portrait` puts all
of that together for one ε, and `deployments` lists the ε of documented releases. `advantage`,
`misses` and `certified` say what ε means to a test and to an audit.
"""

from dpwidgets.calculators.interpretation import GETS as GETS, Meaning as Meaning
from dpwidgets.calculators.meanings._collection import FIRST as FIRST, meanings as meanings
from dpwidgets.calculators.meanings._portrait import (
    ENDS as ENDS,
    Portrait as Portrait,
    Row as Row,
    portrait as portrait,
)
from dpwidgets.calculators.meanings._published import (
    CAUTION as CAUTION,
    DELTA_OF_RHO as DELTA_OF_RHO,
    Deployment as Deployment,
    deployments as deployments,
)
from dpwidgets.calculators.meanings._tests import (
    CONFIDENCE as CONFIDENCE,
    FALSE_ALARMS as FALSE_ALARMS,
    MECHANISMS as MECHANISMS,
    TRIALS as TRIALS,
    advantage as advantage,
    beyond_texts as beyond_texts,
    certified as certified,
    misses as misses,
)
from dpwidgets.inputs.domain import EPSILON as EPSILON
