"""How long a class waits whose kernels share one machine, and what they cost: two steps a second.

Every student has a kernel, an explorer in it, and moves its first slider. The
messages are a page's own, without a page: at most one is on its way, and a
newer step replaces one that waits. A kernel ends itself when this process has
ended.
"""

import itertools
import json
import statistics
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import psutil  # comes with ipykernel
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

import dpwidgets

EXPLORERS = [name for name in dpwidgets.__all__ if name.endswith("Explorer")]
PACE = 0.5  # seconds between two steps of a student
LATE = 120.0  # seconds after which nobody waits any more for a picture
FIRST = 4  # steps that load what the later ones find loaded
# Each tells the parameter, if it is an explorer's, the widget that is told,
# where the slider stands and its last place.
WAYS = {
    "explorer": (
        "shown = dpwidgets.{name}()\n"
        "display(shown)\n"
        "parameter, widget = ways.first(shown).name, shown.model_id\n"
        "says = shown._shown[parameter]\n"
        "place, last = says['place'], says['max']"
    ),
    "interact": (
        "slider = ways.interact({name!r})\n"
        "parameter, widget, place, last = '', slider.model_id, slider.value, slider.max"
    ),
}
HERE = str(Path(__file__).parent)
BEGIN = (
    "import dpwidgets, json, os, sys\n"
    f"sys.path.append({HERE!r})\n"
    "import ways\n"
)
TELL = "\nprint(json.dumps(['told', os.getpid(), parameter, widget, place, last]))"


class Class(NamedTuple):
    """So many students who see pictures in one way."""

    waits: list[float]  # milliseconds from each step to its picture
    unseen: int  # steps that another replaced, or that drew nothing
    cpu: float  # milliseconds of processor time for a step
    # Megabytes of a student; what several share is divided among them.
    pss: float


class Student:
    """Somebody with an explorer in a kernel: the page's side of its messages."""

    def __init__(self, stack: ExitStack, name: str, way: str) -> None:
        manager = KernelManager(kernel_name="python3")
        # It warns that nothing between here and there is encrypted.
        manager.start_kernel(stderr=subprocess.DEVNULL)
        stack.callback(manager.shutdown_kernel, now=True)
        self.client: BlockingKernelClient = manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=LATE)
        told: list[str] = []
        self.client.execute_interactive(
            BEGIN + WAYS[way].format(name=name) + TELL,
            timeout=LATE,
            output_hook=lambda heard: told.append(heard["content"].get("text", "")),
        )  # fmt: skip
        line = next(line for line in told if line.startswith('["told"'))
        _, kernel, self.parameter, self.widget, place, last = json.loads(line)
        self.kernel = psutil.Process(kernel)
        # To the farther end and back again, for ever.
        ends = sorted((0, last), key=lambda end: abs(end - place))
        there = range(place, ends[1], 1 if ends[1] else -1)
        self.places = itertools.cycle([*there[1:], ends[1], *there[::-1]])

    def step(self) -> bool:
        """Move the slider one step, wait until that is answered, and tell whether it drew."""
        place = next(self.places)
        asked = {"name": self.parameter, "place": place, "turn": str(place)}
        state = {"_asked": asked} if self.parameter else {"value": place}
        data = {"method": "update", "state": state, "buffer_paths": []}
        content = {"comm_id": self.widget, "data": data}
        message = self.client.session.msg("comm_msg", content)
        self.client.shell_channel.send(message)
        drew = False
        while True:
            heard = self.client.get_iopub_msg(timeout=LATE)
            if heard["parent_header"].get("msg_id") == message["msg_id"]:
                drew = drew or self._draws(heard["content"])
                if heard["content"].get("execution_state") == "idle":
                    return drew

    def _draws(self, content: dict[str, Any]) -> bool:
        """Tell whether a message brings a picture: pyplot's, or what is new in an explorer's."""
        data = content.get("data", {})
        if self.parameter:
            return data.get("method") == "update"
        return "image/png" in data

    def study(self, start: float, steps: int) -> list[float]:
        """Take so many steps from a time on, and return how long each picture took."""
        waits = []
        for step in range(steps):
            moved = start + PACE * step
            time.sleep(max(0.0, moved - time.monotonic()))
            last = step == steps - 1
            replaced = time.monotonic() > moved + PACE and not last
            if not replaced and self.step():
                waits.append(1000 * (time.monotonic() - moved))
        return waits


def lesson(students: list[Student], seconds: float) -> Class:
    """Let all students move for so many seconds, out of step, and wait for the last pictures."""
    steps = max(1, round(seconds / PACE))
    start = time.monotonic()
    begins = [start + PACE * at / len(students) for at in range(len(students))]
    before = processor_time(students)
    with ThreadPoolExecutor(len(students)) as pool:
        studied = pool.map(
            Student.study, students, begins, itertools.repeat(steps)
        )
        waits = list(itertools.chain.from_iterable(studied))
    spent = processor_time(students) - before
    return Class(
        waits,
        len(students) * steps - len(waits),
        1000 * spent / max(1, len(waits)),
        statistics.mean(megabytes(student.kernel) for student in students),
    )


def processor_time(students: list[Student]) -> float:
    seconds = 0.0
    for student in students:
        times = student.kernel.cpu_times()
        seconds += times.user + times.system
    return seconds


def megabytes(process: psutil.Process) -> float:
    memory = process.memory_full_info()
    return getattr(memory, "pss", memory.uss) / 1e6


def measure(
    sizes: list[int], seconds: float
) -> Iterator[tuple[int, str, Class]]:
    """Measure classes of these sizes, in each way."""
    for way in WAYS:
        with ExitStack() as stack:
            students: list[Student] = []
            for size in sorted(sizes):
                while len(students) < size:
                    name = EXPLORERS[len(students) % len(EXPLORERS)]
                    students.append(Student(stack, name, way))
                    lesson(students[-1:], FIRST * PACE)
                yield size, way, lesson(students, seconds)
