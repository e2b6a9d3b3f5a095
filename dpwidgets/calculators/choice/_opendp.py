"""A release as a program for OpenDP, whose noise is safe from attacks on floating-point numbers.

What the program prints of its guarantee is OpenDP's own, and never less than what is true.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

from dpwidgets.calculators.case import Case
from dpwidgets.inputs.notation import show

_HEAD = """\
import opendp.prelude as dp

dp.enable_features("contrib")
"""


def program(releases: Iterable[tuple[str, Case, float]]) -> str:
    """Write a program that publishes each statistic once.

    Parameters
    ----------
    releases : iterable of (str, Case, float)
        The name of each statistic, or nothing, its case, and the scale of its noise.

    Returns
    -------
    str
        Python code that runs where `opendp` is installed, with data to be put in.

    Examples
    --------
    >>> print(program([("", Case(published="count"), 5.0)]))
    import opendp.prelude as dp
    <BLANKLINE>
    dp.enable_features("contrib")
    <BLANKLINE>
    # A count of how many people have a property, with Laplace noise. If one person is added or
    # removed, the truth changes by at most Δf = 1 person.
    data = [True, False, True]  # put yours here: whether each record has the property
    space = dp.vector_domain(dp.atom_domain(T=bool)), dp.symmetric_distance()
    release = space >> dp.t.then_count(TO=float) >> dp.m.then_laplace(scale=5.0)
    print("published:", release(data))
    print("ε of one release:", release.map(d_in=1))
    <BLANKLINE>
    """
    return _HEAD + "".join(f"\n{_release(*one)}" for one in releases)


class _Parts(NamedTuple):
    """What a release is made of."""

    data: str
    domain: str
    steps: tuple[str, ...]
    sensitivity: float  # as OpenDP takes it to be


def _release(name: str, case: Case, scale: float) -> str:
    """Write the lines that publish one statistic."""
    # A replaced record is one that is removed and one that is added.
    records = case.contributions * case.per_cell * (2 if case.neighbours == "replace" else 1)
    parts = (_table if case.published == "table" else _number)(case, records)
    said = [f"{name}: {case.sentence}" if name else case.sentence]
    if case.releases > 1:
        said.append(f"This is one of {case.releases:,} releases: run it once for each.")
    kind, more = "ε", parts.sensitivity / case.sensitivity
    if case.mechanism == "Gaussian":
        kind, more = "ρ (zCDP)", more**2
    if more > 1:
        said.append(
            f"OpenDP cannot be told all of this: the {kind} that it prints is {show(more)} times "
            "what follows from it."
        )
    noise = "gaussian" if case.mechanism == "Gaussian" else "laplace"
    steps = " >> ".join(("space", *parts.steps, f"dp.m.then_{noise}(scale={scale!r})"))
    words = " ".join(" ".join(said).split())  # no line break of a unit or a name ends a comment
    return "\n".join(
        [
            *(f"# {line}" for line in wrap(words, 94)),
            f"data = {parts.data}",
            f"space = {parts.domain}, dp.symmetric_distance()",
            f"release = {steps}",
            'print("published:", release(data))',
            f'print("{kind} of one release:", release.map(d_in={records}))',
            "",
        ]
    )


def _table(case: Case, records: int) -> _Parts:
    """Count the records of each cell."""
    distance = {
        "Laplace": ", MO=dp.L1Distance[float], TOA=float",
        "Gaussian": ", MO=dp.L2Distance[float], TOA=float",
        "geometric": "",
    }[case.mechanism]
    cells = f"categories=list(range({case.cells})), null_category=False{distance}"
    return _Parts(
        "[0, 0, 0]  # put yours here: the cell of each record, a whole number from 0",
        "dp.vector_domain(dp.atom_domain(T=int))",
        (f"dp.t.then_count_by_categories({cells})",),
        records,  # all of which may be in the same cell
    )


def _number(case: Case, records: int) -> _Parts:
    """Count, or add values that are clipped, or take their mean."""
    whole = case.mechanism == "geometric"
    sized = case.neighbours == "replace" and case.n is not None
    if case.published == "count" and not sized:
        return _Parts(
            "[True, False, True]  # put yours here: whether each record has the property",
            "dp.vector_domain(dp.atom_domain(T=bool))",
            ("dp.t.then_count()" if whole else "dp.t.then_count(TO=float)",),
            records,
        )
    low, high = (0.0, 1.0) if case.published == "count" else case.ends
    first = int(low) if whole else low
    last = int(high) if whole else high
    what = "1 or 0 for each record" if case.published == "count" else "the value of each record"
    size = f", size={case.n}" if sized else ""
    atoms = "T=int" if whole else "T=float, nan=False"
    one = max(abs(low), abs(high)) if whole else max(abs(low), abs(high), high - low)
    farthest = records // 2 * (high - low) if sized else records * one
    mean = case.published == "mean"
    return _Parts(
        f"[{last!r}] * {case.n if sized else 3}  # put yours here: {what}",
        f"dp.vector_domain(dp.atom_domain({atoms}){size})",
        (
            f"dp.t.then_clamp(({first!r}, {last!r}))",
            "dp.t.then_mean()" if mean else "dp.t.then_sum()",
        ),
        farthest / (case.n or 1) if mean else farthest,
    )
