"""Rows of a record about counts of every size, and about sums of cells."""

import math
from collections.abc import Iterable
from itertools import chain

from dpwidgets.decisions import totals
from dpwidgets.decisions.case import Case, Limits, failing, told_by
from dpwidgets.decisions.choice._page import Row, Table, prefix
from dpwidgets.inputs.notation import down, percent, show, up

#: Of which counts a record says how precise they are.
_SIZES = (10, 100, 1_000, 10_000)


def adding_up(named: Iterable[tuple[str, Case, float]]) -> list[Row]:
    """Return rows about cells that are added up.

    Parameters
    ----------
    named : iterable of (str, Case, float)
        The name of each statistic, or nothing, its case, and the scale of its
        noise.

    Returns
    -------
    list of tuple of str
        What each row is called, and what it says; none where no cells are
        added up.

    Examples
    --------
    >>> visits = Case(published="table", cells=40)
    >>> ((name, sentence),) = adding_up([("visits", visits, 5.0)])
    >>> print(f"{name}: {sentence}")
    visits: added up: All 40 counts added up have a mean error of 35.6 people; a total with such
    noise of its own would have one of 5 people, and they need not add up to it.
    """
    rows: list[Row] = []
    for name, case, scale in named:
        added_up = totals.added_up(case, scale)
        if added_up:
            rows.append((f"{prefix(name)}added up", added_up))
    return rows


def without_noise(named: Iterable[tuple[str, Case, float]]) -> str:
    """Say what is public of itself: how many people, groups or cells there are.

    Parameters
    ----------
    named : iterable of (str, Case, float)
        As in `adding_up`.

    Examples
    --------
    >>> without_noise([("visits", Case(published="table", cells=40, n=500), 5.0)])
    'visits: n = 500 people, 40 cells'
    """
    facts = []
    for name, case, _ in named:
        if case.known:
            facts.append(f"{prefix(name)}{case.known}")
    return "; ".join(facts)


def by_size(named: Iterable[tuple[str, Case, float]]) -> list[Row]:
    """Return rows that say how close counts of several sizes are, where a confidence is given.

    Noise does not depend on the truth, and so the least count is the one whose
    relative width is largest: what holds at the reference holds above it.

    Parameters
    ----------
    named : iterable of (str, Case, float)
        As in `adding_up`.

    Returns
    -------
    list of tuple of str
        What each row is called, and what it says.

    Examples
    --------
    >>> visits = Case(published="table", cells=40, n=500, confidence=0.95)
    >>> ((name, sentence),) = by_size([("visits", visits, 5.0)])
    >>> print(f"{name}: {sentence}")
    visits: by size: Whatever its size, each count lies within ±15 people of the truth with a
    probability of 95%: ±150% of 10, ±15% of 100.
    """
    rows: list[Row] = []
    for name, case, scale in named:
        if case.confidence is None or not case.counts:
            continue
        off = case.within(scale, case.confidence)
        most = (case.n or math.inf) * (case.records or case.per_cell)
        shares = []
        for size in _SIZES:
            if size <= most:
                shares.append(f"±{up(off / size, percent)} of {size:,}")
        sure = down(case.confidence, percent)
        width = f"±{up(off, case.measured)} of the truth"
        sentence = f"Whatever its size, each count lies within {width} with a probability of {sure}"
        if shares:
            sentence += f": {', '.join(shares)}"
        sentence += "."
        if case.reference:
            width = f"±{up(off / case.reference, percent)} of itself"
            sentence += f" So every count from {up(case.reference)} up lies within {width}."
        rows.append((f"{prefix(name)}by size", sentence))
    return rows


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
    if case.published == "table" or case.of_one > 1:
        far = "How far off that is no number here says."
        cut = f"{case.cut[0].upper()}{case.cut[1:]} is left out before"
        sentences.append(f"{cut}; {truth} without it. {far}")
    return sentences


def used_before(whole: Limits) -> list[str]:
    """Say what counts before, and how: each earlier record, and who has used up something."""
    told = [told_by(whole, earlier) for earlier in whole.before]
    told += [used.words for used in whole.used_by_others]
    if whole.before and whole.used_by_others:
        told.append(
            "who is named counts once, at the largest that is said; what has another name, or "
            "none, adds up"
        )
    return told


def unpromised(
    everything: Limits, noise: float | None, unprotected: str, *more: str
) -> Table:
    """Return the table of what no promise takes in, warnings first."""
    whom = "Each promise is for one person whose record does not depend on others’."
    if everything.household > 1:
        whom = (
            f"No promise is for more than {everything.household:,} people whose records "
            "depend on each other, and those without these words are for one."
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
        sentences.append(failing(everything, noise, everything.widest))
    earlier = (one.published for one in everything.before)
    before = [case for case, _ in chain.from_iterable(earlier)]
    cases = (*everything.cases, *before)
    sentences += [case.not_which_group for case in cases]
    for case in everything.cases:
        sentences += left_out(case)
    rows = [(sentence,) for sentence in dict.fromkeys(sentences) if sentence]
    return Table("What is not promised", (), rows)
