"""Measure what a reader, a class and a lecturer wait for, for BENCHMARKS.md: `make bench`.

Nothing here fails for being slow. The numbers are this machine's; the ratios
travel better.
"""

import argparse
import datetime
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from statistics import median

# The tests' tools: their server and their pages.
sys.path += [
    str(Path(__file__).parents[1] / folder)
    for folder in ("tests", "tests/browser")
]

import numpy as np

import alive
import classroom
import grading
import tools
from server import find_browser, launch

PACKAGES = ("ipywidgets", "jupyterlab", "ipykernel", "matplotlib", "numpy")


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table; its head is written like a row of it."""
    lines = [head, "|".join(["", *["---"] * (head.count("|") - 1), ""])]
    for row in rows:
        lines.append("| " + " | ".join(map(str, row)) + " |")
    return "\n".join(lines)


def parts(of: list[float], *shares: float) -> str:
    """Write the numbers below which these shares of some numbers lie."""
    if not of:
        return "none"
    ends = np.quantile(of, shares, method="nearest")
    return " / ".join(f"{end:.0f}" for end in ends)


def measured() -> str:
    packages = ", ".join(f"{one} {version(one)}" for one in PACKAGES)
    commit = tools.run("git", "rev-parse", "--short", "HEAD", cwd=tools.ROOT)
    return (
        f"Measured on {datetime.date.today()} at {commit.strip()}: Python "
        f"{platform.python_version()}, {packages}; {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}."
    )


def report_grading(settings) -> Iterator[str]:
    many = settings.submissions
    yield "## Grading a lab of a large class"
    yield (
        f"{many} submissions of `{grading.LAB}`, each with numbers of its own, on {os.cpu_count()} "
        f"cores: **{grading.minutes(many):.1f} minutes**."
    )


def report_class(settings) -> Iterator[str]:
    yield "## A class whose kernels share this machine"
    yield (
        f"Each student has a kernel with one explorer, all in turn, and moves its first slider "
        f"{1 / classroom.PACE:g} times a second for {settings.seconds:g} s, as a page would: one "
        "message at a time, and a newer step replaces one that waits. *interact* is the same "
        "picture by `interact` and pyplot. No browser and no server run meanwhile."
    )
    rows = []
    for size, way, found in classroom.measure(
        settings.students, settings.seconds
    ):
        waits = parts(found.waits, 0.5, 0.95, 1)
        cost = f"{found.cpu:.1f}", f"{found.pss:.0f}"
        rows.append((size, way, waits, len(found.waits), found.unseen, *cost))
    yield table(
        "| students | way | ms to the picture: p50 / p95 / worst | pictures | steps without one "
        "| ms of processor time a step | MB (PSS) a kernel |",
        rows,
    )
    yield (
        "Aim: the explorers of 30 students on two cores show 95 of 100 pictures within 300 ms, and "
        "take at most 15 ms of processor time a step and 90 MB a kernel."
    )


def report_live(settings) -> Iterator[str]:
    program, pyodide = find_browser(), settings.pyodide
    if not (program and pyodide and (pyodide / "pyodide-lock.json").is_file()):
        sys.exit("name a folder of Pyodide's distribution, and have Chromium")
    with launch(program) as browser, alive.ways(pyodide) as ways:
        firsts, rows = [], []
        for way, opens in ways.items():
            runs = [alive.first(browser, opens) for _ in range(settings.runs)]
            seconds, megabytes = map(median, zip(*runs, strict=True))
            firsts.append((way, f"{seconds:.1f}", f"{megabytes:.1f}"))
        waits = [alive.waits(browser, opens) for opens in ways.values()]
    yield "## Python in the page, beside a kernel"
    yield (
        "From the click that opens a lesson and runs it, or *Compute here* on a page of the "
        "website, to the sentence after the first key press; what was loaded by then came from "
        "this machine, not packed, into a browser that had kept nothing. Medians of "
        f"{settings.runs}."
    )
    yield table(
        "| way | s to the first slider that answers | MB loaded before |",
        firsts,
    )
    yield (
        "Milliseconds from a key press on the first slider to the new sentence, median / 95th "
        f"percentile over {alive.KEYS}; each explorer in its first view, all on one page."
    )
    for name in alive.NOTEBOOKS["every"]:
        row = [name]
        for one in waits:
            row.append(parts(one[name], 0.5, 0.95))
        rows.append(row)
    yield table(f"| explorer | {' | '.join(ways)} |", rows)
    yield (
        "Aim: without a kernel the first slider within 8 s and 40 MB, and 95 of 100 sentences "
        "within 50 ms."
    )


PARTS = {
    "live": report_live,
    "class": report_class,
    "grading": report_grading,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench", description=__doc__)
    add = parser.add_argument
    add("parts", nargs="+", choices=PARTS)
    add("--to", type=Path, help="a page whose sections are written anew")
    add("--runs", type=int, default=3, help="live: how often")
    sizes = [1, 5, 10, 20, 30]
    add("--students", nargs="+", type=int, default=sizes, help="class")
    add("--seconds", type=float, default=20, help="class: how long")
    add("--submissions", type=int, default=300, help="grading")
    pyodide = os.environ.get("DPWIDGETS_PYODIDE")
    add("--pyodide", type=Path, default=pyodide, help="live: its folder")
    settings = parser.parse_args()
    for name in settings.parts:
        head, *more = PARTS[name](settings)
        section = "\n\n".join([head, measured(), *more])
        print(section, end="\n\n", flush=True)
        if settings.to:
            write(settings.to, section)


def write(path: Path, section: str) -> None:
    """Put a section in the place of the one with its title, or below all others."""
    title = section.partition("\n")[0]
    before, _, after = path.read_text("utf-8").partition(f"{title}\n")
    _, other, rest = after.partition("\n## ")
    page = f"{before.rstrip()}\n\n{section}\n{other}{rest}"
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
