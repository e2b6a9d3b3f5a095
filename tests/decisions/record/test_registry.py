"""Entries for the registry of deployments, against its schema and the noise of which they speak."""

import re
import unicodedata
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from dpwidgets.decisions import plan
from dpwidgets.decisions.case import ALL, Case, stated
from dpwidgets.decisions.record import of_case
from dpwidgets.inputs.notation import up

SAID = {
    "about": "Patients: with diabetes",
    "use": "Planning of clinics",
    "region": "Denmark",
    "curator": "The hospital",
    "names": "Ann # Bob",
    "date": "2026-11-23",
}
MONTHLY = Case(
    published="count", n=2000, unit="patients", releases=12, delta=1e-6
)


#: What the registry's schema (deployments-registry-data, 3e9c812) says of the
#: fields that we write: those of its first two tiers, what else may be there,
#: and which words some of them have.
NEEDED = {
    "basic": "name data_curators intended_use data_product_type data_product_region description "
    "publication_date",
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


#: What is no text.
KINDS = {
    "data_curators": list,
    "registry_authors": list,
    "privacy_parameters": dict,
}
#: In which order the schema has all these fields, and so must an entry
#: (tests/test_ui_hints.py).
ORDER = (
    "url_slug status tier deployment basic name data_curators intended_use data_product_type "
    "data_product_region description publication_date dp_variant variant_name data_domain "
    "unprotected_quantities privacy_loss privacy_unit privacy_unit_details privacy_parameters "
    "epsilon delta rho deployment_model model_name actors release_type release_type_details "
    "data_source_type access_type accounting post_processing implementation mechanisms "
    "justification administrative registry_authors"
)
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


def names_and_texts(value):
    """Yield the names of the fields of an entry, in their order, and all its texts."""
    for name, inside in (
        value.items() if isinstance(value, dict) else enumerate(value)
    ):
        if isinstance(value, dict):
            yield "name", name
        if isinstance(inside, (dict, list)):
            yield from names_and_texts(inside)
        else:
            yield "text", inside


def assert_public_rules_hold(text):
    """Check what the registry asks beyond its schema, as its repository has it.

    What it has no program for, such as whether a page that is named is there,
    is not here.
    """
    read = yaml.safe_load(text)
    found = list(names_and_texts(read))
    places = [
        ORDER.split().index(name) for kind, name in found if kind == "name"
    ]
    assert places == sorted(places)  # tests/test_ui_hints.py
    texts = [one for kind, one in found if kind == "text"]
    # No date: tests/bad_deployments.
    assert {type(one) for one in texts} <= {str, int, float}
    for one in (one for one in texts if isinstance(one, str)):
        # Scripts/check.py, check_latex_escapes.
        assert not re.search(r"\\\\[^()]", one)
    # Scripts/check.py, check_quoting: none is folded.
    for token in yaml.scan(text):
        assert getattr(token, "style", None) in (None, "|", '"', "'")
    # check_name: the file may be called as the slug is.
    assert re.fullmatch("[a-z0-9-]+", read["url_slug"])
    assert text.endswith("\n")
    assert not re.search(r"[ \t]$", text, flags=re.MULTILINE)


def entry(made):
    assert_public_rules_hold(made.registry())
    read = yaml.safe_load(made.registry())
    assert (read["status"], read["tier"]) == ("Draft", 2)
    sections = read["deployment"]
    assert sections.keys() >= NEEDED.keys()
    for section, fields in sections.items():
        needed = set(NEEDED.get(section, "").split())
        assert (
            needed
            <= fields.keys()
            <= needed | set(MORE.get(section, "").split())
        )
        for name, value in fields.items():
            assert value
            assert isinstance(value, KINDS.get(name, str))
            assert value in WORDS.get(name, (value,))
    parameters = sections["privacy_loss"]["privacy_parameters"]
    assert {"epsilon"} <= parameters.keys() <= {"epsilon", "delta", "rho"}
    assert min(parameters.values()) > 0
    return sections


@settings(max_examples=max(1, settings().max_examples // 4))
@given(
    st.sampled_from(["Laplace", "geometric", "Gaussian"]), st.integers(1, 30),
    st.sampled_from([0.0, 1e-6]), st.floats(0.01, 900), TEXT,
)  # fmt: skip
def test_an_entry_has_what_the_second_tier_asks_for(
    mechanism, releases, delta, epsilon, words
):
    delta = 1e-6 if mechanism == "Gaussian" else delta
    case = Case(
        published="count", mechanism=mechanism, releases=releases, delta=delta
    )
    everything = dict.fromkeys(
        ("unprotected", "processing", "trusted", "library"), words
    )
    made = entry(of_case(case, [], epsilon, **SAID, **everything))
    others = replace(case, used=3)  # is not in the entry
    assert entry(of_case(others, [], epsilon, **SAID, **everything)) == made
    parameters = made["privacy_loss"]["privacy_parameters"]
    scale = case.scale(epsilon)
    for name, number in (
        ("epsilon", stated(case, scale, ALL)[0]),
        ("rho", case.rho(scale)),
    ):
        assert number * (1 - 1e-8) <= parameters[name] <= number * (1 + 1e-4)
    # Where δ saves nothing that three digits show, there is none.
    pure = up(releases * epsilon) == up(case.total(scale))
    delta = case.delta_of(ALL)
    if mechanism != "Gaussian" and pure:
        delta = 0
    assert parameters.get("delta", 0) == delta
    assert made["basic"]["data_curators"] == ["The hospital"]
    assert (
        made["dp_variant"]["variant_name"] == WORDS["variant_name"][delta > 0]
    )
    assert made["deployment_model"]["release_type"].startswith(
        "Many" if releases > 1 else "One"
    )
    # Every line break of Unicode is one of YAML.
    lines = "\n".join(words.splitlines())
    shown = "".join(
        " " if unicodedata.category(one) == "Cc" else one for one in lines
    )
    found = made["dp_variant"].get("unprotected_quantities", "")
    assert found.replace("\n", " ") == shown
    assert len(found.split("\n")) == max(len(words.splitlines()), 1)
    said = made["implementation"]["mechanisms"]
    written = float(
        re.match(rf"{mechanism} noise of scale ([\d.e-]+)", said)[1]
    )
    assert scale * (1 - 1e-8) <= written <= scale * (1 + 1e-4)


def test_the_entry_of_a_plan_has_the_loss_of_all():
    decision = plan.decide(
        "beds: published=table, cells=9, error=3, neighbours=replace, releases=4\n"
        "stay: published=mean, n=900, low=0, high=30, error=0.2, mechanism=Gaussian, delta=1e-6",
        delta=1e-6,
        total=4,
        used=1,
    )
    read = entry(decision.record(**SAID))
    alone = plan.Plan(statistics=decision.plan.statistics, delta=1e-6).total(
        decision.factor
    )
    assert (
        alone
        <= read["privacy_loss"]["privacy_parameters"]["epsilon"]
        <= alone * (1 + 1e-5)
    )
    assert "beds: 4 tables of 9 counts" in read["basic"]["description"]
    assert (
        "stay: Gaussian noise of scale" in read["implementation"]["mechanisms"]
    )


THREE = "\n".join(f"{name}: published=count, error=3" for name in "abc")


@pytest.mark.parametrize(
    ("lines", "kind", "source", "details"),
    [
        (THREE, "One release", "Static", "b: 1 release;"),
        (
            THREE.replace("b:", "b: releases=4,"),
            "Many releases",
            "Dynamic",
            "a: 1 release; b: 4 releases; c: 1 release.",
        ),
    ],
)
def test_releases_are_counted_for_each_statistic(lines, kind, source, details):
    """Three statistics that are published once are one release."""
    read = entry(plan.decide(lines).record(**SAID))["deployment_model"]
    assert (read["release_type"], read["data_source_type"]) == (kind, source)
    assert details in read["release_type_details"]


ALIKE = (  # to a slug of small letters, or nearly
    "C", "C#", "C++", "患者数", "出生数", "المرضى", "пациенты", "नमस्ते", "éléments", "elements",
    "👩", "👨", "x" * 200, "x" * 201, "a:b", "a b", "a\u2028b c", "ﬁ", "İ", "ß", "  ",
)  # fmt: skip


def slug(about, **words):
    made = of_case(MONTHLY, [], 0.1, **SAID | {"about": about} | words)
    entry(made)
    return yaml.safe_load(made.registry())["url_slug"]


def test_names_of_every_alphabet_have_slugs_of_their_own():
    named = [one for one in ALIKE if one.strip()]
    assert len({slug(one) for one in named}) == len(named)
    # Name, curator and year, as theirs.
    assert slug("Bed days") == "bed-days-the-hospital-2026"
    assert slug("Bed days", date="2027-01-01") == "bed-days-the-hospital-2027"
    # The same word, written in two ways.
    assert slug("éléments") == slug("e\u0301le\u0301ments")
    assert slug("数", curator="院") != slug("院", curator="数")


def test_an_entry_says_what_n_leaves_to_hide_and_keeps_formulas():
    said = SAID | {"library": r"\\(\epsilon\\) and C:\beds"}
    made = entry(of_case(MONTHLY, [], 0.1, **said))
    assert said["library"] in made["implementation"]["mechanisms"]
    (warning,) = MONTHLY.public_n
    assert warning in made["privacy_loss"]["privacy_unit_details"]
