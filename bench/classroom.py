"""How long a class waits whose kernels share one machine, and what they cost: two steps a second.

Every student has a kernel, an explorer in it, and moves its first slider. The
messages are a page's own, without a page: at most one is on its way, and a
newer step replaces one that waits.
"""

import itertools
import json
import math
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil  # comes with ipykernel
import zmq
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager
from jupyter_client.session import Session

import dpwidgets

EXPLORERS = [name for name in dpwidgets.__all__ if name.endswith("Explorer")]
HERE = Path(__file__).parent
PACE = 0.5  # seconds between two steps of a student
LATE = 30.0  # seconds after which nobody waits any more for a picture
FIRST = 4  # steps that load what the later ones find loaded
# Each tells the parameter, if it is an explorer's, the widget that is told,
# where the slider stands and its last place.
WAYS = {
    "explorer": (
        "import dpwidgets, json, ways\n"
        "shown = dpwidgets.{name}()\n"
        "display(shown)\n"
        "parameter, widget = ways.first(shown).name, shown.model_id\n"
        "says = shown._shown[parameter]\n"
        "place, last = says['place'], says['max']"
    ),
    "interact": (
        "import json, ways\n"
        "slider = ways.interact({name!r})\n"
        "parameter, widget, place, last = '', slider.model_id, slider.value, slider.max"
    ),
}
TELL = "import os\nprint(json.dumps(['told', os.getpid(), parameter, widget, place, last]))"


class Class(NamedTuple):
    """So many students who see pictures in one way."""

    waits: list[float]  # milliseconds from each step to its picture
    # How many steps were taken without a picture, or in vain until the end.
    unseen: int
    cpu: float  # milliseconds of processor time for a step
    # Megabytes of a student; what several share is divided among them.
    pss: float

    @property
    def p50_p95_worst(self) -> list[float]:
        waits = sorted(self.waits) or [math.inf]
        return [
            waits[round(part * (len(waits) - 1))] for part in (0.5, 0.95, 1)
        ]


class Student:
    """Somebody with an explorer in a kernel: the page's side of its messages.

    A subclass starts the kernel, and brings `send` and `heard`.
    """

    session: Session
    socket: Any  # what a poller can wait for
    # That run for this student alone, the kernel first.
    processes: list[psutil.Process]

    def begin(self, number: int, way: str) -> None:
        """Show the explorer, whose turn it is by the number, and find its slider."""
        code = WAYS[way].format(name=EXPLORERS[number % len(EXPLORERS)])
        told = self.run(
            f"import sys\nsys.path.append({str(HERE)!r})\n{code}\n{TELL}"
        )
        line = next(
            line for line in told.splitlines() if line.startswith('["told"')
        )
        _, kernel, self.parameter, self.widget, value, last = json.loads(line)
        self.processes = [psutil.Process(kernel)]
        if value <= last / 2:
            places = [*range(value, last), *range(last, value, -1)]
        else:
            places = [*range(value, 0, -1), *range(value)]
        self.places = itertools.cycle([*places[1:], value])
        self.flying = ""  # the message that the kernel is at
        self.drawn, self.unseen = True, 0
        self.moved = 0.0  # when the slider was moved that it is about
        self.waiting: float | None = None  # when it was moved since

    def send(self, message: dict[str, Any]) -> None:
        raise NotImplementedError

    def heard(self, seconds: float = 0.0) -> Iterator[dict[str, Any]]:
        """Yield the messages that have come, after so many seconds at most."""
        raise NotImplementedError

    def run(self, code: str, seconds: float = 120) -> str:
        """Run code and return what it printed."""
        content = {
            "code": code,
            "silent": False,
            "store_history": False,
            "allow_stdin": False,
        }
        message = self.session.msg("execute_request", content)
        self.send(message)
        told, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            for heard in self.heard(1.0):
                kind, content = heard["msg_type"], heard["content"]
                if (
                    heard["parent_header"].get("msg_id")
                    != message["header"]["msg_id"]
                ):
                    continue
                if kind == "error":
                    raise RuntimeError("\n".join(content["traceback"]))
                told += content["text"] if kind == "stream" else ""
                if kind == "status" and content["execution_state"] == "idle":
                    return told
        raise TimeoutError(f"not within {seconds:g} s: {code}")

    def move(self, now: float) -> None:
        """Move the slider one step; what it was moved to before, and not sent, is skipped."""
        self.waiting = now
        self._send()

    def _send(self) -> None:
        if self.flying or self.waiting is None:
            return
        self.moved, self.waiting = self.waiting, None
        place = next(self.places)
        asked = {
            "name": self.parameter,
            "place": place,
            "turn": str(time.monotonic()),
        }
        state = {"_asked": asked} if self.parameter else {"value": place}
        data = {"method": "update", "state": state, "buffer_paths": []}
        message = self.session.msg(
            "comm_msg", {"comm_id": self.widget, "data": data}
        )
        self.flying, self.drawn = message["header"]["msg_id"], False
        self.send(message)

    def hear(self) -> Iterator[float]:
        """Take the kernel's messages, and yield the seconds from a step to its picture."""
        for message in self.heard():
            if (
                not self.flying
                or message["parent_header"].get("msg_id") != self.flying
            ):
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                self.flying = ""
                self.unseen += not self.drawn
                self._send()
            elif not self.drawn and (
                (kind == "display_data" and "image/png" in content["data"])
                or (
                    kind == "comm_msg"
                    and content["comm_id"] == self.widget
                    and "_moving" in content["data"].get("state", {})
                )
            ):
                self.drawn = True
                yield time.monotonic() - self.moved


class WithKernel(Student):
    """A student whose kernel is this process's own, without a server."""

    def __init__(self, stack: ExitStack) -> None:
        self.manager = KernelManager(kernel_name="python3")
        stack.callback(self._leave)
        # It warns that nothing between here and there is encrypted.
        self.manager.start_kernel(stderr=subprocess.DEVNULL)
        self.client: BlockingKernelClient = self.manager.client()
        stack.callback(self.client.stop_channels)
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)
        self.session, self.socket = (
            self.client.session,
            self.client.iopub_channel.socket,
        )

    def _leave(self) -> None:
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=True)

    def send(self, message: dict[str, Any]) -> None:
        self.client.shell_channel.send(message)

    def heard(self, seconds: float = 0.0) -> Iterator[dict[str, Any]]:
        while self.socket.poll(1000 * seconds):
            yield self.session.recv(self.socket, zmq.NOBLOCK)[1]
            seconds = 0.0


def lesson(
    students: Sequence[Student],
    seconds: float,
    shared: Sequence[psutil.Process] = (),
) -> Class:
    """Let all students move for so many seconds, out of step, and wait for the last pictures.

    The processor time of processes that all share is counted too.
    """
    working = [
        *shared,
        *(process for student in students for process in student.processes),
    ]
    poller = zmq.Poller()
    for student in students:
        poller.register(student.socket, zmq.POLLIN)
    start = time.monotonic()
    turns = sorted(
        (start + PACE * (step + number / len(students)), number)
        for number in range(len(students))
        for step in range(max(1, round(seconds / PACE)))
    )
    waits: list[float] = []
    for student in students:
        student.unseen = 0
    before = sum(map(processor_time, working))
    while turns or any(student.flying for student in students):
        now = time.monotonic()
        if now > start + seconds + LATE:
            break
        while turns and turns[0][0] <= now:
            due, number = turns.pop(0)
            students[number].move(due)
        due = turns[0][0] if turns else now + PACE
        poller.poll(max(0.0, 1000 * (due - time.monotonic())))
        for student in students:
            waits += (1000 * wait for wait in student.hear())
    return Class(
        waits,
        sum(student.unseen + bool(student.flying) for student in students),
        1000
        * (sum(map(processor_time, working)) - before)
        / max(1, len(waits)),
        statistics.mean(
            sum(map(megabytes, student.processes)) for student in students
        ),
    )


def processor_time(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def megabytes(process: psutil.Process) -> float:
    memory = process.memory_full_info()
    return getattr(memory, "pss", memory.uss) / 1e6


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let whoever ends this process end its kernels too; the kernels have groups of their own."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def measure(
    sizes: list[int], seconds: float
) -> Iterator[tuple[int, str, Class]]:
    """Measure classes of these sizes, in each way; no kernel is left when it ends or is ended."""
    with ended_by_signals():
        for way in WAYS:
            with ExitStack() as stack:
                students: list[Student] = []
                for size in sorted(sizes):
                    while len(students) < size:
                        student = WithKernel(stack)
                        student.begin(len(students), way)
                        students.append(student)
                        lesson(students[-1:], FIRST * PACE)
                    yield size, way, lesson(students, seconds)
