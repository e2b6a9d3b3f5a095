"""Write ACCESSIBILITY.md, which people read, from accessibility.yaml, which tools read."""

import re
from collections import Counter
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
REPORT, PAGE = ROOT / "accessibility.yaml", ROOT / "ACCESSIBILITY.md"
#: OpenACR's terms for how far a criterion is met, and ours.
LEVELS = {
    "supports": "supports",
    "partially-supports": "supports in part",
    "does-not-support": "does not support",
    "not-applicable": "does not apply",
}
CHAPTERS = {
    "success_criteria_level_a": "Level A",
    "success_criteria_level_aa": "Level AA",
}
TEST = re.compile(r"tests/[\w/]+\.py::\w+")
HEAD = """# Accessibility

<!-- Made of accessibility.yaml by website/accessibility.py; change it there. -->

How far our widgets and the website meet the {many} success criteria of
[WCAG 2.2](https://www.w3.org/TR/WCAG22/) at the levels A and AA: {counts}. {notes}

{methods}

The same report stands in [accessibility.yaml](accessibility.yaml), in the form of
[OpenACR](https://github.com/GSA/openacr), where each line names the tests that hold it.
"""


def criteria(report: dict) -> dict[str, list[tuple[str, str, str]]]:
    """Return the number, level and notes of each criterion, by its chapter."""
    chapters = {}
    for chapter in CHAPTERS:
        rows = chapters[chapter] = []
        for criterion in report["chapters"][chapter]["criteria"]:
            for component in criterion["components"]:
                adherence = component["adherence"]
                rows.append(
                    (criterion["num"], adherence["level"], adherence["notes"])
                )
    return chapters


def held_by(notes: str) -> list[str]:
    """Return the tests that a criterion's notes name."""
    return TEST.findall(notes)


def page(report: dict) -> str:
    """Return the page that readers see."""
    chapters = criteria(report)
    found = Counter(
        level for rows in chapters.values() for _, level, _ in rows
    )
    counts = [
        f"{words} ({found[level]})"
        for level, words in LEVELS.items()
        if found[level]
    ]
    said = HEAD.format(
        many=found.total(),
        counts=", ".join(counts),
        notes=report["notes"].strip(),
        methods=report["evaluation_methods_used"].strip(),
    )
    for chapter, rows in chapters.items():
        said += (
            f"\n## {CHAPTERS[chapter]}\n\n| criterion | | |\n|---|---|---|\n"
        )
        for number, level, notes in rows:
            words = notes.partition("Held by:")[0].strip()
            said += f"| {number} | {LEVELS[level]} | {words} |\n"
    return said


if __name__ == "__main__":
    PAGE.write_text(
        page(yaml.safe_load(REPORT.read_text(encoding="utf-8"))),
        encoding="utf-8",
    )
