"""The ε of deployments, and the card of their table."""

from pathlib import Path

import pytest

import dpwidgets
from dpwidgets.calculators import loss
from dpwidgets.decisions import meanings

DATA = Path(dpwidgets.__file__).parent / "data"
CARD = (DATA / "README.md").read_text(encoding="utf-8")


def test_every_figure_is_one_of_the_registry():
    """Some of them, taken from it apart from the table, and what holds for all."""
    listed = meanings.deployments()
    names = [one.entry.removesuffix(".yaml") for one in listed]
    assert len({*names}) == 19
    come, other = "add/remove", "replace"
    for name, figures, words in (
        (
            "broadband_coverage",
            (0.2, 0, None),
            ("user", "one release", come, "central"),
        ),
        (
            "telemetry_collection_windows",
            (1.672, 0, None),
            ("user", "a quarter of a day", "", "local"),
        ),
        (
            "google_mobility",
            (2.64, 0, None),
            ("user", "a day", come, "central"),
        ),
        (
            "linkedin_hiring_reports",
            (4.8, 4e-10, None),
            ("event", "a month", "", "central"),
        ),
        (
            "census_redistricting_data",
            (17.14, 1e-10, 2.56),
            ("person", "one release", other, "central"),
        ),
    ):
        one = listed[names.index(name)]
        assert (one.epsilon, one.delta, one.rho) == figures
        assert (one.unit, one.period, one.neighbours, one.model) == words
    told = [one.neighbours for one in listed]
    assert [told.count(which) for which in (come, other, "")] == [5, 4, 10]
    for one in listed:
        # What is published follows from it, by some formula.
        if one.rho is not None:
            follows = loss.epsilon_of_rho(one.rho, one.delta)
            assert one.epsilon == (
                follows if one.computed else pytest.approx(follows, rel=0.1)
            )
        assert 2014 <= one.year <= 2026
        assert one.source.startswith("https://")
        assert one.name
    assert [one.epsilon for one in listed] == sorted(
        one.epsilon for one in listed
    )
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
