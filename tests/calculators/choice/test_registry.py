"""Entries for the registry of deployments: what they hold, and the case that is read of one."""

from dataclasses import replace

import jsonschema
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from dpwidgets.calculators import plan
from dpwidgets.calculators.case import ALL, Case
from dpwidgets.calculators.choice import BudgetGoal, Record, record, risk_goal

SAID = {
    "about": "Patients: with diabetes",
    "use": "Planning of clinics",
    "region": "Denmark",
    "curator": "The hospital",
    "names": "Ann # Bob",
    "date": "2026-11-23",
}
MONTHLY = Case(published="count", n=2000, unit="patients", releases=12, delta=1e-6)


def section(required=(), **properties):
    """A section as the registry has it: these fields, and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


WORDS, NUMBER = {"type": "string", "minLength": 1}, {"type": "number", "exclusiveMinimum": 0}
LIST = {"type": "array", "items": WORDS, "minItems": 1}
BASIC = ("name", "description", "intended_use", "data_product_region", "publication_date")
#: What the registry's schema (deployments-registry-data, 3e9c812) says of the fields that we write;
#: those of its first two tiers are required here.
SCHEMA = section(
    ("url_slug", "status", "tier", "deployment"),
    url_slug={"type": "string", "pattern": "^[a-z0-9-]+$"},
    status={"const": "Draft"},
    tier={"const": 2},
    deployment=section(
        ("basic", "dp_variant", "privacy_loss", "deployment_model", "administrative"),
        basic=section(
            (*BASIC, "data_curators", "data_product_type"),
            **dict.fromkeys(BASIC, WORDS),
            data_curators=LIST,
            data_product_type={"const": "Summary statistics"},
        ),
        dp_variant=section(
            ("variant_name",),
            variant_name={"enum": ["Pure DP", "Approximate DP"]},
            data_domain=WORDS,
            unprotected_quantities=WORDS,
        ),
        privacy_loss=section(
            ("privacy_unit", "privacy_unit_details", "privacy_parameters"),
            privacy_unit=WORDS,
            privacy_unit_details=WORDS,
            privacy_parameters=section(("epsilon",), epsilon=NUMBER, delta=NUMBER, rho=NUMBER),
        ),
        deployment_model=section(
            ("model_name", "release_type", "data_source_type", "access_type"),
            model_name={"const": "Central"},
            actors=WORDS,
            release_type={"enum": ["One release", "Many releases"]},
            release_type_details=WORDS,
            data_source_type={"enum": ["Static", "Dynamic"]},
            access_type={"const": "Non-interactive"},
        ),
        accounting=section(post_processing=WORDS, composition=WORDS),
        implementation=section(mechanisms=WORDS, justification=WORDS),
        administrative=section(("registry_authors",), registry_authors=LIST),
    ),
)


def entry(made):
    read = yaml.safe_load(made.registry())
    jsonschema.validate(read, SCHEMA)
    return read["deployment"]


def test_an_entry_has_what_the_second_tier_asks_for():
    open_ = entry(record(MONTHLY, [BudgetGoal(2)], 0.1, **SAID))
    assert open_["basic"]["data_curators"] == ["The hospital"]
    assert open_["privacy_loss"]["privacy_parameters"].keys() == {"epsilon", "delta", "rho"}
    everything = {name: f"{name}: said" for name in ("unprotected", "processing", "trusted")}
    full = entry(record(replace(MONTHLY, delta=0), [], 0.1, **SAID, **everything, library="OpenDP"))
    assert full["privacy_loss"]["privacy_parameters"]["epsilon"] == pytest.approx(1.2)
    assert "delta" not in full["privacy_loss"]["privacy_parameters"]
    assert full["dp_variant"]["unprotected_quantities"] == "unprotected: said"
    assert full["implementation"]["mechanisms"].endswith("OpenDP")


def test_what_others_have_used_up_is_not_in_the_entry():
    alone = record(MONTHLY, [], 0.1, **SAID)
    others = record(replace(MONTHLY, used=3, used_delta=1e-7), [], 0.1, **SAID)
    assert others.registry() == alone.registry()


def test_the_entry_of_a_plan_has_the_loss_of_all():
    decision = plan.decide(
        "beds: published=table, cells=9, error=3, neighbours=replace, releases=4\n"
        "stay: published=mean, n=900, low=0, high=30, error=0.2, mechanism=Gaussian, delta=1e-6",
        delta=1e-6,
        total=4,
        used=1,
    )
    read = entry(decision.record(**SAID))
    alone = plan.Plan(statistics=decision.plan.statistics, delta=1e-6)
    parameters = read["privacy_loss"]["privacy_parameters"]
    assert parameters["epsilon"] == pytest.approx(alone.total(decision.factor), rel=1e-5)
    assert parameters["epsilon"] >= alone.total(decision.factor)
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


@given(
    st.sampled_from(["Laplace", "geometric", "Gaussian"]),
    st.sampled_from(["add/remove", "replace"]),
    st.integers(1, 5),
    st.integers(1, 30),
    st.floats(0.01, 3),
    st.text(max_size=30),
)
@settings(max_examples=settings().max_examples // 4)
def test_a_count_comes_back_from_its_entry(mechanism, neighbours, each, releases, epsilon, words):
    case = Case(
        published="count",
        mechanism=mechanism,
        neighbours=neighbours,
        contributions=each,
        releases=releases,
        delta=1e-6,
    )
    made = record(case, [], epsilon, **SAID | {"library": words.strip() or "none"})
    entry(made)
    back = Record.from_registry(made.registry())
    assert back.case == (case if case.delta_of(ALL) else replace(case, delta=0))
    assert back.epsilon == pytest.approx(epsilon, rel=1e-4)
    assert {name: back.said[name] for name in SAID} == SAID


OTHERS = """
deployment:
  basic: {name: Visitors, description: A noisy count of visitors}
  privacy_loss:
    privacy_unit_details: A person is added or removed; the sensitivity is 2
    privacy_parameters: {rho: 0.02, delta: "1e-6"}
  deployment_model: {model_name: Central, release_type: One release}
  implementation: {mechanisms: We add Gaussian noise}
"""


def test_an_entry_of_others_becomes_a_case_where_it_says_enough():
    made = Record.from_registry(OTHERS)
    assert made.case == Case(published="count", mechanism="Gaussian", contributions=2, delta=1e-6)
    scale = made.case.scale(made.epsilon)
    assert scale == pytest.approx(2 / (2 * 0.02) ** 0.5)
    assert made.about == "Visitors"


@pytest.mark.parametrize(
    ("written", "instead", "message"),
    [
        ("Central", "Local", "model_name must be Central"),
        ("count", "model", "basic.description must be about a count"),
        ("Gaussian", "some", "mechanisms must speak of geometric or Laplace or Gaussian; got"),
        ("Gaussian", "Laplace and Gaussian", "mechanisms must speak of"),
        ("added or removed", "protected", "privacy_unit_details must speak of replace or"),
        ("2\n", "small\n", "privacy_unit_details must say how large it is"),
        ("2\n", "2.5\n", "privacy_unit_details must say how large it is"),
        ("One release", "Many releases", "release_type_details must say how large it is"),
        ("rho: 0.02, ", "", "must have an epsilon or a rho"),
        ("rho: 0.02", "rho: much", "“much” is not a number"),
        ("rho: 0.02", "epsilon: -1", "must have an epsilon or a rho"),
        ('"1e-6"', "0", "delta must be above 0 for Gaussian noise"),
        ("basic: {", "basic: [", "an entry of the registry is YAML; this is not"),
        (OTHERS, "3", "model_name must be Central"),
    ],
)
def test_what_says_too_little_is_refused(written, instead, message):
    with pytest.raises(ValueError, match=message):
        Record.from_registry(OTHERS.replace(written, instead))
