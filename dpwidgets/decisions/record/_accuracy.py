"""How precise counts of every size are, and what no promise takes in."""

import math
from itertools import chain

from dpwidgets.decisions.case import Case, Limits, failing
from dpwidgets.decisions.goals import Table
from dpwidgets.inputs.notation import down, percent, show, up

#: Of which counts a record says how precise they are.
_SIZES = (10, 100, 1_000, 10_000)


def by_size(case: Case, scale: float) -> str:
    """Say how close counts of several sizes are, where a confidence is given, or nothing.

    Noise does not depend on the truth, and so the least count is the one whose
    relative width is largest: what holds at the reference holds above it.

    Examples
    --------
    >>> print(by_size(Case(published="table", cells=40, n=500, confidence=0.95), 5.0))
    Whatever its size, each count lies within ±15 people of the truth with a probability of 95%:
    ±150% of 10, ±15% of 100.
    """
    if case.confidence is None or not case.counts:
        return ""
    off = case.within(scale, case.confidence)
    most = case.n or math.inf
    shares = [
        f"±{up(off / size, percent)} of {size:,}"
        for size in _SIZES
        if size <= most
    ]
    sure = down(case.confidence, percent)
    width = f"±{up(off, case.measured)} of the truth"
    sentence = f"Whatever its size, each count lies within {width} with a probability of {sure}"
    if shares:
        sentence += f": {', '.join(shares)}"
    sentence += "."
    if case.reference:
        width = f"±{up(off / case.reference, percent)} of itself"
        sentence += f" So every count from {up(case.reference)} up lies within {width}."
    return sentence


def left_out(case: Case) -> list[str]:
    """Return what no promise of precision takes in: what is clipped, and what is cut."""
    sentences = []
    truth = f"“the truth” is the {case.published}"
    if not case.counts:
        low, high = case.ends
        outside = f"Values outside {show(low)} to {case.measured(high)}"
        sentences.append(
            f"{outside} count as the nearer end; {truth} of these clipped values."
        )
    if case.published == "table" or case.contributions:
        far = "How far off that is no number here says."
        cut = f"{case.cut[0].upper()}{case.cut[1:]} is left out before"
        sentences.append(f"{cut}; {truth} without it. {far}")
    return sentences


def unpromised(
    everything: Limits, noise: float | None, unprotected: str, *more: str
) -> Table:
    """Return the table of what no promise takes in, warnings first."""
    whom = "Each promise is for one person whose record does not depend on others’."
    if everything.household > 1:
        whom = (
            f"No promise is for more than {everything.household:,} people whose records "
            "depend on each other."
        )
    sentences = [
        *everything.warnings,
        *more,
        whom,
        "Other publications about the same people, not counted here, may tell more.",
        "What is true of people in general is learned about everybody, in the data or not.",
        "Noise drawn naively with floating-point numbers may betray the truth in its last "
        "digits: it takes a program that is made for this.",
        "What is done after the noise may look at noisy numbers only: suppress or round a cell "
        "by its noisy count, for by its true one the promises are broken.",
    ]
    if unprotected.strip() or any(
        case.n is not None for case in everything.cases
    ):
        sentences.append(
            "What is published without noise is under none of these promises, and with the "
            "noisy numbers it may tell more than they allow."
        )
    if noise is not None:
        sentences.append(failing(everything, noise))
    earlier = (one.published for one in everything.before)
    before = [case for case, _ in chain.from_iterable(earlier)]
    cases = (*everything.cases, *before)
    sentences += [case.not_which_group for case in cases]
    for case in everything.cases:
        sentences += left_out(case)
    rows = [(sentence,) for sentence in dict.fromkeys(sentences) if sentence]
    return Table("What is not promised", (), rows)
