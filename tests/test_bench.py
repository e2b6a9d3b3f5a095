"""`make bench` measures what it says, and leaves nothing behind; no speed makes a test fail."""

import contextlib
import runpy
import subprocess
import sys
import time
from types import SimpleNamespace

import psutil
import pytest

from server import serve
from tools import ROOT

BENCH = (sys.executable, str(ROOT / "bench"), "class", "--seconds")


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    return SimpleNamespace(**runpy.run_path(str(ROOT / "bench/__main__.py")))


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
    path.touch()
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
            deadline = time.monotonic() + 600
            while not kernels(bench) and time.monotonic() < deadline:
                time.sleep(0.1)
            started = kernels(bench)
            assert started
            # Now and then jupyter_client loses a signal while a kernel starts.
            time.sleep(5)
            bench.terminate()
            assert bench.wait(120) != 0
            assert psutil.wait_procs(started, 120)[1] == []
        finally:
            bench.kill()


def test_a_section_takes_the_place_of_the_one_with_its_title(bench, tmp_path):
    page = tmp_path / "bench.md"
    page.write_text("# B\n\n## One\n\nold\n\n## Two\n\nkept\n")
    for title in ("One", "Three"):
        bench.write(page, f"## {title}\n\nnew")
    assert page.read_text() == (
        "# B\n\n## One\n\nnew\n\n## Two\n\nkept\n\n## Three\n\nnew\n"
    )


def test_a_page_with_explorers_is_loaded_and_every_key_press_has_its_sentence(
    bench, browser, monkeypatch, tmp_path
):
    # Near its end.
    monkeypatch.setitem(bench.alive.NOTEBOOKS, "every", ["WorldsExplorer"])
    (tmp_path / "home").mkdir()
    with serve(tmp_path, tmp_path / "home") as (address, token):
        bench.alive.write(tmp_path)
        lab = bench.alive.Lab(address, token, tmp_path)
        ways = {"a kernel": (bench.alive.kernel, lab)}
        ((first, waits),) = bench.alive.measure(browser, ways, 1).values()
    assert first.seconds > 0
    assert first.megabytes > 1
    assert 0 < waits["WorldsExplorer"].median <= waits["WorldsExplorer"].p95


def test_what_misses_its_aim_is_marked(bench):
    def class_of(p95, cpu, pss):
        return bench.classroom.Class([1.0] * 90 + [p95] * 10, 0, cpu, pss)

    def alive_in(seconds, megabytes, p95):
        wait = bench.alive.Wait(9, p95)
        waits = dict.fromkeys(bench.alive.NOTEBOOKS["every"], wait)
        return bench.alive.Alive(bench.alive.First(seconds, megabytes), waits)

    kept, slow = alive_in(8, 40, 50), alive_in(8.1, 40.1, 51)
    # Its kernel is not the page's.
    in_pages = {"kept": kept, "slow": slow, bench.KERNEL_WAY: slow}
    for table, missed in (
        (bench.classes([(30, "explorer", class_of(300, 15, 90))]), 0),
        # Few are no class.
        (bench.classes([(5, "explorer", class_of(301, 15.1, 91))]), 0),
        (bench.classes([(30, "explorer", class_of(301, 15.1, 91))]), 3),
        (bench.first_sliders(in_pages), 2),
        (bench.sentences(in_pages), len(slow.waits)),
    ):
        assert table.count(bench.MISSED) == missed
        verdict = "It is missed nowhere."
        if missed:
            verdict = f"where it is missed: {missed}."
        assert verdict in bench.verdict("so much", table)
