"""Measure what a reader waits for, and write it to BENCHMARKS.md: `make bench`.

Nothing here fails for being slow. The numbers are this machine's; the ratios
travel better.
"""

import argparse
import datetime
import importlib.util
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
import dpwidgets
import imports
import kernels
import lesson
import tools
import visits
from latency import BLOCK, HELD, MOVES, SLIDER, Bench
from server import find_browser, launch, serve
from tables import (
    FIRST_MOVE,
    FIRST_SLIDER,
    FIRST_VIEW,
    KERNEL,
    KERNEL_WAY,
    LOADED,
    MOVE,
    OTHER_VIEW,
    PROCESSOR,
    SENTENCE,
    SLOW_MOVE,
    STUDENTS,
    TWO_FRAMES,
    WAIT,
    classes,
    drags,
    first_sliders,
    memory,
    pair,
    ratios,
    sentences,
    strips,
    table,
    verdict,
    waits,
)

ROOT = Path(__file__).parents[1]
PACKAGES = ("ipywidgets", "jupyterlab", "ipykernel", "matplotlib", "numpy")


def hub_class(size: int, seconds: float) -> Iterator[str]:
    import through_hub  # its packages come by `make class`

    found = through_hub.measure(size, seconds)
    steps = found.steps
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
    print(
        f"What a lecturer sees of this class at work: {page}", file=sys.stderr
    )
    cores = size * steps.cpu / 1000 / classroom.PACE
    gigabytes = (found.shared + size * steps.pss) / 1000
    yield (
        f"For {size} students, each with one explorer: {cores:.1f} cores while all of them move a "
        f"slider, {cores / 5:.1f} while a fifth of them do, and {gigabytes:.1f} GB."
    )


def import_times() -> str:
    times = imports.milliseconds()
    bare = next(iter(times.values()))
    return table(
        "| import | ms | beyond bare Python |",
        (
            (what, f"{time:.0f}", f"{time - bare:.0f}")
            for what, time in times.items()
        ),
    )


def calculations() -> str:
    return table(
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


def versions() -> str:
    packages = ", ".join(
        f"{package} {version(package)}" for package in PACKAGES
    )
    return (
        f"# Benchmarks\n\nWritten by `make bench` on {datetime.date.today()}: "
        f"Python {platform.python_version()}, {packages}; "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start. "
        "Browser, server and kernels share the cores."
    )


@contextmanager
def in_lab() -> Iterator[Bench]:
    """Start JupyterLab over an empty folder, and a browser."""
    program = find_browser()
    if program is None:
        sys.exit(
            "no Chromium on the path: install it, or name one in DPWIDGETS_BROWSER"
        )
    with tempfile.TemporaryDirectory() as folder:
        home, notebooks = Path(folder, "home"), Path(folder, "notebooks")
        home.mkdir()
        notebooks.mkdir()
        with (
            serve(notebooks, home) as (address, token),
            launch(program) as browser,
        ):
            yield Bench(browser, address, token, notebooks)


def report_latency(settings: argparse.Namespace) -> Iterator[str]:
    measured = {}
    with in_lab() as bench:
        bare = bench.bare_kernel()
        for name in settings.explorers:
            for at, view in enumerate(
                getattr(dpwidgets, name).parameters()["view"].options
            ):
                # Of the views that are not the first, one run must do.
                runs = 1 if at else settings.runs
                found = bench.view(
                    name, view, runs, settings.presses, drag=not at
                )
                measured[f"{name}, {view}"] = found
                print(
                    name,
                    view,
                    *map(pair, (one.wait for one in found.values())),
                    flush=True,
                )
        chromium = bench.browser.version
    yield "## From a key press on a slider to the frame with the new picture"
    yield (
        f"Milliseconds, median / 95th percentile over {settings.presses} key presses in "
        f"JupyterLab with Chromium {chromium}; of an explorer's first view the median of "
        f"{settings.runs} run{'s' if settings.runs > 1 else ''}. "
        "*floor* swaps pictures that are ready; no explorer can be quicker. *interact* draws the "
        "same picture by `interact` and pyplot, a new figure each time; *ipympl* "
        f"{version('ipympl')} moves the artists of one figure, and sends its pixels. Both have "
        "pyplot's settings: fewer pixels, which favours them. The ways take turns within each run."
    )
    yield (waited := waits(measured))
    yield verdict(
        f"explorer / floor at the 95th percentile at most {FIRST_VIEW} in the first view and "
        f"{OTHER_VIEW} in every other; an explorer's median at most {TWO_FRAMES} ms, two frames of "
        "a screen. An earlier aim, 1.3 times the floor's median, is given up: the floor takes one "
        "frame and an explorer two, so that ratio counts frames",
        waited,
    )
    yield f"## A drag of {MOVES} mouse moves in two seconds"
    yield drags(measured)
    yield "## The kernel's memory (RSS) after all that"
    yield memory(bare, measured)


def report_handles(settings: argparse.Namespace) -> Iterator[str]:
    rows = []
    with in_lab() as bench:
        for name in settings.explorers:
            label, found = bench.in_the_picture(
                name, settings.runs, settings.presses
            )
            beside, held = found[SLIDER], found[HELD]
            waited = (pair(beside.wait), pair(held.wait), ratios(held, beside))
            there = "yes" if held.drag.ends_on_last else "**no**"
            rows.append(
                [
                    name,
                    label,
                    *waited,
                    beside.drag.frames,
                    held.drag.frames,
                    there,
                ]
            )
            print(*rows[-1], flush=True)
    yield "## A handle in the picture, and its slider beside it"
    yield (
        f"The same parameter of an explorer's first view: milliseconds, median / 95th percentile "
        f"over {settings.presses} key presses, in turns; and the frames of the picture during a "
        f"drag of {MOVES} mouse moves in two seconds. The handle itself is the browser's own "
        "slider and waits for nobody. BreachExplorer's prior stops below its posterior, and this "
        "drag is let go beyond."
    )
    names = "slider | handle | handle / slider | frames: slider | handle | ends where it is let go"
    yield table(f"| explorer | parameter | {names} |", rows)


def report_lesson(settings: argparse.Namespace) -> Iterator[str]:
    with in_lab() as bench:
        bare = bench.bare_kernel()
        found = [
            lesson.measure(bench, ROOT / "notebooks")
            for _ in range(settings.runs)
        ]
    middle = lesson.Lesson(*map(statistics.median, zip(*found, strict=True)))
    yield "## A lesson in JupyterLab"
    yield (
        f"The longest lesson is `{lesson.LESSON}`. Medians over {settings.runs} of: the median of "
        f"{lesson.CELLS} cells, one reload, one kernel. A page is back when it knows all widgets "
        "of its kernel and shows the first picture. No lesson can take less than a notebook that "
        "shows one explorer."
    )
    yield table(
        "| what | |",
        [
            [
                f"from running a cell `{lesson.SHOW}` to its picture",
                f"{middle.cell:.0f} ms",
            ],
            [
                "from reloading the page of the lesson to its widgets",
                f"{middle.page:.1f} s",
            ],
            [
                "… of a notebook that shows one explorer",
                f"{middle.least_page:.1f} s",
            ],
            [
                "the kernel's memory (RSS) after *Run all*",
                f"{middle.kernel:.0f} MB",
            ],
            [
                "… of a notebook that shows one explorer",
                f"{middle.least_kernel:.0f} MB",
            ],
            ["… of a kernel that has run nothing", f"{bare:.0f} MB"],
        ],
    )


def measured() -> str:
    """Say when: a part may be measured on another day than the rest of the page."""
    return f"Measured on {datetime.date.today()}"


def report_kernels(settings: argparse.Namespace) -> Iterator[str]:
    yield "## The kernel of each notebook"
    yield (
        f"{measured()}. Megabytes after *Run all*, in a kernel without a "
        "page; of PSS, what several processes hold is divided among them."
    )
    yield table(
        "| notebook | RSS | PSS |",
        (
            [f"`{name}`", f"{rss:.0f}", f"{pss:.0f}"]
            for name, rss, pss in kernels.measure(ROOT / "notebooks")
        ),
    )


def report_class(settings: argparse.Namespace) -> Iterator[str]:
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
    if STUDENTS in settings.students:
        yield verdict(
            f"the explorers of {STUDENTS} students on two cores show 95 of 100 pictures within "
            f"{WAIT} ms, and take at most {PROCESSOR} ms of processor time a step and {KERNEL} MB "
            "a kernel",
            found,
        )


def report_hub(settings: argparse.Namespace) -> Iterator[str]:
    if Path(sys.prefix, "bin", "configurable-http-proxy").exists():
        yield "## A class on the hub of `course/`"
        yield (
            f"{measured()}, load {os.getloadavg()[0]:.1f} before. The hub "
            "starts a server for each student, all at once. Each student has a kernel with one "
            f"explorer, and moves its first slider {1 / classroom.PACE:g} times a second for "
            f"{settings.seconds:g} s, through the hub's proxy. Processor time is that of hub, "
            "proxy, servers and kernels together; a student's memory is a server and a kernel."
        )
        yield from hub_class(max(settings.students), settings.seconds)


def report_grading(settings: argparse.Namespace) -> Iterator[str]:
    if not importlib.util.find_spec("nbgrader"):
        return
    import grading  # its packages come by `make grading`

    found = grading.measure(settings.submissions)
    yield "## Grading a lab of a large class"
    yield (
        f"{measured()}, load {os.getloadavg()[0]:.1f} at the end. "
        f"{settings.submissions} submissions of `{grading.LAB}`, on {os.cpu_count()} cores: "
        f"**{found.minutes:.1f} minutes**. Three of them are trouble: "
        "one waits for 20 s in each answer, one is cut off in the middle, and one starts "
        f"programs without end. When {found.begun_with} were graded, all that grades was killed, "
        "and the same command given again; both runs are in the time. All others got the points of "
        "their answers, and of the three the lecturer reads:"
    )
    yield "\n".join(["```", *found.told, "```"])


def report_website(settings: argparse.Namespace) -> Iterator[str]:
    program, site = find_browser(), ROOT / "build" / "site"
    if program and site.exists():
        yield "## The website that `make site` has built, without a kernel"
        yield (
            "Milliseconds from a key press on a slider to the frame with the new picture: the "
            f"first, whose file is fetched, then median / 95th percentile over {visits.EVENTS}."
        )
        words = sorted(
            page.stem
            for page in site.glob("explorers/*.html")
            if page.stem != "index"
        )
        with launch(program) as browser:
            found = {
                word: visits.measure(browser, site, word) for word in words
            }
        yield (moves := strips(found))
        yield verdict(
            f"the first within {FIRST_MOVE:,}, then {MOVE} at the median and {SLOW_MOVE} at the "
            "95th percentile",
            moves,
        )


def report_live(settings: argparse.Namespace) -> Iterator[str]:
    if not (
        settings.pyodide and (settings.pyodide / "pyodide-lock.json").is_file()
    ):
        print(
            "Left out: no --pyodide or DPWIDGETS_PYODIDE names a folder of Pyodide's distribution."
        )
        return
    load = os.getloadavg()[0]
    commit = tools.run("git", "rev-parse", "--short", "HEAD", cwd=ROOT)
    with in_lab() as bench, tempfile.TemporaryDirectory() as folder:
        lite, site = alive.build(Path(folder), settings.pyodide)
        alive.write(bench.folder)
        with alive.served(lite) as at_lite, alive.served(site) as at_site:
            ways = {
                "JupyterLite": (alive.lite, at_lite),
                "the website's worker": (alive.worker, at_site),
                KERNEL_WAY: (alive.kernel, bench),
            }
            found = alive.measure(bench.browser, ways, settings.runs)
        chromium = bench.browser.version
    yield "## Python in the page, beside a kernel"
    yield (
        f"{measured()} at {commit.strip()}, Chromium {chromium}, {os.cpu_count()} cores, load "
        f"{load:.1f} before and {os.getloadavg()[0]:.1f} after. From the click that opens a lesson "
        "and runs it, or *Compute here* on a page of the website, to the sentence after the first "
        "key press; what was loaded by then came from this machine, not packed, into a browser "
        f"that had kept nothing. Median of {settings.runs} run{'s' if settings.runs > 1 else ''}."
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
        firsts + waited,
    )


def report_imports(settings: argparse.Namespace) -> Iterator[str]:
    yield "## Imports, each in a fresh process"
    yield f"{measured()}."
    yield import_times()


def report_calculators(settings: argparse.Namespace) -> Iterator[str]:
    yield "## Calculators"
    yield f"{measured()}."
    yield calculations()


REPORTS = (
    *(report_latency, report_handles, report_lesson, report_kernels),
    *(report_class, report_hub, report_grading),
    *(report_website, report_live, report_imports, report_calculators),
)
PARTS = {report.__name__.removeprefix("report_"): report for report in REPORTS}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench", description=__doc__)
    add = parser.add_argument
    add(
        "parts",
        nargs="*",
        metavar="part",
        help=f"of {', '.join(PARTS)}; all if none is named",
    )
    add(
        "--to",
        type=Path,
        help="a page whose sections are written anew; BENCHMARKS.md if all run",
    )
    add("--runs", type=int, default=3, help="latency, lesson, live: how often")
    add(
        "--presses",
        type=int,
        default=60,
        help=f"latency: keys a run, a multiple of {BLOCK}",
    )
    every = classroom.EXPLORERS
    add(
        "--explorers",
        nargs="+",
        choices=every,
        default=every,
        help="latency: which",
    )
    sizes = [1, 5, 10, 20, 30]
    add(
        "--students",
        nargs="+",
        type=int,
        default=sizes,
        help="class, hub: how many",
    )
    add("--submissions", type=int, default=300, help="grading: how many")
    pyodide = os.environ.get("DPWIDGETS_PYODIDE")
    add(
        "--pyodide",
        type=Path,
        default=pyodide,
        help="live: a folder of Pyodide's distribution",
    )
    add("--seconds", type=float, default=20, help="class, hub: how long")
    settings = parser.parse_args()
    if unknown := set(settings.parts) - set(PARTS):
        parser.error(
            f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}"
        )
    chosen = [
        make
        for name, make in PARTS.items()
        if name in (settings.parts or PARTS)
    ]
    path = settings.to or (None if settings.parts else ROOT / "BENCHMARKS.md")
    kept = {}
    if path and path.exists() and settings.parts:
        kept = sections(path.read_text(encoding="utf-8"))
    # Of a part, the date stands in its section.
    paragraphs = [] if kept else [versions()]
    for make in chosen:
        for paragraph in make(settings):
            print(paragraph, end="\n\n", flush=True)
            paragraphs.append(paragraph)
        # After each part, so that a fault in a later one leaves what was
        # measured.
        if path and paragraphs:
            page = kept | sections("\n\n".join(paragraphs))
            path.write_text(
                "\n\n".join(page.values()) + "\n", encoding="utf-8"
            )


def sections(page: str) -> dict[str, str]:
    """Return what stands on a page, under the first line of each section."""
    parts = page.strip().split("\n\n## ")
    return {
        part.partition("\n")[0]: part
        for part in (parts[0], *(f"## {one}" for one in parts[1:]))
    }


if __name__ == "__main__":
    main()
