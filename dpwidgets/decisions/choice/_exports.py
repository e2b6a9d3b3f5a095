"""A record for others: an entry for the registry of deployments, and a program for OpenDP.

The Differential Privacy Deployments Registry is at
https://registry.opendp.org. Its entries are YAML, and fall into sections whose
names stand below; the first two of its three tiers are about what is published
and how strongly it is protected, the third asks for reasons.

OpenDP's noise is safe from attacks on floating-point numbers. What the program
prints of its guarantee is OpenDP's own, and never less than what is true.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from textwrap import wrap
from typing import Any, NamedTuple
from unicodedata import category, combining, normalize

from dpwidgets.decisions.case import ALL, Case, Limits
from dpwidgets.inputs.notation import ROUNDING, rounded, several, show, up
from dpwidgets.inputs.outside import described, quoted

#: Of each statistic: its name before a sentence of its own, its case, the
#: scale of its noise.
_Named = Sequence[tuple[str, Case, float]]
_Sections = dict[str, dict[str, object]]
_LONGEST_SLUG = 80
#: What people must have said for an entry.
NEEDED = ("about", "use", "region", "curator", "names", "date")


def entry(together: Limits, noise: float, said: Mapping[str, str]) -> str:
    """Write the entry as YAML, in the part of it that is JSON, too.

    Parameters
    ----------
    together : Limits
        What is published. What others have used up is not in the entry.
    noise : float
        What sets its noise.
    said : mapping
        What people said.
    """
    if unsaid := [name for name in NEEDED if not _read(said[name]).strip()]:
        raise ValueError(
            f"the registry needs what nobody has said yet: {', '.join(unsaid)}"
        )
    own = replace(together, used=0.0, used_delta=0.0, used_rho=0.0)
    named = [
        (f"{name}: " if name else "", case, scale)
        for name, case, scale in own.named(noise)
    ]
    day = _day(said["date"])
    told = (
        _purpose(named, said, day)
        | _guarantee(own, noise, named, said)
        | _making(named, said)
    )
    content = {
        "url_slug": _slug(f"{said['about']} {said['curator']} {day.year}"),
        "status": "Draft",
        "tier": 2,
        "deployment": _filled(
            {name: _filled(section) for name, section in told.items()}
        ),
    }
    text = json.dumps(_read(content), ensure_ascii=False, indent=2)
    # Many a reader of YAML takes a number such as 1e-06 for a text, and
    # 1.0e-06 for the number.
    return (
        re.sub(
            r"^( *\"\w+\": \d)(e-\d+,?)$", r"\1.0\2", text, flags=re.MULTILINE
        )
        + "\n"
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        wanted = "date must be written as YYYY-MM-DD for the registry"
        raise ValueError(f"{wanted}; got {described(text)}") from None


def _slug(text: str) -> str:
    """Return a name for an address, which no other text has: what it cannot say is summed up."""
    words = " ".join(normalize("NFKC", text).casefold().split())
    letters = (
        sign for sign in normalize("NFKD", words) if not combining(sign)
    )
    slug = re.sub("[^a-z0-9]+", "-", "".join(letters)).strip("-")[
        :_LONGEST_SLUG
    ]
    if slug.replace("-", " ") != words:
        slug += f"-{hashlib.sha256(words.encode()).hexdigest()[:8]}"
    return slug


def _read(value: Any) -> Any:
    """Return what the registry reads of it: line breaks are YAML’s, and nothing else is hidden."""
    if isinstance(value, dict):
        return {name: _read(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_read(one) for one in value]
    if not isinstance(value, str):
        return value
    if re.search(r"\\\\[^()]", value):
        wrong = (
            "the registry takes two backslashes for the beginning of a formula"
        )
        raise ValueError(f"{wrong}; got {quoted(value)}")
    text = "\n".join(value.splitlines())
    return "".join(
        " " if category(sign) == "Cc" and sign != "\n" else sign
        for sign in text
    )


def _purpose(named: _Named, said: Mapping[str, str], day: date) -> _Sections:
    """Return what is published, by whom, when, and for what: in the order of the schema."""
    basic: dict[str, object] = {
        "name": said["about"],
        "data_curators": [said["curator"]],
        "intended_use": said["use"],
        "data_product_type": "Summary statistics",
        "data_product_region": said["region"],
        "description": " ".join(
            f"{name}{case.what}" for name, case, _ in named
        ),
        "publication_date": day.isoformat(),
    }
    return {"basic": basic}


def _guarantee(
    own: Limits, noise: float, named: _Named, said: Mapping[str, str]
) -> _Sections:
    """Return whom the noise protects, and how strongly."""
    delta, public = (
        own.delta_of(ALL),
        (one for _, case, _ in named for one in case.public_n),
    )
    neighbours = [f"{name}{case.step}" for name, case, _ in named]
    parameters = {
        "epsilon": own.total(noise),
        "delta": delta,
        "rho": own.rho(noise),
    }
    return {
        "dp_variant": {
            "variant_name": "Approximate DP" if delta else "Pure DP",
            "data_domain": said["whom"],
            "unprotected_quantities": said["unprotected"],
        },
        "privacy_loss": {
            "privacy_unit": "person",
            "privacy_unit_details": " ".join(
                [*neighbours, *dict.fromkeys(public)]
            ),
            "privacy_parameters": {
                # What is at most.
                name: rounded(number * (1 - ROUNDING), 6, up=True)
                for name, number in parameters.items()
                if number
            },
        },
    }


def _making(named: _Named, said: Mapping[str, str]) -> _Sections:
    """Return how it is released, with what noise, and why so."""
    again = any(case.releases > 1 for _, case, _ in named)
    how_often = (
        f"{name}{several(case.releases, 'release')}."
        for name, case, _ in named
    )
    noises = []
    for name, case, scale in named:
        # That of the ε, or more.
        least = up(scale, case.measured, 6)
        noises.append(
            f"{name}{case.mechanism} noise of scale {least} on each number."
        )
    return {
        "deployment_model": {
            "model_name": "Central",
            "actors": said["trusted"],
            "release_type": "Many releases" if again else "One release",
            "release_type_details": " ".join(how_often),
            # Somebody who releases the same statistic again has new data.
            "data_source_type": "Dynamic" if again else "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {"post_processing": said["processing"]},
        "implementation": {
            "mechanisms": f"{' '.join(noises)}\n{said['library']}".strip(),
            "justification": said["reasons"],
        },
        "administrative": {"registry_authors": [said["names"]]},
    }


def _filled(section: Mapping[str, object]) -> dict[str, object]:
    """Leave out what nobody has said, rather than saying that it is empty."""
    return {name: value for name, value in section.items() if value}


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
    # person has beyond 1 record: the program takes that as done.
    data = [1, 1, 1]  # put yours here: one entry for each record that has the property
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
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
    steps: str
    sensitivity: float  # as OpenDP takes it to be
    lost: str = ""  # what else OpenDP does with the data, in words


def _release(name: str, case: Case, scale: float) -> str:
    """Write the lines that publish one statistic."""
    # A replaced record is one that is removed and one that is added.
    records = case.of_one * (2 if case.neighbours == "replace" else 1)
    parts = (_table if case.published == "table" else _number)(case, records)
    kind, noise = "ε", f"dp.m.then_laplace(scale={scale!r})"
    if case.mechanism == "Gaussian":
        kind, noise = "ρ (zCDP)", f"dp.m.then_gaussian(scale={scale!r})"
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
            f"groups = {parts.data}",
            "published, lost = [], []",
            "for data in groups:",
            f"    {space}",
            f"    {release}",
            "    published.append(release(data))",
            f"    lost.append(release.map(d_in={records}))",
            'print("published:", published)',
            f'print("{kind} of one release:", max(lost))',
        ]
    return "\n".join([*_comments(name, case, parts, kind), *code, ""])


def _comments(name: str, case: Case, parts: _Parts, kind: str) -> list[str]:
    """Return the comments above a release: its case, and what the program does not keep."""
    said = [f"{name}: {case.sentence}" if name else case.sentence]
    if case.releases > 1:
        said.append(
            f"This is one of {case.releases:,} releases: run it once for each."
        )
    said.append(
        f"Leave out of the data first {case.cut}: the program takes that as done."
    )
    more = (parts.sensitivity / case.sensitivity) ** (
        2 if case.mechanism == "Gaussian" else 1
    )
    if more > 1:
        prints = f"the {kind} that it prints is {show(more)} times what follows from it"
        said.append(f"OpenDP cannot be told all of this: {prints}.")
    if case.groups:
        said.append(
            "The groups share no record, so that what a person loses is not added up over them: "
            f"the {kind} is that of one group in which all records are that differ."
        )
    if more > 1 and case.contributions > 1 and case.published == "table":
        said.append(
            f"If you have left out only what one person has beyond {case.of_one:,} records in all, "
            f"wherever they fall, then what OpenDP prints is right, and the Δf above is too small."
        )
    said.append(parts.lost)
    # No line break of a unit or a name ends a comment, and nothing in it is
    # hidden.
    shown = "".join(
        sign if sign.isprintable() else " " for sign in " ".join(said)
    )
    return [f"# {line}" for line in wrap(" ".join(shown.split()), 94)]


def _table(case: Case, records: int) -> _Parts:
    """Count the records of each cell."""
    norm = "L2" if case.mechanism == "Gaussian" else "L1"
    kind = "dp.i64" if case.mechanism == "geometric" else "float"
    cells = f"categories=list(range({case.cells})), null_category=False"
    return _Parts(
        "[0, 0, 0]  # put yours here: the cell of each record, a whole number from 0",
        "dp.vector_domain(dp.atom_domain(T=int))",
        f"dp.t.then_count_by_categories({cells}, MO=dp.{norm}Distance[{kind}], TOA={kind})",
        records,
    )


def _number(case: Case, records: int) -> _Parts:
    """Count, or add values that are clipped, or take their mean."""
    whole, mean = case.mechanism == "geometric", case.published == "mean"
    # Whoever is replaced by somebody of another group changes how many a sum
    # of groups adds.
    sized = case.neighbours == "replace" and (mean or not case.groups)
    if case.published == "count" and not sized:
        data = "[1, 1, 1]  # put yours here: one entry for each record that has the property"
        domain, kind = (
            "dp.vector_domain(dp.atom_domain(T=int))",
            "dp.i64" if whole else "float",
        )
        return _Parts(data, domain, f"dp.t.then_count(TO={kind})", records)
    low, high = (0.0, 1.0) if case.published == "count" else case.ends
    first, last = (int(low), int(high)) if whole else (low, high)
    what = (
        "1 or 0 for each record"
        if case.published == "count"
        else "the value of each record"
    )
    # Replacing a record keeps the number of records, so that it need not be
    # public.
    size = (
        f", size={case.n if mean and not case.groups else 'len(data)'}"
        if sized
        else ""
    )
    one = max(abs(low), abs(high), 0.0 if whole else high - low)
    farthest = records // 2 * (high - low) if sized else records * one
    lost = (
        f"Of more than {2**20:,} values OpenDP adds so many, drawn at random."
    )
    example = f"[{last!r}] * {min(case.n or 1, _EXAMPLES) if mean else 3}"
    if case.groups:
        example, what = f"[{example}] * {case.groups}", f"of each group {what}"
    return _Parts(
        f"{example}  # put yours here: {what}",
        f"dp.vector_domain(dp.atom_domain({'T=dp.i64' if whole else 'T=float, nan=False'}){size})",
        f"dp.t.then_clamp(({first!r}, {last!r})) >> dp.t.then_{'mean' if mean else 'sum'}()",
        farthest / (case.n or 1) if mean else farthest,
        lost="" if sized or whole else lost,
    )
