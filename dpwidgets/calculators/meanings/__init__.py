"""Every meaning of one ε, side by side, and what others chose.

`meanings` collects what ε means in each text and to a test or an audit, `portrait` puts all of that
together for one ε, and `deployments` lists the ε of documented releases.
"""

from dpwidgets.calculators.domain import EPSILON
from dpwidgets.calculators.interpretation import MECHANISMS, NEIGHBOURS, RELEASES, Meaning
from dpwidgets.calculators.meanings._collection import meanings
from dpwidgets.calculators.meanings._portrait import ENDS, Portrait, Row, portrait
from dpwidgets.calculators.meanings._published import CAUTION, Deployment, deployments
from dpwidgets.calculators.meanings._tests import (
    CONFIDENCE,
    FALSE_ALARMS,
    TRIALS,
    advantage,
    beyond_texts,
    certified,
    misses,
)

__all__ = [
    "CAUTION",
    "CONFIDENCE",
    "ENDS",
    "EPSILON",
    "FALSE_ALARMS",
    "MECHANISMS",
    "NEIGHBOURS",
    "RELEASES",
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
