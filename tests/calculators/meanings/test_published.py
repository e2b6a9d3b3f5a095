"""The ε of deployments against figures that were taken from the registry apart from the table."""

import math
from pathlib import Path
from urllib.parse import urlsplit

import dpwidgets
from dpwidgets.calculators import loss, meanings

DATA = Path(dpwidgets.__file__).parent / "data"
CARD = (DATA / "README.md").read_text(encoding="utf-8")

# The registry's entry: ε, δ, ρ, the registry's unit, its model. None is not published.
FIGURES = {
    "broadband_coverage": (0.2, 0, None, "User-level", "central"),
    "wikimedia_current_usage_data": (None, None, 0.015, "Device-day-level", "central"),
    "telemetry_collection_windows": (1.672, 0, None, "User-quarter-day-level", "local"),
    "covid19_search_trends_symptoms": (1.68, 0, None, "User-day-level", "central"),
    "movement_ranges_maps": (2.0, 0, None, "User-day-level", "central"),
    "healthkit": (2.0, 0, None, "Event-level", "local"),
    "vaccine_search_insights": (2.19, 1e-5, None, "User-level", "central"),
    "google_mobility": (2.64, 0, None, "User-day-level", "central"),
    "apple_popular_emojis": (4.0, 0, None, "Event-level", "local"),
    "safari_energy_drain": (4.0, 0, None, "Event-level", "local"),
    "linkedin_hiring_reports": (4.8, 4e-10, None, "Event-Month-level", "central"),
    "spanish_language_next_word": (None, None, 0.81, "User-device-level", "central"),
    "birth_dataset": (9.98, 0, None, "Birth-level", "central"),
    "census_supplemental_demographic_and_housing": (None, None, 2.515, "Person-level", "central"),
    "census_redistricting_data": (17.14, 1e-10, 2.56, "Person-level; housing-unit", "central"),
    "census_demographic_and_housing": (26.34, 1e-10, 4.96, "Person-level; housing", "central"),
    "audience_engagement": (34.9, 7e-9, None, "User-month-level", "central"),
    "census_detailed_demographic_and_housing_b": (None, None, 17.79, "Person-level", "central"),
    "census_detailed_demographic_and_housing_a": (None, None, 19.776, "Person-level", "central"),
}


def test_every_figure_is_the_registrys():
    listed = meanings.deployments()
    assert [one.entry.removesuffix(".yaml") for one in listed] == list(FIGURES)
    for one in listed:
        epsilon, delta, rho, unit, model = FIGURES[one.entry.removesuffix(".yaml")]
        assert (one.rho, one.model, one.computed) == (rho, model, epsilon is None)
        if one.computed:
            delta, epsilon = meanings.DELTA_OF_RHO, loss.epsilon_of_rho(rho, 1e-10)
        elif rho is not None:  # what is published follows from it, by this formula or a simpler one
            assert loss.epsilon_of_rho(rho - 0.005, delta) <= epsilon
            assert epsilon <= rho + 2 * math.sqrt(rho * -math.log(delta)) + 0.01
        assert (one.epsilon, one.delta) == (epsilon, delta)
        assert unit.lower().startswith(one.unit)
        words = {"a day": "day", "a month": "month", "a quarter of a day": "quarter-day"}
        if one.entry != "vaccine_search_insights.yaml":
            assert words.get(one.period, "") in unit.lower()
        assert 2014 <= one.year <= 2026
        assert urlsplit(one.source).scheme == "https"
        assert one.name
    assert [one.epsilon for one in listed] == sorted(one.epsilon for one in listed)
    assert "do not compare" in meanings.CAUTION


def test_the_data_card_says_where_they_are_from():
    where = ("published_epsilons.csv", "deployments-registry-data", "3e9c812a924cf01d", "MIT")
    header, *_ = (DATA / "published_epsilons.csv").read_text(encoding="utf-8").splitlines()
    for said in (*where, "do not compare", *(f"`{column}`" for column in header.split(","))):
        assert said in CARD
