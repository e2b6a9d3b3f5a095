"""How long a class waits whose kernels share one machine, and what they cost: two steps a second.

Every student has a kernel, an explorer in it, and moves its first slider. The messages are a page's
own, without a page: at most one is on its way, and a newer step replaces one that waits.
"""

import itertools
import json
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil  # comes with ipykernel
import zmq
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

import dpwidgets

EXPLORERS = [name for name in dpwidgets.__all__ if name.endswith("Explorer")]
HERE = Path(__file__).parent
PACE = 0.5  # seconds between two steps of a student
LATE = 30.0  # seconds after which nobody waits any more for a picture
FIRST = 4  # steps that load what the later ones find loaded
# Each tells the slider, where it stands and its last place, and which widget is the picture.
WAYS = {
    "explorer": (
        "import dpwidgets, json, ways\n"
        "shown = dpwidgets.{name}()\n"
        "display(shown)\n"
        "slider, picture = ways.first(shown).slider, shown.picture.moving.model_id"
    ),
    "interact": "import json, ways\nslider, picture = ways.interact({name!r}), ''",
}
TELL = "print(json.dumps(['told', slider.model_id, slider.value, slider.max, picture]))"


class Class(NamedTuple):
    """So many students who see pictures in one way."""

    waits: list[float]  # milliseconds from each step to its picture
    unseen: int  # how many steps were taken without a picture, or in vain until the end
    cpu: float  # milliseconds of the kernel's processor time for a step
    pss: float  # megabytes of a kernel; what several share is divided among them

    @property
    def p50_p95_worst(self) -> list[float]:
        waits = sorted(self.waits)
        return [waits[round(part * (len(waits) - 1))] for part in (0.5, 0.95, 1)]


class Student:
    """A kernel with an explorer, and the page's side of its messages."""

    def __init__(self, number: int, way: str, stack: ExitStack) -> None:
        self.way = way
        self.manager = KernelManager(kernel_name="python3")
        stack.callback(self._leave)
        # In the folder of the ways; it warns that nothing between here and there is encrypted.
        self.manager.start_kernel(cwd=str(HERE), stderr=subprocess.DEVNULL)
        self.client: BlockingKernelClient = self.manager.client()
        stack.callback(self.client.stop_channels)
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)
        self.kernel = psutil.Process(self.manager.provisioner.pid)
        self.socket = self.client.iopub_channel.socket
        told: list[str] = []
        code = WAYS[way].format(name=EXPLORERS[number % len(EXPLORERS)])
        reply = self.client.execute_interactive(
            f"{code}\n{TELL}",
            timeout=120,
            store_history=False,
            output_hook=lambda message: told.append(message["content"].get("text", "")),
        )
        if reply["content"]["status"] != "ok":
            raise RuntimeError("\n".join(reply["content"]["traceback"]))
        line = next(line for line in "".join(told).splitlines() if line.startswith('["told"'))
        _, self.slider, value, last, self.picture = json.loads(line)
        if value <= last / 2:
            places = [*range(value, last), *range(last, value, -1)]
        else:
            places = [*range(value, 0, -1), *range(value)]
        self.places = itertools.cycle([*places[1:], value])
        self.flying = ""  # the message that the kernel is at
        self.drawn, self.unseen = True, 0
        self.moved = 0.0  # when the slider was moved that it is about
        self.waiting: float | None = None  # when it was moved since

    def _leave(self) -> None:
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=True)

    def move(self, now: float) -> None:
        """Move the slider one step; what it was moved to before, and not sent, is skipped."""
        self.waiting = now
        self._send()

    def _send(self) -> None:
        if self.flying or self.waiting is None:
            return
        self.moved, self.waiting = self.waiting, None
        data = {"method": "update", "state": {"value": next(self.places)}, "buffer_paths": []}
        message = self.client.session.msg("comm_msg", {"comm_id": self.slider, "data": data})
        self.flying, self.drawn = message["header"]["msg_id"], False
        self.client.shell_channel.send(message)

    def hear(self) -> Iterator[float]:
        """Take the kernel's messages, and yield the seconds from a step to its picture."""
        while self.socket.poll(0):
            _, message = self.client.session.recv(self.socket, zmq.NOBLOCK)
            if not self.flying or message["parent_header"].get("msg_id") != self.flying:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                self.flying = ""
                self.unseen += not self.drawn
                self._send()
            elif not self.drawn and (
                (kind == "display_data" and "image/png" in content["data"])
                or (kind == "comm_msg" and content["comm_id"] == self.picture)
            ):
                self.drawn = True
                yield time.monotonic() - self.moved


def lesson(students: list[Student], seconds: float) -> Class:
    """Let all students move for so many seconds, out of step, and wait for the last pictures."""
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
    before = sum(map(processor_time, students))
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
        1000 * (sum(map(processor_time, students)) - before) / max(1, len(waits)),
        statistics.mean(map(proportional_megabytes, students)),
    )


def processor_time(student: Student) -> float:
    times = student.kernel.cpu_times()
    return times.user + times.system


def proportional_megabytes(student: Student) -> float:
    memory = student.kernel.memory_full_info()
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


def measure(sizes: list[int], seconds: float) -> Iterator[tuple[int, str, Class]]:
    """Measure classes of these sizes, in each way; no kernel is left when it ends or is ended."""
    with ended_by_signals():
        for way in WAYS:
            with ExitStack() as stack:
                students: list[Student] = []
                for size in sorted(sizes):
                    while len(students) < size:
                        students.append(Student(len(students), way, stack))
                        lesson(students[-1:], FIRST * PACE)
                    yield size, way, lesson(students, seconds)
