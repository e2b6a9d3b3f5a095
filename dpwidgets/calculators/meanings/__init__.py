"""Every meaning of a case's noise, side by side, and what others chose.

`meanings` collects what the noise of a case means in each text and to a test, `portrait` puts all
of that together for one ε, and `deployments` lists the ε of documented releases. `advantage`,
`misses` and `certified` say what ε means to a test and to an audit.
"""

from dpwidgets.calculators.interpretation import GETS, Meaning
from dpwidgets.calculators.meanings._collection import FIRST, meanings
from dpwidgets.calculators.meanings._portrait import ENDS, Portrait, Row, portrait
from dpwidgets.calculators.meanings._published import CAUTION, Deployment, deployments
from dpwidgets.calculators.meanings._tests import (
    CONFIDENCE,
    FALSE_ALARMS,
    MECHANISMS,
    TRIALS,
    advantage,
    beyond_texts,
    certified,
    misses,
)
from dpwidgets.inputs.domain import EPSILON

__all__ = [
    "CAUTION",
    "CONFIDENCE",
    "ENDS",
    "EPSILON",
    "FALSE_ALARMS",
    "FIRST",
    "GETS",
    "MECHANISMS",
    "TRIALS",
    "Deployment",
    "Meaning",
    "Portrait",
    "Row",
    "advantage",
    "beyond_texts",
    "certified",
    "deployments",
    "meanings",
    "misses",
    "portrait",
]
