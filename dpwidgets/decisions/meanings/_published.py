"""The ε of documented deployments, each with what it protects and for how long.

The table comes with the package, in data/, with a card that says where it is
from.
"""

import csv
from functools import cache
from importlib import resources
from operator import attrgetter
from typing import Any, NamedTuple

from dpwidgets.calculators import loss
from dpwidgets.inputs.notation import show, up

#: At which δ an ε is computed where only a ρ is published: the Census's.
DELTA_OF_RHO = 1e-10
#: What to say wherever these ε stand side by side.
CAUTION = (
    "These ε do not compare where the unit, the period, the neighbours or the noise differs: an ε "
    "for one event or one day protects less than the same ε for all that a person does, one for a "
    "person who comes or goes allows up to 2ε where a record is replaced, and noise that each "
    "device adds (local) is not noise that a curator adds (central)."
)


class Deployment(NamedTuple):
    """One deployment's ε, and what it is about. `deployments` lists them.

    Attributes
    ----------
    name, curator : str
        What is released, and who releases it.
    year : int
        When it was published.
    epsilon, delta : float
        Its parameters; a δ of 0 is pure differential privacy. Where only ρ is
        published they are computed: an ε that follows from it at δ = 1e-10.
    rho : float or None
        Its ρ (zCDP), where one is published.
    computed : bool
        Whether ε was computed from ρ, and not published.
    unit : str
        What one ε protects: all data of a user or a person, or one event.
    period : str
        Over which time one ε holds.
    neighbours : str
        "add/remove" or "replace", as a `Case` has it; empty where the registry
        does not say.
    model : str
        "central" or "local": who adds the noise.
    source : str
        The address of the document.
    entry : str
        The entry in the registry from which the facts are.
    """

    name: str
    curator: str
    year: int
    epsilon: float
    delta: float
    rho: float | None
    computed: bool
    unit: str
    period: str
    neighbours: str
    model: str
    source: str
    entry: str

    @property
    def written(self) -> str:
        """Its ε as it is published, or rounded up where it is computed."""
        return up(self.epsilon) if self.computed else show(self.epsilon, 6)


@cache
def deployments() -> tuple[Deployment, ...]:
    """List the deployments, in the order of their ε.

    Returns
    -------
    tuple of Deployment
        The deployments. Their ε do not compare where unit, period, neighbours
        or model differ: see `CAUTION`.

    Notes
    -----
    The Differential Privacy Deployments Registry, MIT licence; the data card
    says what was chosen and changed.

    Examples
    --------
    >>> first = deployments()[0]
    >>> first.curator, first.epsilon, first.unit, first.period
    ('Microsoft', 0.2, 'user', 'one release')
    """
    table = resources.files("dpwidgets") / "data" / "published_epsilons.csv"
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    listed = [_deployment(row) for row in rows]
    return tuple(sorted(listed, key=attrgetter("epsilon")))


def _deployment(row: dict[str, Any]) -> Deployment:
    rho = float(row["rho"]) if row["rho"] else None
    delta = float(row["delta"] or DELTA_OF_RHO)
    epsilon = float(row["epsilon"] or loss.epsilon_of_rho(rho or 0.0, delta))
    numbers = {
        "year": int(row["year"]),
        "epsilon": epsilon,
        "delta": delta,
        "rho": rho,
    }
    return Deployment(**row | numbers, computed=not row["epsilon"])
