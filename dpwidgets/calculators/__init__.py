"""Numbers in, numbers out: what each text computes, without a widget or a picture.

Every module here needs numpy and, where it must, scipy.special, and nothing else: `import dpwidgets.calculators`
stays quick in a script.
"""

from dpwidgets.calculators import (
    adult,
    bayes,
    breach,
    choice,
    column,
    decision,
    disclosure,
    estimate,
    interval,
    loss,
    meanings,
    noise,
    portrait,
    promise,
    published,
    record,
    release,
    worlds,
)

__all__ = [
    "adult",
    "bayes",
    "breach",
    "choice",
    "column",
    "decision",
    "disclosure",
    "estimate",
    "interval",
    "loss",
    "meanings",
    "noise",
    "portrait",
    "promise",
    "published",
    "record",
    "release",
    "worlds",
]
