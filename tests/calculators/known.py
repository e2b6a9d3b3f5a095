"""The case of the issue that several tests decide about, and the queries by definition."""

import functools

import numpy as np
from hypothesis import assume, strategies as st

from dpwidgets.calculators import loss
from dpwidgets.decisions.case import Case, others
from strategies import asked

HOSPITAL = Case(
    published="count", n=2000, unit="patients", releases=4, delta=1e-6, prior=0.2, reference=400,
    confidence=0.95,
)  # fmt: skip


def others_used(epsilon=0.0, rho=0.0):
    """Return what came before a case about which others used up so much, or nothing."""
    if not epsilon and not rho:
        return ()
    return (others("others", epsilon=epsilon, rho=rho),)


QUERIES = {
    "mean": np.mean, "median": np.median, "sum": np.sum, "count": np.count_nonzero, "min": np.min,
    "max": np.max,
}  # fmt: skip
#: Of any size, and a few that are alike.
RECORDS = (
    st.floats(-1e12, 1e12)
    | st.integers(-3, 3).map(float)
    | st.floats(-1e-11, 1e-11)
)
RECORDS |= st.integers(-30, 30) | st.floats(-100, 100).map(
    lambda number: round(number, 2)
)


def suited(values, query):
    """Return records that the query takes: of a count, who has a property and who has not."""
    if query == "count":
        return [float(value > 0) for value in values]
    return values


def law_of(releases):
    """Return the law of releases together: of each its mechanism, parameter and count."""
    each = (
        getattr(loss, mechanism)(parameter).compose(count)
        for mechanism, parameter, count in releases
    )
    return functools.reduce(loss.LossDistribution.compose_with, each)


def build(make, *arguments):
    """Make worlds or an attack of drawn records, without a warning, unless it is refused."""
    made = asked(make, *arguments)
    assume(made is not None)
    return made
