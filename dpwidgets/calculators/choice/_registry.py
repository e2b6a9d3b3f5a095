"""An entry for the Differential Privacy Deployments Registry: written of a record, and read.

The registry is at https://registry.opendp.org. Its entries are YAML, and fall into sections whose
names stand below; the first two of its three tiers are about what is published and how strongly it
is protected, the third asks for reasons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple, TypeAlias

from dpwidgets.calculators.case import ALL, Case, Limits
from dpwidgets.inputs.notation import parse, show
from dpwidgets.inputs.outside import described

#: What people must have said for an entry.
NEEDED = ("about", "use", "region", "curator", "names", "date")
#: Where the registry has what people say, and which of it as a list.
_PLACES = {
    "about": "basic.name",
    "curator": "basic.data_curators",
    "use": "basic.intended_use",
    "region": "basic.data_product_region",
    "date": "basic.publication_date",
    "whom": "dp_variant.data_domain",
    "unprotected": "dp_variant.unprotected_quantities",
    "trusted": "deployment_model.actors",
    "processing": "accounting.post_processing",
    "reasons": "implementation.justification",
    "names": "administrative.registry_authors",
}
_LISTED = ("curator", "names")
#: How mechanisms are called in entries: the first that fits.
_CALLED = {
    "geometric": r"geometric|discrete laplace",
    "Laplace": r"(?<!discrete )laplace",
    "Gaussian": r"(?<!discrete )gaussian",
}


#: What is published: of each statistic its name, or nothing, its case, and the scale of its noise.
Releases: TypeAlias = Sequence[tuple[str, Case, float]]


def written(releases: Releases, own: Limits, noise: float, said: Mapping[str, str]) -> str:
    """Write the entry as YAML.

    Parameters
    ----------
    releases : sequence of (str, Case, float)
        What is published.
    own : Limits
        All of it together, without what others have used up.
    noise : float
        What sets its noise.
    said : mapping
        What people said.
    """
    import yaml  # only who writes or reads an entry waits for it

    open_ = [name for name in NEEDED if not said[name].strip()]
    if open_:
        raise ValueError(f"the registry needs what nobody has said yet: {', '.join(open_)}")
    try:
        day = date.fromisoformat(said["date"].strip()).isoformat()
    except ValueError:
        raise ValueError(
            f"date must be written as YYYY-MM-DD for the registry; got {described(said['date'])}"
        ) from None
    slug = re.sub(r"[^a-z0-9]+", "-", f"{said['curator']} {said['about']}".lower()).strip("-")[:60]
    content = {
        "url_slug": slug or "entry",
        "status": "Draft",
        "tier": 2,
        "deployment": _deployment(releases, own, noise, {**said, "date": day}),
    }
    return str(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=88))


def _deployment(
    releases: Releases, own: Limits, noise: float, said: Mapping[str, str]
) -> dict[str, Any]:
    delta, count = own.delta_of(ALL), sum(case.releases for _, case, _ in releases)
    parameters = {"epsilon": _up(own.total(noise))}
    parameters |= {"delta": delta} if delta else {}
    parameters |= {"rho": _up(own.rho(noise))}
    composition = _composition(releases, count, delta)
    mechanisms = [_each(releases, _noise), said["library"]]
    sections: dict[str, dict[str, Any]] = {
        "basic": {
            "description": _each(releases, lambda case, _: case.what),
            "data_product_type": "Summary statistics",
        },
        "dp_variant": {"variant_name": "Approximate DP" if delta else "Pure DP"},
        "privacy_loss": {
            "privacy_unit": "person",
            "privacy_unit_details": _each(releases, lambda case, _: case.step),
            "privacy_parameters": parameters,
        },
        "deployment_model": {
            "model_name": "Central",
            "release_type": "Many releases" if count > 1 else "One release",
            "release_type_details": f"{count:,} releases",
            # Somebody who releases the same statistic again has new data.
            "data_source_type": "Dynamic" if count > 1 else "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {"composition": composition} if composition else {},
        "implementation": {"mechanisms": "\n".join(filter(None, mechanisms))},
        "administrative": {},
    }
    for word, place in _PLACES.items():
        if said[word]:  # what nobody has said stays out, rather than being said to be empty
            section, name = place.split(".")
            sections[section][name] = [said[word]] if word in _LISTED else said[word]
    return sections


def _composition(releases: Releases, count: int, delta: float) -> str:
    """Say how the numbers are counted together."""
    said = _each(releases, _cells)
    if count > 1 and delta:
        said += f" The losses of {count:,} releases are added as independent variables."
    elif count > 1:
        said += f" The ε of {count:,} releases are added."
    return said.strip()


def _each(releases: Releases, say: Callable[[Case, float], str]) -> str:
    """Say something of each statistic, under its name if it has one."""
    said = [(name, say(case, scale)) for name, case, scale in releases]
    return " ".join(f"{name}: {words}" if name else words for name, words in said if words)


def _cells(case: Case, scale: float) -> str:
    cells = f"Of the disjoint cells {case.moved()[1]:,} count for a person."
    return cells if case.published == "table" else ""


def _noise(case: Case, scale: float) -> str:
    return f"{case.mechanism} noise of scale {case.measured(scale, 6)} on each number."


def _up(number: float) -> float:
    """Round up to six digits: what is at most."""
    return float(show(number, 6, up=True))


def read(text: str | bytes) -> tuple[Case, float, dict[str, Any]]:
    """Read the case, its ε and what people said from an entry about a count.

    Raises
    ------
    ValueError
        If it is no YAML, or the entry does not say enough for a case.
    """
    import yaml

    try:
        given = _Entry(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise ValueError(f"an entry of the registry is YAML; this is not: {error}") from None
    if given.one("deployment_model.model_name") != "Central":
        raise ValueError(
            "deployment_model.model_name must be Central, for a case has noise that a curator adds"
        )
    if not re.search(r"\bcounts?\b", given.one("basic.description")):
        raise ValueError("basic.description must be about a count")
    rules = {"replace": r"\breplac", "add/remove": r"\b(add|remov)"}
    kinds = {"One release": "^One", "Many releases": "^Many"}
    releases = 1
    if given.called("deployment_model.release_type", kinds) == "Many releases":
        releases = given.number("deployment_model.release_type_details", r"([\d,]+) releases")
    epsilon, delta, rho = (
        parse(given.one(f"privacy_loss.privacy_parameters.{name}") or "0")
        for name in ("epsilon", "delta", "rho")
    )
    case = Case(
        published="count",
        mechanism=given.called("implementation.mechanisms", _CALLED),
        neighbours=given.called("privacy_loss.privacy_unit_details", rules),
        contributions=given.number(
            "privacy_loss.privacy_unit_details", r"(?:Δf|sensitivity)\D{1,9}?(\d+)\b(?![.,]\d)"
        ),
        releases=releases,
        delta=delta,
    )
    if epsilon <= 0 and rho <= 0:
        raise ValueError("privacy_loss.privacy_parameters must have an epsilon or a rho")
    scale = case.scale_of_total(epsilon, ALL) if epsilon > 0 else case.scale_of_rho(rho, ALL)
    said = {word: given.one(place) for word, place in _PLACES.items()}
    said["library"] = given.one("implementation.mechanisms").partition("\n")[2]
    return case, case.epsilon(scale), said


class _Entry(NamedTuple):
    """An entry of the registry, asked by the names of its fields."""

    content: object

    def one(self, path: str) -> str:
        """Return what stands there as text: a list as one text, and nothing as an empty one."""
        found: Any = self.content
        for name in ("deployment", *path.split(".")):
            found = found.get(name) if isinstance(found, dict) else None
        listed = found if isinstance(found, list) else [found]
        plain = (str, int, float, date)
        return ", ".join(str(one) for one in listed if isinstance(one, plain)).strip()

    def called(self, path: str, names: Mapping[str, str]) -> str:
        """Return the only name of which it speaks."""
        text = self.one(path)
        found = [name for name, sign in names.items() if re.search(sign, text, re.IGNORECASE)]
        if len(found) != 1:
            allowed = " or ".join(names)
            raise ValueError(f"{path} must speak of {allowed}; got {described(text)}")
        return found[0]

    def number(self, path: str, sign: str) -> int:
        """Return a whole number in it."""
        text = self.one(path)
        found = re.search(sign, text)
        if not found:
            raise ValueError(f"{path} must say how large it is; got {described(text)}")
        return int(found[1].replace(",", ""))
