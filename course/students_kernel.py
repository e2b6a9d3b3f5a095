"""A student's kernel, as whoever grades talks to it: nothing it says is believed or kept whole.

All that it sends is counted, and of its outputs there remain text and
pictures. A kernel that sends too much, or what no sound kernel sends, is taken
for one that has ended.
"""

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from typing import Any

import matplotlib.font_manager
import zmq
from jupyter_client.manager import KernelManager
from jupyter_client.session import Session
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from sandbox import Sandbox, Trusted
from strangers import sound

#: As many bytes as all messages of a kernel may have, and one of them.
MOST_OF_ALL = 50_000_000
MOST_OF_ONE = 10_000_000
#: As many bytes more each counts, for a message takes memory however short.
OF_EACH = 1000
#: How many messages the system holds until we read them.
WAITING = 20
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


class Bounded(Session):
    """Reads messages until there are too many."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.unpack = lambda part: json.loads(sound(bytes(part).decode()))
        self._read = 0

    def deserialize(
        self, msg_list: Any, content: bool = True, copy: bool = True
    ) -> dict[str, Any]:
        """Count a message, then read it."""
        self._read += OF_EACH + sum(map(len, msg_list))
        if self._read > MOST_OF_ALL:
            raise KernelError("it says too much")
        return super().deserialize(msg_list, content, copy)


class StudentsKernel:
    """A kernel in a sandbox, or without one where a student is trusted, until it is closed."""

    def __init__(self, seconds: float, *, trust: bool) -> None:
        self._home = tempfile.mkdtemp(prefix="dpwidgets-")
        self._manager = KernelManager(
            session=Bounded(), connection_file=f"{self._home}/connection.json"
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
            self._manager.transport = "ipc"
            self._manager.ip = f"{sandbox.folder}/given"
            for port, number in sandbox.ports.items():
                setattr(self._manager, port, number)
            spec.interrupt_mode = "message"  # no signal gets into the sandbox
        variables = {
            name: os.environ[name] for name in KNOWN if name in os.environ
        }
        variables |= {
            "HOME": self._home,
            "MPLCONFIGDIR": f"{self._home}/matplotlib",
        }
        self._manager.start_kernel(**QUIET, cwd=self._home, env=variables)
        self._context = zmq.Context()
        self._context.sockopts |= {
            zmq.MAXMSGSIZE: MOST_OF_ONE,
            zmq.RCVHWM: WAITING,
        }
        self._client = self._manager.client(context=self._context)
        try:
            self._client.start_channels(stdin=False, hb=False)
            self._client.wait_for_ready(timeout=60)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the kernel, and with a sandbox all that it has started."""
        self._client.stop_channels()
        self._context.destroy(linger=0)
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
        message = self._client.execute(code, allow_stdin=False)
        reply = self._reply(message, seconds, outputs)
        for request in reply.get("payload", ()):
            if request.get("source") == "ask_exit":
                # The kernel goes on for a moment.
                raise KernelError("the cell ends Python")
        return outputs

    def tell(self, expression: str, seconds: float) -> Any:
        """Return what the kernel says of an expression, whatever that is."""
        message = self._client.execute(
            "", silent=True, user_expressions={"told": expression}
        )
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
                self._manager.interrupt_kernel()
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
            for heard in self._messages():
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

    def _messages(self) -> list[dict[str, Any]]:
        """Return what the kernel says next, if it says anything within a second."""
        channels = [self._client.shell_channel, self._client.iopub_channel]
        poller = zmq.Poller()
        for channel in channels:
            poller.register(channel.socket, zmq.POLLIN)
        ready = dict(poller.poll(1000))
        if not ready and not self._manager.is_alive():
            raise KernelError("the kernel has ended")
        waiting = [channel for channel in channels if channel.socket in ready]
        return [channel.get_msg(timeout=0) for channel in waiting]


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
