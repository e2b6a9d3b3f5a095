"""Entries for the registry of deployments, against its schema and the noise of which they speak."""

import re
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from dpwidgets.calculators import plan
from dpwidgets.calculators.case import ALL, Case
from dpwidgets.calculators.choice import record, risk_goal

SAID = {
    "about": "Patients: with diabetes",
    "use": "Planning of clinics",
    "region": "Denmark",
    "curator": "The hospital",
    "names": "Ann # Bob",
    "date": "2026-11-23",
}
MONTHLY = Case(published="count", n=2000, unit="patients", releases=12, delta=1e-6)


#: What the registry's schema (deployments-registry-data, 3e9c812) says of the fields that we write:
#: those of its first two tiers, what else may be there, and which words some of them have.
NEEDED = {
    "basic": "name description intended_use data_product_region publication_date data_curators "
    "data_product_type",
    "dp_variant": "variant_name",
    "privacy_loss": "privacy_unit privacy_unit_details privacy_parameters",
    "deployment_model": "model_name release_type data_source_type access_type",
    "administrative": "registry_authors",
}
MORE = {
    "dp_variant": "data_domain unprotected_quantities",
    "deployment_model": "actors release_type_details",
    "accounting": "post_processing",
    "implementation": "mechanisms justification",
}
WORDS = {
    "data_product_type": ("Summary statistics",),
    "variant_name": ("Pure DP", "Approximate DP"),
    "model_name": ("Central",),
    "release_type": ("One release", "Many releases"),
    "data_source_type": ("Static", "Dynamic"),
    "access_type": ("Non-interactive",),
}


# YAML folds the other line breaks of Unicode into spaces.
PRINTABLE = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))


def entry(made):
    read = yaml.safe_load(made.registry())
    assert re.fullmatch("[a-z0-9-]+", read["url_slug"])
    assert (read["status"], read["tier"]) == ("Draft", 2)
    sections = read["deployment"]
    assert sections.keys() >= NEEDED.keys()
    for section, fields in sections.items():
        needed = set(NEEDED.get(section, "").split())
        assert needed <= fields.keys() <= needed | set(MORE.get(section, "").split())
        for name, value in fields.items():
            assert value
            several = name in ("data_curators", "registry_authors")
            kind = dict if name == "privacy_parameters" else list if several else str
            assert isinstance(value, kind)
            assert value in WORDS.get(name, (value,))
    parameters = sections["privacy_loss"]["privacy_parameters"]
    assert {"epsilon"} <= parameters.keys() <= {"epsilon", "delta", "rho"}
    assert min(parameters.values()) > 0
    return sections


@settings(max_examples=max(1, settings().max_examples // 4))
@given(
    st.sampled_from(["Laplace", "geometric", "Gaussian"]), st.integers(1, 30),
    st.sampled_from([0.0, 1e-6]), st.floats(0.01, 900), st.text(PRINTABLE, max_size=30),
)  # fmt: skip
def test_an_entry_has_what_the_second_tier_asks_for(mechanism, releases, delta, epsilon, words):
    delta = 1e-6 if mechanism == "Gaussian" else delta
    case = Case(published="count", mechanism=mechanism, releases=releases, delta=delta)
    everything = dict.fromkeys(("unprotected", "processing", "trusted", "library"), words)
    made = entry(record(case, [], epsilon, **SAID, **everything))
    others = replace(case, used=3, used_delta=1e-7)  # is not in the entry
    assert entry(record(others, [], epsilon, **SAID, **everything)) == made
    parameters = made["privacy_loss"]["privacy_parameters"]
    scale = case.scale(epsilon)
    for name, number in (("epsilon", case.total(scale)), ("rho", case.rho(scale))):
        assert number * (1 - 1e-8) <= parameters[name] <= number * (1 + 1e-4)
    assert parameters.get("delta", 0) == case.delta_of(ALL)
    assert made["basic"]["data_curators"] == ["The hospital"]
    assert made["dp_variant"]["variant_name"] == WORDS["variant_name"][case.delta_of(ALL) > 0]
    assert made["deployment_model"]["release_type"].startswith("Many" if releases > 1 else "One")
    assert made["dp_variant"].get("unprotected_quantities", "") == words
    assert made["implementation"]["mechanisms"].startswith(f"{mechanism} noise of scale")


def test_the_entry_of_a_plan_has_the_loss_of_all():
    decision = plan.decide(
        "beds: published=table, cells=9, error=3, neighbours=replace, releases=4\n"
        "stay: published=mean, n=900, low=0, high=30, error=0.2, mechanism=Gaussian, delta=1e-6",
        delta=1e-6,
        total=4,
        used=1,
    )
    read = entry(decision.record(**SAID))
    alone = plan.Plan(statistics=decision.plan.statistics, delta=1e-6).total(decision.factor)
    assert alone <= read["privacy_loss"]["privacy_parameters"]["epsilon"] <= alone * (1 + 1e-5)
    assert "beds: 4 tables of 9 counts" in read["basic"]["description"]
    assert "stay: Gaussian noise of scale" in read["implementation"]["mechanisms"]


def test_an_entry_waits_for_people():
    for missing in SAID:
        with pytest.raises(ValueError, match=f"the registry needs .*: {missing}"):
            record(MONTHLY, [], 0.1, **SAID | {missing: " "}).registry()
    with pytest.raises(ValueError, match=r"date must be written as YYYY-MM-DD .*; got '1 May'"):
        record(MONTHLY, [], 0.1, **SAID | {"date": "1 May"}).registry()
    column = Case(published="count", n=4, prior=0.2)
    for made in (
        record(MONTHLY, [], None, **SAID),
        record(column, [risk_goal(column, [0, 1, 1, 1], 0.5)], 0.1, **SAID),
        plan.Record(plan=plan.decide("a: published=count, error=3").plan, factor=None, **SAID),
    ):
        with pytest.raises(ValueError, match="an entry of the registry needs an ε"):
            made.registry()
