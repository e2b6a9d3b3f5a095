"""A student's kernel, as whoever grades talks to it: nothing it says is believed or kept whole.

All that it sends is counted as it comes, and of its outputs there remain text
and pictures. A kernel that sends too much, or what no sound kernel sends, is
taken for one that has ended.
"""

import base64
import contextlib
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from typing import Any

import matplotlib.font_manager
from jupyter_client.manager import KernelManager
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from sandbox import Sandbox, Trusted
from strangers import sound
from wire import Wire

#: As many bytes as all messages of a kernel may have.
MOST_OF_ALL = 50_000_000
#: The kernel's sockets that are used, and which of ZeroMQ's each of ours is.
KINDS = {"shell": b"DEALER", "control": b"DEALER", "iopub": b"SUB"}
HEARD = ("shell", "iopub")
START = 60  # seconds until a kernel answers
#: With what a kernel ends that somebody has killed: as Python says it, and as
#: a shell does.
KILLED = (-9, 137)
#: What a student's kernel without a sandbox is told of the surroundings of
#: whoever grades.
KNOWN = (
    *("PATH", "PYTHONPATH", "PYTHONUTF8", "LD_LIBRARY_PATH"),
    *("LANG", "LC_ALL", "SYSTEMROOT"),
)
#: As many signs of a text as are kept.
LONGEST = 100_000
#: Colours, and whatever else a terminal is told: a page takes hours to follow
#: very many.
TERMINAL = re.compile(r"\x1b(?:\[[0-9;:?]*[A-Za-z]?)?")
SHOWN = ("stream", "error", "display_data", "execute_result")
IDLE_BY_THEN = 4  # seconds after its reply
QUIET = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)


class KernelError(Exception):
    """The kernel has ended, cannot be stopped, or says what no sound kernel says."""


class KilledError(KernelError):
    """The kernel was killed, by itself or by a system that is short of memory."""


class StudentsKernel:
    """A kernel in a sandbox, or without one where a student is trusted, until it is closed."""

    def __init__(self, seconds: float, *, trust: bool) -> None:
        self._home = tempfile.mkdtemp(prefix="dpwidgets-")
        self._manager = KernelManager(
            connection_file=f"{self._home}/connection.json"
        )
        spec: Any = self._manager.kernel_spec
        about = {
            "kernel_id": "a student's",
            "kernel_spec": spec,
            "parent": self._manager,
        }
        if trust:
            self._manager.provisioner = Trusted(seconds, **about)
            shutil.copytree(
                matplotlib.get_cachedir(), f"{self._home}/matplotlib"
            )
        else:
            sandbox = Sandbox(seconds, **about)
            self._manager.provisioner = sandbox
            self._manager.session.key = b""  # nobody else reaches the sockets
            # Where nothing is: the manager itself would hear without a bound.
            self._manager.transport = "ipc"
            self._manager.ip = f"{sandbox.folder}/nothing"
            for port, number in sandbox.ports.items():
                setattr(self._manager, port, number)
        variables = {
            name: os.environ[name] for name in KNOWN if name in os.environ
        }
        variables |= {
            "HOME": self._home,
            "MPLCONFIGDIR": f"{self._home}/matplotlib",
        }
        self._manager.start_kernel(**QUIET, cwd=self._home, env=variables)
        self._trust = trust
        self._session = self._manager.session
        self._session.unpack = lambda part: json.loads(sound(part.decode()))
        self._wires: dict[str, Wire] = {}
        try:
            self._connect()
        except BaseException:
            self.close()
            raise

    def _connect(self) -> None:
        """Ask the kernel who it is until it answers, and until its outputs are heard too."""
        provisioner: Any = self._manager.provisioner
        end = time.monotonic() + START
        silent = set(HEARD)
        while silent:
            if time.monotonic() > end or not self._manager.is_alive():
                raise KernelError("the kernel does not start")
            try:
                for name in KINDS.keys() - self._wires.keys():
                    address = provisioner.address(name)
                    self._wires[name] = Wire(address, KINDS[name])
            except ConnectionRefusedError:
                time.sleep(0.1)
                continue
            self._say("shell", "kernel_info_request", {})
            silent -= {name for name, _ in self._messages()}

    def _say(self, channel: str, kind: str, content: dict[str, Any]) -> str:
        """Send a message, and return its number."""
        message = self._session.msg(kind, content)
        try:
            self._wires[channel].send(self._session.serialize(message))
        except OSError:
            raise self._ended() from None
        return message["header"]["msg_id"]

    def close(self) -> None:
        """End the kernel, and with a sandbox all that it has started."""
        for wire in self._wires.values():
            wire.socket.close()
        self._manager.shutdown_kernel(now=True)
        # RecursionError: a student without a sandbox left folders in folders.
        with contextlib.suppress(RecursionError):
            shutil.rmtree(self._home, ignore_errors=True)

    def run(self, code: str, seconds: float) -> list[NotebookNode]:
        """Run a cell and return its outputs; interrupt it if it takes too long.

        Raises
        ------
        KernelError
            If it ends the kernel, asks for that, or cannot be stopped.
        """
        outputs: list[NotebookNode] = []
        message = self._say("shell", "execute_request", asked(code))
        reply = self._reply(message, seconds, outputs)
        for request in reply.get("payload", ()):
            if request.get("source") == "ask_exit":
                # The kernel goes on for a moment.
                raise KernelError("the cell ends Python")
        return outputs

    def tell(self, expression: str, seconds: float) -> Any:
        """Return what the kernel says of an expression, whatever that is."""
        content = asked("", silent=True, told=expression)
        message = self._say("shell", "execute_request", content)
        try:
            reply = self._reply(message, seconds, [])
            return reply["user_expressions"]["told"]
        except (KeyError, TypeError, IndexError):
            return None

    def _reply(
        self, message: str, seconds: float, outputs: list[NotebookNode]
    ) -> dict[str, Any]:
        """Return the kernel's reply; interrupt it if it takes too long, and give it up then."""
        for wait in (seconds, 5):
            try:
                return self._waited(message, wait, outputs)
            except TimeoutError:
                self._interrupt()
            except KernelError:
                raise
            except Exception as error:
                raise KernelError(
                    f"no sound kernel says that: {error!r}"
                ) from error
        raise KernelError("the kernel does not answer")

    def _waited(
        self, message: str, seconds: float, outputs: list[NotebookNode]
    ) -> dict[str, Any]:
        """Return the reply once the kernel is idle again, and collect the outputs on the way."""
        end = time.monotonic() + seconds
        reply: dict[str, Any] | None = None
        idle = False
        while reply is None or not idle:
            if time.monotonic() > end:
                if reply is not None:
                    return reply
                raise TimeoutError
            for _, heard in self._messages():
                if heard["parent_header"].get("msg_id") != message:
                    continue
                kind, content = heard["msg_type"], heard["content"]
                if kind == "execute_reply":
                    reply = content
                    end = min(end, time.monotonic() + IDLE_BY_THEN)
                elif kind == "status":
                    idle = content["execution_state"] == "idle"
                elif kind == "clear_output":
                    outputs.clear()
                elif kind in SHOWN:
                    outputs.append(shown(kind, content))
        return reply

    def _interrupt(self) -> None:
        if self._trust:
            self._manager.interrupt_kernel()
        else:  # no signal gets into the sandbox
            self._say("control", "interrupt_request", {})

    def _messages(self) -> list[tuple[str, dict[str, Any]]]:
        """Return what the kernel says next, and where, if it says anything within a second."""
        names = {self._wires[name].socket: name for name in HEARD}
        ready, _, _ = select.select([*names], [], [], 1)
        if not ready and not self._manager.is_alive():
            raise self._ended()
        found: list[tuple[str, dict[str, Any]]] = []
        for one in ready:
            try:
                for parts in self._wires[names[one]].messages():
                    _, parts = self._session.feed_identities(parts)
                    heard = self._session.deserialize(parts)
                    found.append((names[one], heard))
            except OSError:
                raise self._ended() from None
        if sum(wire.heard for wire in self._wires.values()) > MOST_OF_ALL:
            raise KernelError("it says too much")
        return found

    def _ended(self) -> KernelError:
        """Return the error that the kernel has ended, by whatever."""
        provisioner: Any = self._manager.provisioner
        with contextlib.suppress(subprocess.TimeoutExpired):
            if provisioner.process.wait(5) in KILLED:
                return KilledError("the kernel was killed")
        return KernelError("the kernel has ended")


def asked(
    code: str, *, silent: bool = False, **expressions: str
) -> dict[str, Any]:
    """Return what a kernel is asked to run, and of what it is to say what it is."""
    return {
        "code": code,
        "silent": silent,
        "store_history": not silent,
        "user_expressions": expressions,
        "allow_stdin": False,
        "stop_on_error": True,
    }


def words(text: object) -> str:
    """Return the beginning of a text, without what tells a terminal something."""
    return TERMINAL.sub("", str(text)[:LONGEST])


def shown(kind: str, content: dict[str, Any]) -> NotebookNode:
    """Return an output anew: text, an error, or a picture that is one."""
    if kind == "stream":
        name = "stderr" if content["name"] == "stderr" else "stdout"
        return new_output("stream", name=name, text=words(content["text"]))
    if kind == "error":
        return new_output(
            "error",
            ename=words(content["ename"]),
            evalue=words(content["evalue"]),
            traceback=[words("\n".join(map(str, content["traceback"])))],
        )
    text = content["data"].get("text/plain", "an output without text")
    data = {"text/plain": words(text)}
    for kind_of in ("image/png", "image/jpeg"):
        with contextlib.suppress(KeyError, AttributeError, ValueError):
            plain = "".join(content["data"][kind_of].split())
            picture = base64.b64decode(plain, validate=True)
            data[kind_of] = base64.b64encode(picture).decode()
    return new_output("display_data", data=data)
