"""The paper: every number in it follows from the notebooks, the bench or the settings."""

import re
from collections import Counter

import tools
from here import AUDITS, LESSONS, cells_of

PAPER = (tools.ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
BIBLIOGRAPHY = (tools.ROOT / "paper" / "paper.bib").read_text(encoding="utf-8")
BENCHMARKS = (tools.ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
_, _, TEXT = PAPER.split("---\n", 2)
CELLS = [cell for path in [*LESSONS, *AUDITS] for cell in cells_of(path)]


def judged():
    """Count the claims of all ledgers, by their verdict."""
    outputs = [output for cell in CELLS for output in cell.get("outputs", [])]
    printed = "\n".join(output.get("text", "") for output in outputs)
    found = Counter()
    for tally in re.findall(r"^\d+ checked: .*$", printed, re.MULTILINE):
        for number, verdict in re.findall(r"(\d+) (\w+)", tally):
            found[verdict] += int(number)
    return found


def facts():
    """Return what the paper says with a number, as the repository has it now."""
    sources = "\n".join(cell.source for cell in CELLS)
    kinds = Counter(
        re.findall(r"(?m)^(?:\w+ = )?(Question|Task|Code)\(", sources)
    )
    verdicts = judged()
    of_thirty = re.findall(
        r"^\| 30 \| (\w+) \| \d+ / (\d+) /", BENCHMARKS, re.MULTILINE
    )
    waits = {way: f"{int(wait):,}" for way, wait in of_thirty}
    graded = re.search(
        r"(\d+) submissions of .* \*\*([\d.]+) minutes\*\*", BENCHMARKS
    )
    return [
        f"{len(LESSONS)} lessons and {len(AUDITS)} audits",
        f"Of {verdicts['checked']} claims that could be computed, {verdicts['match']} match",
        f"{verdicts['wrong']} are wrong",
        f"The {kinds['Question']} questions",
        f"{kinds['Task']} tasks",
        f"in {kinds['Code']} places the reader writes",
        "with 30 students",
        "95 in 100 pictures",
        f"within {waits['explorer']} milliseconds, against {waits['interact']} for",
        f"{graded[1]} submissions",
        f"{graded[2]} minutes on two cores",
    ]


def test_every_number_in_it_is_what_the_repository_has_and_there_are_no_others():
    text = " ".join(TEXT.split())
    assert [fact for fact in facts() if fact not in text] == []
    for fact in facts():
        text = text.replace(fact, "")
    # A year, the aim of a lesson, the length of a session, and programs in
    # place of students.
    known = {"2019", "45", "90", "30"}
    assert (
        set(
            re.findall(
                r"\d[\d.,]*\d|\d", re.sub(r"\[@[^]]*\]|`[^`]*`", "", text)
            )
        )
        <= known
    )


def test_every_source_is_cited_and_every_citation_has_its_source():
    cited = set(re.findall(r"@(\w+)", TEXT))
    listed = re.findall(r"^@\w+\{(\w+),", BIBLIOGRAPHY, re.MULTILINE)
    assert len(set(listed)) == len(listed)
    assert cited == set(listed)
    for entry in re.split(r"\n@", BIBLIOGRAPHY):
        assert "doi = " in entry or "url = " in entry, entry[:40]
