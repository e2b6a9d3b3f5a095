"""The case of the issue that several tests decide about, and the queries by definition."""

import numpy as np
from hypothesis import assume

from dpwidgets.calculators.case import Case

HOSPITAL = Case(
    published="count", n=2000, unit="patients", releases=4, delta=1e-6, prior=0.2, reference=400,
    confidence=0.95,
)  # fmt: skip


QUERIES = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "count": np.count_nonzero,
    "min": np.min,
    "max": np.max,
    "variance": np.var,
}


def build(make, *arguments):
    """Make worlds or an attack of drawn records, unless all of its candidates answer alike."""
    try:
        return make(*arguments)
    except ValueError as error:
        assume("from every world" not in str(error))
        raise
