"""`make bench` measures what it says, and leaves nothing behind; no speed makes a test fail."""

import contextlib
import runpy
import subprocess
import sys
import time
from contextlib import nullcontext
from types import SimpleNamespace

import psutil

from tools import ROOT

BENCH = (sys.executable, str(ROOT / "bench"), "class", "--seconds")


def kernels(bench):
    """Return the kernels that a bench has started and that run."""
    found = []
    for child in psutil.Process(bench.pid).children(recursive=True):
        # It may end meanwhile, as git does.
        with contextlib.suppress(psutil.NoSuchProcess):
            if any("ipykernel" in word for word in child.cmdline()):
                found.append(child)
    return found


def test_a_class_of_one_sees_its_pictures(tmp_path):
    path = tmp_path / "bench.md"
    subprocess.run(
        [*BENCH, "1", "--students", "1", "--to", path],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    rows = [
        line.split(" | ")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    found = {row[1]: row for row in rows if row[0] == "| 1"}
    assert set(found) == {"explorer", "interact"}
    for row in found.values():
        # Of two steps; a busy machine may be too slow.
        pictures, without = row[3:5]
        assert int(pictures) + int(without) == 2


def test_a_bench_that_is_ended_leaves_no_kernel():
    # A pipe could fill.
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(
        [*BENCH, "600", "--students", "1"], **silent
    ) as bench:
        try:
            deadline = time.monotonic() + 120
            while not kernels(bench) and time.monotonic() < deadline:
                time.sleep(0.1)
            started = kernels(bench)
            assert started
            # Now and then jupyter_client loses a signal while a kernel starts.
            time.sleep(5)
            bench.terminate()
            assert bench.wait(60) != 0
            assert psutil.wait_procs(started, 60)[1] == []
        finally:
            bench.kill()


def test_without_pyodide_it_is_said_that_no_page_was_measured(tmp_path):
    page = tmp_path / "bench.md"
    page.write_text("# Benchmarks\n")
    command = (
        sys.executable,
        ROOT / "bench",
        "live",
        "--pyodide",
        tmp_path,
        "--to",
        page,
    )
    said = subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout
    assert (
        "no --pyodide or DPWIDGETS_PYODIDE names a folder of Pyodide's distribution"
        in said
    )
    assert page.read_text() == "# Benchmarks\n"


def test_a_page_with_explorers_is_loaded_and_every_key_press_has_its_sentence(
    browser, monkeypatch
):
    monkeypatch.syspath_prepend(ROOT / "bench")
    bench = SimpleNamespace(
        **runpy.run_path(str(ROOT / "bench" / "__main__.py"))
    )
    room = bench.in_lab.__wrapped__.__globals__
    # A process has one.
    monkeypatch.setitem(room, "launch", lambda _: nullcontext(browser))
    # Near its end.
    monkeypatch.setitem(bench.alive.NOTEBOOKS, "every", ["WorldsExplorer"])
    with bench.in_lab() as lab:
        bench.alive.write(lab.folder)
        found = bench.alive.measure(
            lab.browser, {"a kernel": (bench.alive.kernel, lab)}, 1
        )
    (one,) = found.values()
    assert one.first.seconds > 0
    assert one.first.megabytes > 1
    assert (
        0
        < one.waits["WorldsExplorer"].median
        <= one.waits["WorldsExplorer"].p95
    )


def test_what_misses_its_aim_is_marked(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    bench = SimpleNamespace(**runpy.run_path(str(ROOT / "bench/tables.py")))
    wait = bench.Wait
    drag = sys.modules["latency"].Drag(40, ends_on_last=True)

    def view(median, p95, drag=None):
        waits = dict.fromkeys(bench.WAYS, (99, 199))
        waits |= {"floor": (16, 60), "explorer": (median, p95)}
        return {
            way: bench.Measured(wait(*each), drag, 100)
            for way, each in waits.items()
        }

    def class_of(p95, cpu, pss):
        return bench.classroom.Class([1.0] * 90 + [p95] * 10, 0, cpu, pss)

    def alive_in(seconds, megabytes, p95):
        waits = dict.fromkeys(bench.alive.NOTEBOOKS["every"], wait(9, p95))
        return bench.alive.Alive(bench.alive.First(seconds, megabytes), waits)

    kept, slow = alive_in(8, 40, 50), alive_in(8.1, 40.1, 51)
    # Its kernel is not the page's.
    in_pages = {"kept": kept, "slow": slow, bench.KERNEL_WAY: slow}
    every = len(slow.waits)
    visits = {
        "kept": (1000, 16, 33),
        "first": (1001, 16, 33),
        "slow": (9, 16, 34),
    }
    for table, missed in (
        (bench.waits({"kept": view(33, 69, drag)}), 0),
        (bench.waits({"kept": view(33, 90), "first": view(33, 70, drag)}), 1),
        (
            bench.waits({"median": view(34, 69, drag), "both": view(50, 120)}),
            3,
        ),
        (bench.classes([(30, "explorer", class_of(300, 15, 90))]), 0),
        # Few are no class.
        (bench.classes([(5, "explorer", class_of(301, 15.1, 91))]), 0),
        (bench.classes([(30, "explorer", class_of(301, 15.1, 91))]), 3),
        (bench.first_sliders(in_pages), 2),
        (bench.sentences(in_pages), every),
        (
            bench.strips(
                {
                    name: bench.visits.Waits(*each)
                    for name, each in visits.items()
                }
            ),
            2,
        ),
    ):
        assert table.count(bench.MISSED) == missed
        if missed:
            verdict = f"where it is missed: {missed}."
        else:
            verdict = "It is missed nowhere."
        assert verdict in bench.verdict("so much", table)
