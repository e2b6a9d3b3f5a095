"""Measure what a reader waits for, and write it to BENCHMARKS.md: `make bench`.

Nothing here fails for being slow. The numbers are this machine's; the ratios travel better.
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
    str(Path(__file__).parents[1] / folder) for folder in ("", "browser", "calculators")
)

import calculators
import imports
from dpwidgets.texts import TEXTS
from latency import EVENTS, MOVES, WAYS, Bench, Measured
from server import find_browser, launch, serve

ROOT = Path(__file__).parents[2]
PACKAGES = ("ipywidgets", "jupyterlab", "ipykernel", "matplotlib", "numpy")


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table; its head is written like a row of it."""
    lines = [head, "|".join(["", *["---"] * (head.count("|") - 1), ""])]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def pair(numbers: Iterable[float], digits: int = 0) -> str:
    return " / ".join(f"{number:.{digits}f}" for number in numbers)


def ratios(slow: Measured, quick: Measured) -> str:
    return pair((a / b for a, b in zip(slow.wait, quick.wait, strict=True)), 2)


def waits(measured: dict[str, dict[str, Measured]]) -> str:
    return table(
        f"| explorer | {' | '.join(WAYS)} "
        "| explorer / floor | interact / explorer | interact / floor |",
        (
            [
                name,
                *(pair(ways[way].wait) for way in WAYS),
                ratios(ways["explorer"], ways["floor"]),
                ratios(ways["interact"], ways["explorer"]),
                ratios(ways["interact"], ways["floor"]),
            ]
            for name, ways in measured.items()
        ),
    )


def drags(measured: dict[str, dict[str, Measured]]) -> str:
    return table(
        f"| explorer | frames: {' | '.join(WAYS)} | the explorer ends on the last value |",
        (
            [
                name,
                *(ways[way].drag.frames for way in WAYS),
                "yes" if ways["explorer"].drag.ends_on_last else "**no**",
            ]
            for name, ways in measured.items()
        ),
    )


def memory(bare: float, measured: dict[str, dict[str, Measured]]) -> str:
    rows = [("bare", bare)]
    for name, ways in measured.items():
        rows += [
            (name, ways["explorer"].megabytes),
            (f"{name}'s picture by interact", ways["interact"].megabytes),
        ]
    return table("| kernel | MB |", ((what, f"{megabytes:.0f}") for what, megabytes in rows))


def import_times() -> str:
    times = imports.milliseconds()
    bare = next(iter(times.values()))
    return table(
        "| import | ms | beyond bare Python |",
        ((what, f"{time:.0f}", f"{time - bare:.0f}") for what, time in times.items()),
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


def report(browser, bench: Bench, runs: int) -> Iterator[str]:
    """Measure one thing after the other and yield the paragraphs about them."""
    yield "# Benchmarks"
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    yield (
        f"Written by `make bench` on {datetime.date.today()}: "
        f"Python {platform.python_version()}, {versions}, Chromium {browser.version}; "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start. "
        "Browser, server and kernel share the cores."
    )
    bare = bench.bare_kernel()
    measured = {text.explorer: bench.explorer(text.explorer, runs) for text in TEXTS}
    yield "## From a key press on a slider to the frame with the new picture"
    yield (
        f"Milliseconds, median / 95th percentile over {EVENTS} key presses in JupyterLab; "
        f"the median of {runs} runs. *floor* swaps pictures that are ready. *interact* draws the "
        "same picture by `interact` and pyplot, a new figure each time, with pyplot's settings: "
        "fewer pixels, which favours it. The ways take turns within each run. No explorer can be "
        "quicker than the floor, so *interact / floor* is the most that *interact / explorer* "
        "can be."
    )
    yield waits(measured)
    yield (
        "Aim, at the 95th percentile: explorer / floor at most 1.5, interact / explorer at least 4."
    )
    yield f"## A drag of {MOVES} mouse moves in two seconds"
    yield drags(measured)
    yield "## The kernel's memory (RSS) after all that"
    yield memory(bare, measured)
    yield "## Imports, each in a fresh process"
    yield import_times()
    yield "## Calculators"
    yield calculations()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how often each explorer is measured")
    runs = parser.parse_args().runs
    program = find_browser()
    if program is None:
        sys.exit("no Chromium on the path: install it, or name one in DPWIDGETS_BROWSER")
    paragraphs = []
    with tempfile.TemporaryDirectory() as folder:
        home, notebooks = Path(folder, "home"), Path(folder, "notebooks")
        home.mkdir()
        notebooks.mkdir()
        with serve(notebooks, home) as (address, token), launch(program) as browser:
            for paragraph in report(browser, Bench(browser, address, token, notebooks), runs):
                print(paragraph, end="\n\n", flush=True)
                paragraphs.append(paragraph)
    (ROOT / "BENCHMARKS.md").write_text("\n\n".join(paragraphs) + "\n")


if __name__ == "__main__":
    main()
