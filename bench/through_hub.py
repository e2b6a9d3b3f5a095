"""What a class costs on the hub of `course/`: every student has a server of its own, and a kernel.

Hub, proxy, servers and kernels share this machine with the students, who are
in this process.
"""

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import psutil
import websocket
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)

import hub
import tools
from classroom import (
    FIRST,
    PACE,
    Class,
    Student,
    ended_by_signals,
    lesson,
    megabytes,
)

PORT = 18800
#: What all students work at, for the lecturer's page of a class at work.
LESSON = "02_privacy_loss"
SHARE = """
from dpwidgets.teaching import progress, sharing

path = progress.store().path
sharing.agree(path, True)
for question in {answered!r}:
    sharing.count(path, question, "")
"""
PROTOCOL = "v1.kernel.websocket.jupyter.org"  # as JupyterLab speaks


class Found(NamedTuple):
    """What a class through the hub waited for, and what it cost."""

    # Seconds from the first student's start to the last one's server.
    ready: float
    steps: Class  # its processor time is that of all processes of the hub
    shared: float  # megabytes of the hub, its proxy and the grader's page
    page: str  # what the lecturer sees of the class at work


class OnHub(Student):
    """A student with a server that the hub has started, seen through its proxy."""

    def __init__(self, person: hub.Person, stack: ExitStack) -> None:
        self.session = Session(key=b"")
        kernel = person.ask(
            "POST", f"user/{person.name}/api/kernels", json={}
        ).json()["id"]
        address = f"{person.hub.url.replace('http', 'ws')}/user/{person.name}/api/kernels/{kernel}"
        self.wire = websocket.create_connection(
            f"{address}/channels",
            header=person.header,
            subprotocols=[PROTOCOL],
            timeout=120,
        )
        stack.callback(self.wire.close)
        self.socket = self.wire.sock

    def begin(self, number: int, way: str) -> None:
        super().begin(number, way)
        server = self.processes[0].parent()
        assert server is not None
        self.processes.append(server)

    def send(self, message: dict[str, Any]) -> None:
        self.wire.send_binary(
            serialize_msg_to_ws_v1(message, "shell", self.session.pack)
        )

    def heard(self, seconds: float = 0.0) -> Iterator[dict[str, Any]]:
        while select.select([self.socket], [], [], seconds)[0]:
            # A ping is answered, and returned: waiting for what follows it may
            # take half a minute.
            kind, frame = self.wire.recv_data_frame(control_frame=True)
            if kind == websocket.ABNF.OPCODE_BINARY:
                channel, parts = deserialize_msg_from_ws_v1(frame.data)
                if channel == "iopub":
                    yield self.session.deserialize([b"", *parts])
            seconds = 0.0


def measure(size: int, seconds: float) -> Found:
    """Measure a class of this size; nothing of the hub is left when it ends or is ended."""
    names = [f"student{number}" for number in range(size)]
    variables = {
        name: value
        for name, value in os.environ.items()
        if "JUPYTER" not in name
    }
    ours = SimpleNamespace(folder=Path(sys.prefix), variables=variables)
    with ended_by_signals(), ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        repository = tools.copy_repository(folder / "clone")
        running = stack.enter_context(
            hub.Hub(ours, repository, folder, PORT, students=names)
        )
        shared = list(map(psutil.Process, running.processes()))
        people = [hub.Person(running, name) for name in names]
        start = time.monotonic()
        with ThreadPoolExecutor(size) as pool:
            list(pool.map(hub.Person.start, people))
        ready = time.monotonic() - start
        students = []
        for number, person in enumerate(people):
            student = OnHub(person, stack)
            student.begin(number, "explorer")
            lesson([student], FIRST * PACE)
            students.append(student)
            for waiting in students:
                # As a page does; the server leaves whoever answers no ping.
                list(waiting.heard())
        found = lesson(students, seconds, shared)
        page = at_work(students, running, repository / "course")
        return Found(ready, found, sum(map(megabytes, shared)), page)


def at_work(students: list[OnHub], running: hub.Hub, course: Path) -> str:
    """Let all agree and answer, each a question more than the one before; return the page of it."""
    sys.path.append(str(course))
    import seen

    asked = [*seen.questions(LESSON)]
    for number, student in enumerate(students):
        student.run(SHARE.format(answered=asked[: 1 + number % len(asked)]))
    program = [sys.executable, course / "seen.py"]
    for words in (
        ["release", LESSON, "--homes", running.state / "homes"],
        ["show"],
    ):
        subprocess.run(
            [*program, *words],
            cwd=running.state,
            env=running.variables,
            check=True,
        )
    return (running.state / "seen.html").read_text(encoding="utf-8")
