"""An entry for the Differential Privacy Deployments Registry, written of a record.

The registry is at https://registry.opendp.org. Its entries are YAML, and fall into sections whose
names stand below; the first two of its three tiers are about what is published and how strongly it
is protected, the third asks for reasons.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeAlias

from dpwidgets.calculators.case import ALL, Case, Limits
from dpwidgets.inputs.notation import ROUNDING, rounded
from dpwidgets.inputs.outside import described

#: What people must have said for an entry.
NEEDED = ("about", "use", "region", "curator", "names", "date")
#: What is published: of each statistic its name, or nothing, its case, and the scale of its noise.
Releases: TypeAlias = Sequence[tuple[str, Case, float]]


def entry(releases: Releases, together: Limits, noise: float, said: Mapping[str, str]) -> str:
    """Write the entry as YAML.

    Parameters
    ----------
    releases : sequence of (str, Case, float)
        What is published.
    together : Limits
        All of it together. What others have used up is not in the entry.
    noise : float
        What sets its noise.
    said : mapping
        What people said.
    """
    import yaml  # only who writes an entry waits for it

    open_ = [name for name in NEEDED if not said[name].strip()]
    if open_:
        raise ValueError(f"the registry needs what nobody has said yet: {', '.join(open_)}")
    try:
        day = date.fromisoformat(said["date"].strip()).isoformat()
    except ValueError:
        wanted = "date must be written as YYYY-MM-DD for the registry"
        raise ValueError(f"{wanted}; got {described(said['date'])}") from None
    own = replace(together, used=0.0, used_delta=0.0)
    delta, count = own.delta_of(ALL), sum(case.releases for _, case, _ in releases)
    parameters = {"epsilon": own.total(noise), "delta": delta, "rho": own.rho(noise)}
    named = [(f"{name}: " if name else "", case, scale) for name, case, scale in releases]
    noises = [
        f"{name}{case.mechanism} noise of scale {case.measured(scale, 6)} on each number."
        for name, case, scale in named
    ]
    sections: dict[str, dict[str, object]] = {
        "basic": {
            "name": said["about"],
            "description": " ".join(f"{name}{case.what}" for name, case, _ in named),
            "data_curators": [said["curator"]],
            "data_product_type": "Summary statistics",
            "intended_use": said["use"],
            "data_product_region": said["region"],
            "publication_date": day,
        },
        "dp_variant": {
            "variant_name": "Approximate DP" if delta else "Pure DP",
            "data_domain": said["whom"],
            "unprotected_quantities": said["unprotected"],
        },
        "privacy_loss": {
            "privacy_unit": "person",
            "privacy_unit_details": " ".join(f"{name}{case.step}" for name, case, _ in named),
            "privacy_parameters": {
                name: rounded(number * (1 - ROUNDING), 6, up=True)  # what is at most
                for name, number in parameters.items()
                if number
            },
        },
        "deployment_model": {
            "model_name": "Central",
            "actors": said["trusted"],
            "release_type": "Many releases" if count > 1 else "One release",
            "release_type_details": f"{count:,} releases",
            # Somebody who releases the same statistic again has new data.
            "data_source_type": "Dynamic" if count > 1 else "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {"post_processing": said["processing"]},
        "implementation": {
            "mechanisms": "\n".join([" ".join(noises), said["library"]]).strip(),
            "justification": said["reasons"],
        },
        "administrative": {"registry_authors": [said["names"]]},
    }
    slug = re.sub(r"[^a-z0-9]+", "-", f"{said['curator']} {said['about']}".lower()).strip("-")[:60]
    content = {
        "url_slug": slug or "entry",
        "status": "Draft",
        "tier": 2,
        "deployment": _filled({name: _filled(section) for name, section in sections.items()}),
    }
    return str(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=88))


def _filled(section: Mapping[str, object]) -> dict[str, object]:
    """Leave out what nobody has said, rather than saying that it is empty."""
    return {name: value for name, value in section.items() if value}
