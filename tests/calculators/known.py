"""The two cases of the issue that several tests decide about."""

from dpwidgets.calculators.case import Case

HOSPITAL = Case(
    published="count", n=2000, unit="patients", releases=4, delta=1e-6, prior=0.2, reference=400,
    confidence=0.95,
)  # fmt: skip
CLASS = Case(
    published="mean", n=12, low=0, high=10, unit="days", releases=2, delta=1e-6, prior=1 / 11,
    reference=5, confidence=0.8,
)  # fmt: skip
