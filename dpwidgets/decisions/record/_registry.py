"""An entry for the Differential Privacy Deployments Registry.

The registry is at https://registry.opendp.org. Its entries are YAML, and fall
into sections whose names stand below; the first two of its three tiers are
about what is published and how strongly it is protected, the third asks for
reasons.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from unicodedata import combining, normalize

from dpwidgets.decisions.case import ALL, Limits, stated
from dpwidgets.decisions.record._facts import facts
from dpwidgets.inputs.notation import ROUNDING, rounded
from dpwidgets.inputs.outside import described, quoted

_Facts = Mapping[str, Sequence[str]]
_Sections = dict[str, dict[str, object]]
_LONGEST_SLUG = 80
#: Signs that control how a text is shown: Unicode's Cc.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
#: What people must have said for an entry.
NEEDED = ("about", "use", "region", "curator", "names", "date")


def entry(together: Limits, noise: float, words: Mapping[str, str]) -> str:
    """Write the entry as YAML, in the part of it that is JSON, too.

    Parameters
    ----------
    together : Limits
        What is published. What others have used up is not in the entry.
    noise : float
        What sets its noise.
    words : mapping
        What people said.

    Returns
    -------
    str
        The entry.

    Raises
    ------
    ValueError
        If people have not said what is `NEEDED`, or not as the registry reads
        it.
    """
    unsaid = [name for name in NEEDED if not _read(words[name]).strip()]
    if unsaid:
        raise ValueError(
            f"the registry needs what nobody has said yet: {', '.join(unsaid)}"
        )
    day = _day(words["date"])
    alone = together.alone()
    of = facts(alone, noise)
    sections = {
        **_purpose(of, words, day),
        **_guarantee(alone, noise, of, words),
        **_making(alone, of, words),
    }
    deployment = {
        title: _without_empty(section) for title, section in sections.items()
    }
    content = {
        "url_slug": _slug(f"{words['about']} {words['curator']} {day.year}"),
        "status": "Draft",
        "tier": 2,
        "deployment": _without_empty(deployment),
    }
    text = json.dumps(_read(content), ensure_ascii=False, indent=2)
    # Many a reader of YAML takes a number such as 1e-06 for a text, and
    # 1.0e-06 for the number.
    whole = re.compile(r"^( *\"\w+\": \d)(e-\d+,?)$", flags=re.MULTILINE)
    return whole.sub(r"\1.0\2", text) + "\n"


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        wanted = "date must be written as YYYY-MM-DD for the registry"
        raise ValueError(f"{wanted}; got {described(text)}") from None


def _slug(text: str) -> str:
    """Return a name for an address, which no other text has: what it cannot say is summed up."""
    words = " ".join(normalize("NFKC", text).casefold().split())
    letters = normalize("NFKD", words)
    letters = "".join(sign for sign in letters if not combining(sign))
    slug = re.sub("[^a-z0-9]+", "-", letters).strip("-")[:_LONGEST_SLUG]
    if slug.replace("-", " ") != words:
        slug += f"-{hashlib.sha256(words.encode()).hexdigest()[:8]}"
    return slug


def _read(value: Any) -> Any:
    """Return what the registry reads of it: line breaks are YAML’s, and nothing else is hidden."""
    if isinstance(value, dict):
        return {name: _read(part) for name, part in value.items()}
    if isinstance(value, list):
        return list(map(_read, value))
    if not isinstance(value, str):
        return value
    if re.search(r"\\\\[^()]", value):
        formula = "two backslashes for the beginning of a formula"
        raise ValueError(f"the registry takes {formula}; got {quoted(value)}")
    return "\n".join(_CONTROLS.sub(" ", line) for line in value.splitlines())


def _purpose(of: _Facts, words: Mapping[str, str], day: date) -> _Sections:
    """Return what is published, by whom, when, and for what: in the order of the schema."""
    basic: dict[str, object] = {
        "name": words["about"],
        "data_curators": [words["curator"]],
        "intended_use": words["use"],
        "data_product_type": "Summary statistics",
        "data_product_region": words["region"],
        "description": " ".join(of["what"]),
        "publication_date": day.isoformat(),
    }
    return {"basic": basic}


def _guarantee(
    alone: Limits, noise: float, of: _Facts, words: Mapping[str, str]
) -> _Sections:
    """Return whom the noise protects, and how strongly."""
    unit = list(of["unit"])
    for case in alone.cases:
        unit += case.public_n
    epsilon, delta = stated(alone, noise, ALL)
    parameters = {"epsilon": epsilon, "delta": delta, "rho": alone.rho(noise)}
    at_most = {}
    for letter, number in parameters.items():
        if number:
            number *= 1 - ROUNDING
            at_most[letter] = rounded(number, 6, up=True)
    return {
        "dp_variant": {
            "variant_name": "Approximate DP" if delta else "Pure DP",
            "data_domain": words["whom"],
            "unprotected_quantities": words["unprotected"],
        },
        "privacy_loss": {
            "privacy_unit": "person",
            "privacy_unit_details": " ".join(dict.fromkeys(unit)),
            "privacy_parameters": at_most,
        },
    }


def _making(alone: Limits, of: _Facts, words: Mapping[str, str]) -> _Sections:
    """Return how it is released, with what noise, and why so."""
    again = any(case.releases > 1 for case in alone.cases)
    mechanisms = (
        f"{'; '.join(of['noise'])} on each number.\n{words['library']}"
    )
    return {
        "deployment_model": {
            "model_name": "Central",
            "actors": words["trusted"],
            "release_type": "Many releases" if again else "One release",
            "release_type_details": f"{'; '.join(of['releases'])}.",
            # Somebody who releases the same statistic again has new data.
            "data_source_type": "Dynamic" if again else "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {"post_processing": words["processing"]},
        "implementation": {
            "mechanisms": mechanisms.strip(),
            "justification": words["reasons"],
        },
        "administrative": {"registry_authors": [words["names"]]},
    }


def _without_empty(section: Mapping[str, object]) -> dict[str, object]:
    """Leave out what nobody has said, rather than saying that it is empty."""
    return {name: value for name, value in section.items() if value}
