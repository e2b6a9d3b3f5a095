"""The report on accessibility: in OpenACR's form, whole, each line with the tests that hold it."""

import importlib.resources
import re
from collections import defaultdict

import yaml

import accessibility
from accessibility import LEVELS, criteria, held_by, page
from tools import EXPLORERS, README, ROOT

REPORT = yaml.safe_load(accessibility.REPORT.read_text(encoding="utf-8"))
#: The criteria of WCAG 2.2, which dropped 4.1.1: https://www.w3.org/TR/WCAG22/
NUMBERS = {
    "success_criteria_level_a": """
        1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1
        2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7
        4.1.2""",
    "success_criteria_level_aa": """
        1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7
        2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3""",
}


def test_it_has_each_criterion_of_wcag_2_2_once_and_a_level_that_openacr_knows():
    for chapter, rows in criteria(REPORT).items():
        assert [number for number, _, _ in rows] == NUMBERS[chapter].split()
        assert {level for _, level, _ in rows} <= set(LEVELS)
    assert {"title", "product", "author", "catalog"} <= set(REPORT)


def test_each_line_names_tests_that_exist_or_says_that_there_is_none():
    for rows in criteria(REPORT).values():
        for number, level, notes in rows:
            assert (
                held_by(notes)
                or level == "not-applicable"
                or notes.endswith("Not tested.")
            ), number
            for test in held_by(notes):
                path, name = test.split("::")
                text = (ROOT / path).read_text(encoding="utf-8")
                assert re.search(rf"^def {name}\(", text, re.MULTILINE), test


def test_the_page_is_made_of_it_and_the_readme_leads_there():
    assert accessibility.PAGE.read_text(encoding="utf-8") == page(REPORT)
    assert "(ACCESSIBILITY.md)" in README


def test_a_parameter_is_called_alike_in_all_explorers_but_for_those_that_the_report_names():
    labels = defaultdict(set)
    for kind in EXPLORERS:
        for trait, parameter in kind().parameters().items():
            labels[trait].add(re.sub(r" \(.+\)$", "", parameter.label))
    several = {
        trait: found for trait, found in labels.items() if len(found) > 1
    }
    assert several == {
        "n": {"People", "Records"},
        "mechanism": {"Noise", "Mechanism"},
        # A share in one text, a list of chances in another.
        "p": {"Assumed p", "With the person"},
    }


def test_the_axe_that_it_names_is_the_one_that_runs():
    script = importlib.resources.files("axe_playwright_python") / "axe.min.js"
    version = re.search(
        r"axe v(\d+\.\d+)", script.read_text(encoding="utf-8")
    ).group(1)
    assert f"axe-core {version} " in REPORT["evaluation_methods_used"]
