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
import signal
import socket
import subprocess
import tempfile
import time
from typing import Any

import matplotlib.font_manager
from jupyter_client.session import Session
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from sandbox import PROGRAM, lifetime, sandboxed, trusted
from strangers import sound
from wire import Wire

#: As many bytes as all messages of a kernel may have.
MOST_OF_ALL = 50_000_000
#: The kernel's sockets, and which of ZeroMQ's is ours where one is used.
KINDS = {"shell": b"DEALER", "control": b"DEALER", "iopub": b"SUB"}
KINDS |= {"stdin": b"", "hb": b""}
HEARD = ("shell", "iopub")
START = 60  # seconds until a kernel answers
#: With what a kernel ends that somebody has killed: as Python says it, and as
#: a shell does.
KILLED = (-9, 137)
#: What a student's kernel without a sandbox is told of the surroundings of
#: whoever grades, and what starts one; by the last systemd is found.
KNOWN = (
    *("PATH", "PYTHONPATH", "PYTHONUTF8", "LD_LIBRARY_PATH"),
    *("LANG", "LC_ALL", "XDG_RUNTIME_DIR"),
)
#: As many signs of a text as are kept.
LONGEST = 100_000
#: Colours, and whatever else a terminal is told: a page takes hours to follow
#: very many.
TERMINAL = re.compile(r"\x1b(?:\[[0-9;:?]*[A-Za-z]?)?")
SHOWN = ("stream", "error", "display_data", "execute_result")
IDLE_BY_THEN = 4  # seconds after its reply
#: What runs: a kernel whose ports are the numbers of sockets that it is given.
KERNEL = """
import json, sys, zmq
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.session import Session

bind = zmq.Socket.bind

def bind_given(socket, address):
    if address.startswith("ipc://given-"):
        socket.setsockopt(zmq.USE_FD, int(address.rpartition("-")[2]))
    return bind(socket, address)

zmq.Socket.bind = bind_given
ports = json.loads(sys.argv.pop())
IPKernelApp.launch_instance(
    argv=[], session=Session(key=b""), transport="ipc", ip="given", **ports
)
"""
QUIET: dict[str, Any] = dict.fromkeys(
    ("stdin", "stdout", "stderr"), subprocess.DEVNULL
)


class KernelError(Exception):
    """The kernel has ended, cannot be stopped, or says what no sound kernel says."""


class KilledError(KernelError):
    """The kernel was killed, by itself or by a system that is short of memory."""


class StudentsKernel:
    """A kernel in a sandbox, or without one where a student is trusted, until it is closed."""

    def __init__(self, seconds: float, *, trust: bool) -> None:
        self._folder = tempfile.mkdtemp(prefix="dpwidgets-")
        self._session = Session()
        self._session.key = b""  # nobody else reaches the sockets
        self._session.unpack = lambda part: json.loads(sound(part.decode()))
        self._wires: dict[str, Wire] = {}
        self._start(seconds, trust=trust)
        try:
            for name, kind in KINDS.items():
                if kind:
                    self._wires[name] = Wire(f"{self._folder}/{name}", kind)
            self._wait_for_ready()
        except BaseException:
            self.close()
            raise

    def _start(self, seconds: float, *, trust: bool) -> None:
        """Start the kernel with sockets that are opened here, and are its alone from then on."""
        home = f"{self._folder}/home"
        os.mkdir(home)
        variables = {
            name: os.environ[name] for name in KNOWN if name in os.environ
        }
        variables |= {"HOME": home, "MPLCONFIGDIR": f"{home}/matplotlib"}
        if trust:
            shutil.copytree(matplotlib.get_cachedir(), f"{home}/matplotlib")
        with contextlib.ExitStack() as given:
            ports: dict[str, int] = {}
            for name in KINDS:
                one = given.enter_context(socket.socket(socket.AF_UNIX))
                one.bind(f"{self._folder}/{name}")
                one.listen()
                ports[f"{name}_port"] = one.fileno()
            program = (PROGRAM, "-c", KERNEL, json.dumps(ports))
            command = trusted(*program) if trust else sandboxed(*program)
            self._process = subprocess.Popen(
                [*lifetime(START + seconds), *command],
                **QUIET,
                cwd=home,
                env=variables,
                pass_fds=[*ports.values()],
                start_new_session=True,
            )

    def _wait_for_ready(self) -> None:
        """Ask the kernel who it is until it answers, and until its outputs are heard too."""
        end = time.monotonic() + START
        silent = set(HEARD)
        while silent:
            if time.monotonic() > end:
                raise KernelError("the kernel does not start")
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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        # RecursionError: a student without a sandbox left folders in folders.
        with contextlib.suppress(RecursionError):
            shutil.rmtree(self._folder, ignore_errors=True)

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
                self._say("control", "interrupt_request", {})
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

    def _messages(self) -> list[tuple[str, dict[str, Any]]]:
        """Return what the kernel says next, and where, if it says anything within a second."""
        names = {self._wires[name].socket: name for name in HEARD}
        ready, _, _ = select.select([*names], [], [], 1)
        if not ready and self._process.poll() is not None:
            raise self._ended()
        found: list[tuple[str, dict[str, Any]]] = []
        for one in ready:
            try:
                for parts in self._wires[names[one]].messages():
                    _, whole = self._session.feed_identities(parts)
                    heard = self._session.deserialize(whole)
                    found.append((names[one], heard))
            except OSError:
                raise self._ended() from None
        if sum(wire.heard for wire in self._wires.values()) > MOST_OF_ALL:
            raise KernelError("it says too much")
        return found

    def _ended(self) -> KernelError:
        """Return the error that the kernel has ended, by whatever."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self._process.wait(5) in KILLED:
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
