"""A student's kernel, as whoever grades talks to it: nothing it says is believed or kept whole.

It is asked in lines of JSON, and answers each in one. What comes is counted
before it is kept, and of outputs there remain text and pictures. A kernel that
says too much, or what no sound kernel says, is taken for one that has ended.
"""

import base64
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from examiner import SLOW, KernelError
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from sandbox import START, lifetime, sandboxed
from strangers import sound

#: What runs in there.
INSIDE = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")
#: As many bytes as one answer of a kernel, and all of them, may have.
MOST = 5_000_000
MOST_OF_ALL = 50_000_000
PATIENCE = 60  # seconds that it may not read
GRACE = 5  # seconds in which it says that it was interrupted
#: What the programs that start a kernel are told of the surroundings; by the
#: last systemd is found.
KNOWN = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "XDG_RUNTIME_DIR")
#: As many signs of a text as are kept, and as many displayed things of a cell:
#: each of them is checked anew.
LONGEST = 100_000
SHOWN = 1_000
#: Colours, and whatever else a terminal is told: a page takes hours to follow
#: very many.
TERMINAL = re.compile(r"\x1b(?:\[[0-9;:?]*[A-Za-z]?)?")


class StudentsKernel:
    """A kernel in a sandbox, until it is closed.

    Attributes
    ----------
    spent : float
        Seconds of the processor's time until its last answer, as it says; whoever says too little
        gets no more by the wall's clock.
    """

    def __init__(self, seconds: float) -> None:
        self._wire, theirs = socket.socketpair()
        self._lines = self._wire.makefile("rb")
        self._many = 0
        self.spent = 0.0
        number = theirs.fileno()
        with theirs:
            self._process = subprocess.Popen(
                [
                    *lifetime(START + SLOW * seconds),
                    *sandboxed(INSIDE, str(number)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={
                    name: os.environ[name]
                    for name in KNOWN
                    if name in os.environ
                },
                pass_fds=[number],
                start_new_session=True,
            )
        try:
            self._answer(START)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the kernel and all that it has started."""
        self._lines.close()
        self._wire.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def run(self, code: str, seconds: float) -> list[NotebookNode]:
        """Run a cell and return its outputs; interrupt it if it takes too long.

        Raises
        ------
        KernelError
            If it ends the kernel, cannot be stopped, or says something odd.
        """
        with believing_nothing():
            return shown(self.ask(code, seconds))

    def ask(self, what: Any, seconds: float) -> Any:
        """Return the kernel's answer; it interrupts itself in time, or it is given up.

        Parameters
        ----------
        what : str or list
            A cell; or names, of each of which it says what it stands for, or
            with arguments beside it what it returns.
        seconds : float
            How much of the processor's time that may take.
        """
        asked = json.dumps([seconds, SLOW * seconds, what])
        with believing_nothing():
            self._wire.settimeout(PATIENCE)
            self._wire.sendall(f"{asked}\n".encode())
            self._wire.settimeout(None)
        return self._answer(SLOW * seconds + GRACE)

    def _answer(self, seconds: float) -> Any:
        """Return the next line that the kernel says, as JSON has it.

        It may say a little again and again, so the end is set by a clock
        beside: then no more comes.
        """
        over = threading.Timer(
            seconds, self._wire.shutdown, [socket.SHUT_RDWR]
        )
        over.start()
        with believing_nothing():
            try:
                line = self._lines.readline(MOST)
            finally:
                over.cancel()
            self._many += len(line)
            if self._many > MOST_OF_ALL:
                raise ValueError("it says too much")
            # A piece of a line is no JSON.
            spent, answer = json.loads(sound(json.loads(line)))
            self.spent = float(spent)
            return answer


@contextlib.contextmanager
def believing_nothing() -> Iterator[None]:
    """Take a kernel that says anything odd for one that has ended: it costs only whose it is."""
    try:
        yield
    except Exception as error:
        raise KernelError(f"no sound kernel says {error!r}") from error


def words(text: object) -> str:
    """Return the beginning of a text, without what tells a terminal something."""
    return TERMINAL.sub("", str(text)[:LONGEST])


def shown(said: dict[str, Any]) -> list[NotebookNode]:
    """Return anew what a cell prints and displays: text, or a picture that is one."""
    outputs: list[NotebookNode] = []
    for name in ("stdout", "stderr"):
        if text := words(said[name]):
            outputs.append(new_output("stream", name=name, text=text))
    for displayed in said["displayed"][:SHOWN]:
        if "error" in displayed:
            name, value, trace = map(words, displayed["error"])
            outputs.append(
                new_output(
                    "error", ename=name, evalue=value, traceback=[trace]
                )
            )
            continue
        text = displayed.get("text/plain", "an output without text")
        data = {"text/plain": words(text)}
        for kind in ("image/png", "image/jpeg"):
            with contextlib.suppress(KeyError, AttributeError, ValueError):
                plain = "".join(displayed[kind].split())
                picture = base64.b64decode(plain, validate=True)
                data[kind] = base64.b64encode(picture).decode()
        outputs.append(new_output("display_data", data=data))
    return outputs
