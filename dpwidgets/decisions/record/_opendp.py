"""A program that publishes statistics with OpenDP.

OpenDP's noise is safe from attacks on floating-point numbers. What the program
prints of its guarantee is OpenDP's own, and never less than what is true.
"""

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

from dpwidgets.decisions.case import Case
from dpwidgets.decisions.record._page import prefix
from dpwidgets.inputs.notation import show

#: Of how many records an example is written at most.
_EXAMPLES = 10**6
_HEAD = 'import opendp.prelude as dp\n\ndp.enable_features("contrib")\n'


def program(releases: Iterable[tuple[str, Case, float]]) -> str:
    """Write a program that publishes each statistic once.

    Parameters
    ----------
    releases : iterable of (str, Case, float)
        The name of each statistic, or nothing, its case, and the scale of its
        noise.

    Returns
    -------
    str
        Python code that runs where `opendp` is installed, with data to be put
        in.

    Notes
    -----
    OpenDP counts the records in which two neighbours differ, and takes all of
    them to be in one cell of a table. Where the case bounds the change of the
    counts more tightly, a comment says so. Whose a record is OpenDP is not
    told, so that its user must have left out what is too many.

    Examples
    --------
    >>> print(program([("", Case(published="count"), 5.0)]))
    import opendp.prelude as dp
    <BLANKLINE>
    dp.enable_features("contrib")
    <BLANKLINE>
    # A count of how many people have a property, with Laplace noise. If one person is added or
    # removed, the truth changes by at most Δf = 1 person. Leave out of the data first what one
    # person has beyond 1 record: the program takes that as done. Round what it prints to whole
    # numbers if you like: that costs no privacy, and moves a number by at most one half.
    data = [1, 1, 1]  # put yours here: one entry for each record that has the property
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    release = space >> dp.t.then_count(TO=float) >> dp.m.then_laplace(scale=5.0)
    print("published:", release(data))
    print("ε of one release:", release.map(d_in=1))
    <BLANKLINE>
    """
    written = [_release(*release) for release in releases]
    return "\n".join([_HEAD, *written])


class _Parts(NamedTuple):
    """What a release is made of."""

    data: str
    domain: str
    steps: str
    sensitivity: float  # as OpenDP takes it to be
    lost: str = ""  # what else OpenDP does with the data, in words


def _release(name: str, case: Case, scale: float) -> str:
    """Write the lines that publish one statistic."""
    # A replaced record is one that is removed and one that is added.
    records = case.in_one_release * (2 if case.neighbours == "replace" else 1)
    parts = _parts(case, records)
    kind = "ε"
    noise = f"dp.m.then_laplace(scale={scale!r})"
    if case.mechanism == "Gaussian":
        kind = "ρ (zCDP)"
        noise = f"dp.m.then_gaussian(scale={scale!r})"
    space = f"space = {parts.domain}, dp.symmetric_distance()"
    release = f"release = space >> {parts.steps} >> {noise}"
    code = [
        f"data = {parts.data}",
        space,
        release,
        'print("published:", release(data))',
        f'print("{kind} of one release:", release.map(d_in={records}))',
    ]
    if case.groups:
        code = [
            *_groups(case, parts.data),
            f"    {space}",
            f"    {release}",
            "    published.append(release(data))",
            f"    lost.append(release.map(d_in={records}))",
            'print("published:", published)',
            f'print("{kind} of one release:", max(lost))',
        ]
    return "\n".join([*_comments(name, case, parts, kind), *code, ""])


def _groups(case: Case, data: str) -> list[str]:
    """Return the head of the loop over groups: means are of sizes that are public, and stay."""
    begin = [f"groups = {data}", "published, lost = [], []"]
    if not case.groups_with_means:
        return [*begin, "for data in groups:"]
    each = f"the public size of each group, {case.n} or more"
    return [
        f"sizes = [{case.n}] * {case.groups}  # {each}",
        *begin,
        "for data, size in zip(groups, sizes, strict=True):",
        f"    if len(data) != size or size < {case.n}:",
        f'        raise ValueError("a group must have {each}")',
    ]


def _comments(name: str, case: Case, parts: _Parts, kind: str) -> list[str]:
    """Return the comments above a release: its case, and what the program does not keep."""
    comments = [f"{prefix(name)}{case.sentence}"]
    if case.releases > 1:
        count = f"{case.releases:,} releases"
        comments.append(f"This is one of {count}: run it once for each.")
    comments.append(
        f"Leave out of the data first {case.cut}: the program takes that as done."
    )
    more = parts.sensitivity / case.sensitivity
    if case.mechanism == "Gaussian":
        more = more**2
    if more > 1:
        times = f"{show(more)} times what follows from it"
        comments.append(
            f"OpenDP cannot be told all of this: the {kind} that it prints is {times}."
        )
    if case.groups:
        comments.append(
            "The groups share no record, so that what a person loses is not added up over them: "
            f"the {kind} is that of one group in which all records are that differ."
        )
    comments.append(case.not_which_group)
    comments.append(parts.lost)
    if case.counts:
        comments.append(
            "Round what it prints to whole numbers if you like: that costs no privacy, and moves a "
            "number by at most one half."
        )
    # No line break of a unit or a name ends a comment, and nothing in it is
    # hidden.
    signs = " ".join(comments)
    shown = "".join(sign if sign.isprintable() else " " for sign in signs)
    return [f"# {line}" for line in wrap(" ".join(shown.split()), 94)]


def _parts(case: Case, records: int) -> _Parts:
    """Return what a release is made of, where so many records may change."""
    if case.published == "table":
        norm = "L2" if case.mechanism == "Gaussian" else "L1"
        cells = f"categories=list(range({case.cells})), null_category=False"
        return _Parts(
            "[0, 0, 0]  # put yours here: the cell of each record, a whole number from 0",
            "dp.vector_domain(dp.atom_domain(T=int))",
            f"dp.t.then_count_by_categories({cells}, MO=dp.{norm}Distance[float], TOA=float)",
            records,
        )
    # Whoever is replaced by somebody of another group changes how many a sum
    # of groups adds.
    sum_of_groups = case.groups and case.published != "mean"
    sized = case.neighbours == "replace" and not sum_of_groups
    if case.published == "count" and not sized:
        return _Parts(
            "[1, 1, 1]  # put yours here: one entry for each record that has the property",
            "dp.vector_domain(dp.atom_domain(T=int))",
            "dp.t.then_count(TO=float)",
            records,
        )
    return _added(case, records, sized=sized)


def _added(case: Case, records: int, *, sized: bool) -> _Parts:
    """Add values that are clipped, or take their mean, where their number is known if `sized`."""
    mean = case.published == "mean"
    low, high = case.ends
    each = "the value of each record"
    if case.published == "count":
        low, high = 0.0, 1.0
        each = "1 or 0 for each record"
    most = max(abs(low), abs(high), high - low)
    farthest = records * most
    size = ""
    if sized:
        # Replacing a record keeps the number of records, so that it need not
        # be public.
        farthest = records // 2 * (high - low)
        size = ", size=len(data)"
    length = 3
    if mean:
        smallest = case.n or 1
        farthest = farthest / smallest
        length = min(smallest, _EXAMPLES)
        size = f", size={'size' if case.groups else smallest}"
    example = f"[{high!r}] * {length}"
    if case.groups:
        example = f"[{example}] * {case.groups}"
        each = f"of each group {each}"
    adding = "mean" if mean else "sum"
    lost = ""
    if not sized:
        values = f"Of more than {2**20:,} values OpenDP adds so many"
        lost = f"{values}, drawn at random."
    return _Parts(
        f"{example}  # put yours here: {each}",
        f"dp.vector_domain(dp.atom_domain(T=float, nan=False){size})",
        f"dp.t.then_clamp(({low!r}, {high!r})) >> dp.t.then_{adding}()",
        farthest,
        lost=lost,
    )
