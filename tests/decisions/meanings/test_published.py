"""The ε of deployments, and the card of their table."""

from pathlib import Path

import pytest

import dpwidgets
from dpwidgets.calculators import loss
from dpwidgets.decisions import meanings

DATA = Path(dpwidgets.__file__).parent / "data"
CARD = (DATA / "README.md").read_text(encoding="utf-8")


COME, OTHER = "add/remove", "replace"
#: Some entries, taken from the registry apart from the table.
FIGURES = {
    "broadband_coverage": (0.2, 0, None, "user", "one release", COME, "central"),
    "telemetry_collection_windows": (1.672, 0, None, "user", "a quarter of a day", "", "local"),
    "google_mobility": (2.64, 0, None, "user", "a day", COME, "central"),
    "linkedin_hiring_reports": (4.8, 4e-10, None, "event", "a month", "", "central"),
    "census_redistricting_data": (
        17.14, 1e-10, 2.56, "person", "one release", OTHER, "central",
    ),
}  # fmt: skip


def test_every_figure_is_one_of_the_registry():
    listed = {
        one.entry.removesuffix(".yaml"): one for one in meanings.deployments()
    }
    found = {
        name: (
            *(one.epsilon, one.delta, one.rho),
            *(one.unit, one.period, one.neighbours, one.model),
        )
        for name, one in listed.items()
    }
    assert len(found) == 19
    assert found | FIGURES == found
    every = [one.neighbours for one in listed.values()]
    assert [every.count(which) for which in (COME, OTHER, "")] == [5, 4, 10]


def test_what_is_said_of_each_deployment_holds_together():
    listed = meanings.deployments()
    for one in listed:
        # What is published follows from it, by some formula.
        if one.rho is not None:
            follows = loss.epsilon_of_rho(one.rho, one.delta)
            near = 0 if one.computed else 0.1
            assert one.epsilon == pytest.approx(follows, rel=near)
        assert 2014 <= one.year <= 2026
        assert one.source.startswith("https://")
        assert one.name
    epsilons = [one.epsilon for one in listed]
    assert epsilons == sorted(epsilons)
    assert "do not compare" in meanings.CAUTION


def test_the_data_card_says_where_a_table_is_from_and_what_its_columns_are():
    for table, words in (
        ("adult_marginals.csv", ["10.24432/C5XW20", "CC BY 4.0", "48,842"]),
        (
            "published_epsilons.csv",
            ["deployments-registry-data", "3e9c812a924cf01d", "MIT"],
        ),
    ):
        header, *rows = (DATA / table).read_text(encoding="utf-8").splitlines()
        assert len({*rows}) == len(rows)
        for said in (
            table,
            *words,
            "do not compare",
            *(f"`{name}`" for name in header.split(",")),
        ):
            assert said in CARD
