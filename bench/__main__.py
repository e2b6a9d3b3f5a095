"""Measure what a reader and a class wait for, and write it to BENCHMARKS.md: `make bench`.

Nothing here fails for being slow. The numbers are this machine's; the ratios
travel better.
"""

import argparse
import datetime
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

# The tests' tools: their server, their pages and their peers.
sys.path.extend(
    str(Path(__file__).parents[1] / "tests" / folder)
    for folder in ("", "browser", "calculators")
)

import alive
import calculators
import classroom
import imports
import kernels
import tools
from server import find_browser, launch, serve, served

ROOT = Path(__file__).parents[1]
PACKAGES = ("ipywidgets", "jupyterlab", "ipykernel", "matplotlib", "numpy")
MISSED = "✗"
# A class: ms, ms a step, MB.
STUDENTS, WAIT, PROCESSOR, KERNEL = 30, 300, 15, 90
# Python in the page: seconds, MB, and ms.
FIRST_SLIDER, LOADED, SENTENCE = 8, 40, 50
KERNEL_WAY = "JupyterLab with a kernel"


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table; its head is written like a row of it."""
    lines = [head, "|".join(["", *["---"] * (head.count("|") - 1), ""])]
    return "\n".join(
        [*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)]
    )


def pair(numbers: Iterable[float]) -> str:
    return " / ".join(f"{number:.0f}" for number in numbers)


def judged(shown: str, *, met: bool) -> str:
    """Mark a number that misses its aim."""
    return shown if met else f"**{shown}** {MISSED}"


def verdict(aim: str, *tables: str) -> str:
    """Return the paragraph below tables: what was aimed at, and how often it is missed."""
    missed = "".join(tables).count(MISSED)
    if not missed:
        return f"Aim: {aim}. It is missed nowhere."
    return f"Aim: {aim}. Marked {MISSED} where it is missed: {missed}."


def measured() -> str:
    packages = ", ".join(f"{one} {version(one)}" for one in PACKAGES)
    commit = tools.run("git", "rev-parse", "--short", "HEAD", cwd=ROOT)
    return (
        f"Measured on {datetime.date.today()} at {commit.strip()}: Python "
        f"{platform.python_version()}, {packages}; {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}."
    )


def report_imports(_) -> Iterator[str]:
    yield "## Imports, each in a fresh process"
    times = imports.milliseconds()
    bare = next(iter(times.values()))
    yield table(
        "| import | ms | beyond bare Python |",
        [
            (what, f"{time:.0f}", f"{time - bare:.0f}")
            for what, time in times.items()
        ],
    )


def report_calculators(_) -> Iterator[str]:
    yield "## Calculators"
    yield table(
        "| room | what | ms | instead | ms | ratio |",
        (
            [
                room,
                row.what,
                f"{1000 * row.seconds:.3g}",
                row.alternative,
                f"{1000 * row.its_seconds:.3g}",
                f"{row.its_seconds / row.seconds:.3g}",
            ]
            for room, rows in calculators.BENCHES.items()
            for row in rows()
        ),
    )


def report_kernels(_) -> Iterator[str]:
    yield "## The kernel of each notebook"
    yield (
        "Megabytes after *Run all*, in a kernel without a page; of PSS, what several processes "
        "hold is divided among them."
    )
    yield table(
        "| notebook | RSS | PSS |",
        (
            [f"`{name}`", f"{rss:.0f}", f"{pss:.0f}"]
            for name, rss, pss in kernels.measure(ROOT / "notebooks")
        ),
    )


def report_class(settings) -> Iterator[str]:
    yield "## A class whose kernels share this machine"
    yield (
        f"Each student has a kernel with one explorer, all in turn, and moves its first slider "
        f"{1 / classroom.PACE:g} times a second for {settings.seconds:g} s, as a page would: one "
        "message at a time, and a newer step replaces one that waits. *interact* is the same "
        "picture by `interact` and pyplot. No browser and no server run meanwhile."
    )
    yield (
        found := classes(
            classroom.measure(settings.students, settings.seconds)
        )
    )
    yield verdict(
        f"the explorers of {STUDENTS} students on two cores show 95 of 100 pictures within "
        f"{WAIT} ms, and take at most {PROCESSOR} ms of processor time a step and {KERNEL} MB "
        "a kernel",
        found,
    )


def classes(found: Iterable[tuple[int, str, classroom.Class]]) -> str:
    rows = []
    for size, way, one in found:
        few = way != "explorer" or size != STUDENTS  # they have no aim
        waited = one.p50_p95_worst
        pictures = (len(one.waits), one.unseen)
        rows.append(
            (
                size,
                way,
                judged(pair(waited), met=few or round(waited[1]) <= WAIT),
                *pictures,
                judged(f"{one.cpu:.1f}", met=few or one.cpu <= PROCESSOR),
                judged(f"{one.pss:.0f}", met=few or round(one.pss) <= KERNEL),
            )
        )
    return table(
        "| students | way | ms to the picture: p50 / p95 / worst | pictures | steps without one "
        "| ms of processor time a step | MB (PSS) a kernel |",
        rows,
    )


def report_hub(settings) -> Iterator[str]:
    import through_hub  # its packages come by `make class`

    size = max(settings.students)
    found = through_hub.measure(size, settings.seconds)
    steps = found.steps
    yield "## A class on the hub of `course/`"
    yield (
        "The hub starts a server for each student, all at once. Each student has a kernel with one "
        f"explorer, and moves its first slider {1 / classroom.PACE:g} times a second for "
        f"{settings.seconds:g} s, through the hub's proxy. Processor time is that of hub, "
        "proxy, servers and kernels together; a student's memory is a server and a kernel."
    )
    yield table(
        "| students | s until all have a server | ms to the picture: p50 / p95 / worst | pictures "
        "| steps without one | ms of processor time a step | MB (PSS) a student "
        "| MB of hub and proxy |",
        [
            [
                size,
                f"{found.ready:.0f}",
                pair(steps.p50_p95_worst),
                len(steps.waits),
                steps.unseen,
                f"{steps.cpu:.1f}",
                f"{steps.pss:.0f}",
                f"{found.shared:.0f}",
            ]
        ],
    )
    page = ROOT / "build" / "seen.html"
    page.parent.mkdir(exist_ok=True)
    page.write_text(found.page, encoding="utf-8")
    cores = size * steps.cpu / 1000 / classroom.PACE
    gigabytes = (found.shared + size * steps.pss) / 1000
    yield (
        f"For {size} students, each with one explorer: {cores:.1f} cores while all of them move a "
        f"slider, {cores / 5:.1f} while a fifth of them do, and {gigabytes:.1f} GB."
    )


def report_grading(settings) -> Iterator[str]:
    import grading  # its packages come by `make grading`

    found = grading.measure(settings.submissions)
    yield "## Grading a lab of a large class"
    yield (
        f"{settings.submissions} submissions of `{grading.LAB}`, on {os.cpu_count()} cores: "
        f"**{found.minutes:.1f} minutes**. Three of them are trouble: "
        "one waits for 20 s in each answer, one is cut off in the middle, and one starts "
        f"programs without end. When {found.begun_with} were graded, all that grades was killed, "
        "and the same command given again; both runs are in the time. All others got the points of "
        "their answers, and of the three the lecturer reads:"
    )
    yield "\n".join(["```", *found.told, "```"])


def report_live(settings) -> Iterator[str]:
    program, pyodide = find_browser(), settings.pyodide
    if not (program and pyodide and (pyodide / "pyodide-lock.json").is_file()):
        sys.exit("name a folder of Pyodide's distribution, and have Chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as home,
        launch(program) as browser,
        serve(Path(folder), Path(home)) as (address, token),
    ):
        lite, site = alive.build(Path(home), pyodide)
        alive.write(Path(folder))
        lab = alive.Lab(address, token, Path(folder))
        with served(lite) as at_lite, served(site) as at_site:
            ways = {
                "JupyterLite": (alive.lite, at_lite),
                "the website's worker": (alive.worker, at_site),
                KERNEL_WAY: (alive.kernel, lab),
            }
            found = alive.measure(browser, ways, settings.runs)
    yield "## Python in the page, beside a kernel"
    yield (
        "From the click that opens a lesson and runs it, or *Compute here* on a page of the "
        "website, to the sentence after the first key press; what was loaded by then came from "
        "this machine, not packed, into a browser that had kept nothing. Medians."
    )
    yield (firsts := first_sliders(found))
    yield (
        "Milliseconds from a key press on the first slider to the new sentence, median / 95th "
        f"percentile over {alive.KEYS}; each explorer in its first view, all on one page."
    )
    yield (waited := sentences(found))
    yield verdict(
        f"without a kernel the first slider within {FIRST_SLIDER} s and {LOADED} MB, and 95 of 100 "
        f"sentences within {SENTENCE} ms",
        firsts,
        waited,
    )


def first_sliders(found: dict[str, alive.Alive]) -> str:
    rows = []
    for way, (first, _) in found.items():
        kernel = way == KERNEL_WAY  # it has no aim
        seconds, loaded = f"{first.seconds:.1f}", f"{first.megabytes:.1f}"
        in_time = kernel or float(seconds) <= FIRST_SLIDER
        small = kernel or float(loaded) <= LOADED
        rows.append(
            (way, judged(seconds, met=in_time), judged(loaded, met=small))
        )
    return table(
        "| way | s to the first slider that answers | MB loaded before |", rows
    )


def sentences(found: dict[str, alive.Alive]) -> str:
    rows = []
    for name in alive.NOTEBOOKS["every"]:
        row = [name]
        for way, one in found.items():
            wait = one.waits[name]
            met = way == KERNEL_WAY or round(wait.p95) <= SENTENCE
            row.append(judged(pair(wait), met=met))
        rows.append(row)
    return table(f"| explorer | {' | '.join(found)} |", rows)


REPORTS = (
    *(report_live, report_class, report_hub, report_grading),
    *(report_kernels, report_imports, report_calculators),
)
PARTS = {report.__name__.removeprefix("report_"): report for report in REPORTS}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench", description=__doc__)
    add = parser.add_argument
    add("parts", nargs="+", choices=PARTS)
    add("--to", type=Path, help="a page whose sections are written anew")
    add("--runs", type=int, default=3, help="live: how often")
    sizes = [1, 5, 10, 20, 30]
    add("--students", nargs="+", type=int, default=sizes, help="class, hub")
    add("--seconds", type=float, default=20, help="class, hub: how long")
    add("--submissions", type=int, default=300, help="grading: how many")
    pyodide = os.environ.get("DPWIDGETS_PYODIDE")
    add("--pyodide", type=Path, default=pyodide, help="live: its folder")
    settings = parser.parse_args()
    for part in settings.parts:
        head, *more = PARTS[part](settings)
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
