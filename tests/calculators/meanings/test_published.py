"""The ε of deployments against figures that were taken from the registry apart from the table."""

from pathlib import Path
from urllib.parse import urlsplit

import dpwidgets
from dpwidgets.calculators import meanings

CARD = (Path(dpwidgets.__file__).parent / "data" / "README.md").read_text(encoding="utf-8")

# The registry's entry: ε, δ, the registry's unit, its model.
FIGURES = {
    "broadband_coverage": (0.2, 0, "User-level", "central"),
    "telemetry_collection_windows": (1.672, 0, "User-quarter-day-level", "local"),
    "covid19_search_trends_symptoms": (1.68, 0, "User-day-level", "central"),
    "movement_ranges_maps": (2.0, 0, "User-day-level", "central"),
    "healthkit": (2.0, 0, "Event-level", "local"),
    "vaccine_search_insights": (2.19, 1e-5, "User-level", "central"),
    "google_mobility": (2.64, 0, "User-day-level", "central"),
    "apple_popular_emojis": (4.0, 0, "Event-level", "local"),
    "safari_energy_drain": (4.0, 0, "Event-level", "local"),
    "linkedin_hiring_reports": (4.8, 4e-10, "Event-Month-level", "central"),
    "birth_dataset": (9.98, 0, "Birth-level", "central"),
    "census_redistricting_data": (17.14, 1e-10, "Person-level; housing-unit-level", "central"),
    "audience_engagement": (34.9, 7e-9, "User-month-level", "central"),
}


def test_every_figure_is_the_registrys():
    listed = meanings.deployments()
    assert [one.entry.removesuffix(".yaml") for one in listed] == list(FIGURES)
    for one in listed:
        epsilon, delta, unit, model = FIGURES[one.entry.removesuffix(".yaml")]
        assert (one.epsilon, one.delta, one.model) == (epsilon, delta, model)
        assert unit.lower().startswith(one.unit)
        assert 2014 <= one.year <= 2026
        assert urlsplit(one.source).scheme == "https"
        assert one.name
        assert one.curator
    assert [one.epsilon for one in listed] == sorted(one.epsilon for one in listed)
    for period, words in {
        "a day": "day",
        "a month": "month",
        "a quarter of a day": "quarter-day",
    }.items():
        for one in listed:
            if one.period == period and one.entry != "vaccine_search_insights.yaml":
                assert words in FIGURES[one.entry.removesuffix(".yaml")][2].lower()


def test_different_units_do_not_compare():
    by_name = {one.entry.removesuffix(".yaml"): one for one in meanings.deployments()}
    assert by_name["google_mobility"].compares(by_name["movement_ranges_maps"])
    assert not by_name["google_mobility"].compares(by_name["audience_engagement"])
    assert not by_name["healthkit"].compares(by_name["birth_dataset"])
    assert "do not compare" in meanings.CAUTION


def test_the_data_card_says_where_they_are_from():
    for said in (
        "published_epsilons.csv",
        "deployments-registry-data",
        "3e9c812a924cf01d",
        "MIT",
        "do not compare",
    ):
        assert said in CARD
    for column in (
        "name",
        "curator",
        "year",
        "epsilon",
        "delta",
        "unit",
        "period",
        "model",
        "source",
        "entry",
    ):
        assert f"`{column}`" in CARD
