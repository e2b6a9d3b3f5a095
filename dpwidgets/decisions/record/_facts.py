"""What there is to know of what is published, and what no promise takes in."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from dpwidgets.decisions import totals
from dpwidgets.decisions.case import Case, Limits, failing
from dpwidgets.decisions.goals import Table
from dpwidgets.decisions.record._page import prefix
from dpwidgets.inputs.notation import down, percent, several, show, up

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


def facts(whole: Limits, noise: float | None) -> Mapping[str, Sequence[str]]:
    """Say what there is to know of each statistic: under each name of a fact, a line for each.

    Parameters
    ----------
    whole : Case or Plan
        What is published.
    noise : float or None
        What sets its noise, as `Limits` takes it; None where that is left out,
        and then what follows from it is left out too.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> visits = facts(Case(published="count", releases=4), 5.0)
    >>> visits["noise"], visits["releases"]
    (['Laplace noise of scale 5 people'], ['4 releases'])
    """
    lines = defaultdict(list)
    for name, case, scale in whole.named(noise or 1.0):
        said = {
            "what": case.what,
            "unit": case.step,
            "cut": f"without {case.cut}",
            "releases": several(case.releases, "release"),
            "mechanism": f"{case.mechanism} noise",
            "known": case.known,
        }
        if noise is not None:
            off = up(case.error(scale), case.measured)
            said["noise"] = (
                f"{case.mechanism} noise of scale {case.measured(scale, 15)}"
            )
            said["error"] = f"off by {off} on average"
            which = "each" if case.numbers * case.releases > 1 else "the"
            changes = f"the noise changes {which} published number by {off}"
            said["changes"] = f"{changes} on average."
            said["by size"] = by_size(case, scale)
            said["added up"] = totals.added_up(case, scale)
        for fact, words in said.items():
            if words:
                lines[fact].append(f"{prefix(name)}{words}")
    return lines
