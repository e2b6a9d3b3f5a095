"""The tables of BENCHMARKS.md, in which an aim that is missed is marked."""

import itertools
from collections.abc import Iterable

import alive
import classroom
import visits
from latency import WAYS, Measured, Wait

MISSED = "✗"
TWO_FRAMES = 33  # milliseconds on a screen of 60 Hz
FIRST_VIEW, OTHER_VIEW = 1.15, 1.5  # explorer / floor at the 95th percentile
PEERS = [way for way in WAYS if way not in ("floor", "explorer")]
# A class, ms, ms a step, MB.
STUDENTS, WAIT, PROCESSOR, KERNEL = 30, 300, 15, 90
FIRST_MOVE, MOVE, SLOW_MOVE = 1000, 16, 33  # milliseconds on the website
# Seconds, MB, and ms, with Python in the page.
FIRST_SLIDER, LOADED, SENTENCE = 8, 40, 50
KERNEL_WAY = "JupyterLab with a kernel"


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table; its head is written like a row of it."""
    lines = [head, "|".join(["", *["---"] * (head.count("|") - 1), ""])]
    return "\n".join(
        [*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)]
    )


def pair(numbers: Iterable[float], digits: int = 0) -> str:
    return " / ".join(f"{number:.{digits}f}" for number in numbers)


def judged(shown: str, *, met: bool) -> str:
    """Mark a number that misses its aim."""
    return shown if met else f"**{shown}** {MISSED}"


def verdict(aim: str, judged_table: str) -> str:
    """Return the paragraph below a table: what was aimed at, and how often it is missed."""
    missed = (
        f"Marked {MISSED} where it is missed: {judged_table.count(MISSED)}."
    )
    return f"Aim: {aim}. {missed if MISSED in judged_table else 'It is missed nowhere.'}"


def ratios(slow: Measured, quick: Measured) -> str:
    return pair((a / b for a, b in zip(slow.wait, quick.wait, strict=True)), 2)


def waits(measured: dict[str, dict[str, Measured]]) -> str:
    def row(name: str, ways: dict[str, Measured]) -> list[str]:
        explorer, floor = ways["explorer"], ways["floor"]
        most = FIRST_VIEW if explorer.drag else OTHER_VIEW
        waited = {way: pair(ways[way].wait) for way in WAYS}
        waited["explorer"] = judged(
            waited["explorer"], met=round(explorer.wait.median) <= TWO_FRAMES
        )
        return [
            name,
            *waited.values(),
            judged(
                ratios(explorer, floor),
                met=round(explorer.wait.p95 / floor.wait.p95, 2) <= most,
            ),
            *(ratios(ways[way], explorer) for way in PEERS),
        ]

    return table(
        f"| explorer, view | {' | '.join(WAYS)} | explorer / floor "
        f"| {' | '.join(f'{way} / explorer' for way in PEERS)} |",
        itertools.starmap(row, measured.items()),
    )


def drags(measured: dict[str, dict[str, Measured]]) -> str:
    return table(
        f"| explorer, view | frames: {' | '.join(WAYS)} | the explorer ends on the last value |",
        (
            [
                name,
                *(ways[way].drag.frames for way in WAYS),
                "yes" if ways["explorer"].drag.ends_on_last else "**no**",
            ]
            for name, ways in measured.items()
            if ways["explorer"].drag
        ),
    )


def memory(bare: float, measured: dict[str, dict[str, Measured]]) -> str:
    rows = [("bare", bare)]
    for name, ways in measured.items():
        if ways["explorer"].drag:
            rows.append((name, ways["explorer"].megabytes))
            rows += [
                (f"the same picture by {way}", ways[way].megabytes)
                for way in PEERS
            ]
    return table(
        "| kernel | MB |",
        ((what, f"{megabytes:.0f}") for what, megabytes in rows),
    )


def classes(measured: Iterable[tuple[int, str, classroom.Class]]) -> str:
    def row(size: int, way: str, found: classroom.Class) -> list[object]:
        aimed_at = way == "explorer" and size == STUDENTS
        waited = pair(found.p50_p95_worst)
        cpu = f"{found.cpu:.1f}"
        pss = f"{found.pss:.0f}"
        return [
            size,
            way,
            judged(
                waited,
                met=not aimed_at or round(found.p50_p95_worst[1]) <= WAIT,
            ),
            len(found.waits),
            found.unseen,
            judged(cpu, met=not aimed_at or float(cpu) <= PROCESSOR),
            judged(pss, met=not aimed_at or float(pss) <= KERNEL),
        ]

    return table(
        "| students | way | ms to the picture: p50 / p95 / worst | pictures | steps without one "
        "| ms of processor time a step | MB (PSS) a kernel |",
        itertools.starmap(row, measured),
    )


def strips(measured: dict[str, visits.Waits]) -> str:
    rows = (
        [
            word,
            judged(f"{one.first:.0f}", met=round(one.first) <= FIRST_MOVE),
            judged(
                pair((one.median, one.most)),
                met=round(one.median) <= MOVE and round(one.most) <= SLOW_MOVE,
            ),
        ]
        for word, one in measured.items()
    )
    return table("| explorer | first move | every move |", rows)


def first_sliders(measured: dict[str, alive.Alive]) -> str:
    def row(way: str, one: alive.First) -> list[str]:
        aimed_at = way != KERNEL_WAY
        seconds, megabytes = f"{one.seconds:.1f}", f"{one.megabytes:.1f}"
        return [
            way,
            judged(
                seconds, met=not aimed_at or float(seconds) <= FIRST_SLIDER
            ),
            judged(megabytes, met=not aimed_at or float(megabytes) <= LOADED),
        ]

    return table(
        "| way | s to the first slider that answers | MB loaded before |",
        (row(way, found.first) for way, found in measured.items()),
    )


def sentences(measured: dict[str, alive.Alive]) -> str:
    def shown(way: str, one: Wait) -> str:
        return judged(
            pair(one), met=way == KERNEL_WAY or round(one.p95) <= SENTENCE
        )

    return table(
        f"| explorer | {' | '.join(measured)} |",
        (
            [
                name,
                *(
                    shown(way, found.waits[name])
                    for way, found in measured.items()
                ),
            ]
            for name in alive.NOTEBOOKS["every"]
        ),
    )
