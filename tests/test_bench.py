"""`make bench` measures what it says, and leaves nothing behind; no speed makes a test fail."""

import contextlib
import signal
import subprocess
import sys
import time

import psutil

from tools import ROOT

BENCH = (sys.executable, str(ROOT / "tests" / "bench"), "class", "--seconds", "1")


def kernels(process):
    """Return the kernels that a bench has started and that run."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # it may end meanwhile, as git does
            if any("ipykernel" in word for word in child.cmdline()):
                found.append(child)
    return found


def test_a_class_of_one_sees_its_pictures(tmp_path):
    path = tmp_path / "bench.md"
    subprocess.run([*BENCH, "--students", "1", "--to", path], check=True, capture_output=True)
    rows = [line.split(" | ") for line in path.read_text(encoding="utf-8").splitlines()]
    found = {row[1]: row for row in rows if row[0] == "| 1"}
    assert set(found) == {"explorer", "interact"}
    for row in found.values():
        assert row[3:5] == ["2", "0"]  # two steps, and each has its picture


def test_a_bench_that_is_interrupted_leaves_no_kernel():
    for end in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen(
            [*BENCH, "--students", "2", "--seconds", "600"],  # it does not end by itself
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # a pipe that nobody reads could fill
            # Where the tests themselves run in the background, SIGINT may be ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as bench:
            try:
                deadline = time.monotonic() + 120
                while len(started := kernels(bench)) < 2 and time.monotonic() < deadline:
                    time.sleep(0.1)
                assert len(started) == 2
                time.sleep(5)  # now and then jupyter_client loses a signal while a kernel starts
                bench.send_signal(end)
                assert bench.wait(60) != 0
                assert psutil.wait_procs(started, 60)[1] == []
            finally:
                bench.kill()
