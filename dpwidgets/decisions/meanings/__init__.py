"""Every meaning of a case's noise, side by side, and what others chose.

`meanings` collects what the noise of a case means in each text and to a test,
`portrait` puts all of that together for one ε, and `deployments` lists the ε
of documented releases. `certified` says what an audit shows.
"""

from dpwidgets.decisions.meanings._attacker import certified as certified
from dpwidgets.decisions.meanings._interpretation import (
    GETS as GETS,
    Meaning as Meaning,
)
from dpwidgets.decisions.meanings._portrait import (
    ENDS as ENDS,
    Portrait as Portrait,
    Row as Row,
    meanings as meanings,
    portrait as portrait,
)
from dpwidgets.decisions.meanings._published import (
    CAUTION as CAUTION,
    DELTA_OF_RHO as DELTA_OF_RHO,
    Deployment as Deployment,
    deployments as deployments,
)
