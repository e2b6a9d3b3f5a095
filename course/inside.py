"""What runs in a student's room: it runs cells, answers questions, and says what came of it.

`python -c THIS NUMBER`, where NUMBER is that of an open socket. Each line that
comes there is JSON, seconds and what is asked, and to each one line goes back;
what takes longer is interrupted. It reads nothing else, for nothing of the
course is in the room. A student's code can change all of it, and so only what
the student answers.
"""

import base64
import io
import json
import os
import signal
import socket
import sys
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

#: As many signs of text are kept of one cell.
SIGNS = 200_000
KINDS = ("text/plain", "image/png", "image/jpeg")

shown: list[dict[str, Any]] = []


def show(kind: str, data: dict[str, Any]) -> None:
    """Keep what a cell displays, or returns."""
    kept = {name: data[name] for name in KINDS if name in data}
    shown.append({"output_type": kind, "data": kept})


class Stream(io.TextIOBase):
    """One of the standard streams; what is beyond the bound is lost."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.room = SIGNS

    def write(self, text: str) -> int:
        """Keep a text, with what was written to the same stream just before."""
        kept = text[: self.room]
        self.room -= len(kept)
        if not shown or shown[-1].get("name") != self.name:
            about = {"output_type": "stream", "name": self.name, "text": []}
            shown.append(about)
        if kept:
            shown[-1]["text"].append(kept)
        return len(text)


class Display(DisplayPublisher):
    """Keeps what a cell displays."""

    def publish(self, data: Any, *about: Any, **more: Any) -> None:
        """Keep it."""
        show("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        """Forget all that was shown."""
        shown.clear()


class Result(DisplayHook):
    """Keeps what the last line of a cell is worth."""

    def write_output_prompt(self) -> None:
        """Write nothing before it."""

    def write_format_data(self, data: Any, about: Any = None) -> None:
        """Keep it."""
        show("execute_result", data)

    def finish_displayhook(self) -> None:
        """Write nothing behind it."""


class Shell(InteractiveShell):
    """IPython, as a student's notebook has it."""

    def _showtraceback(
        self, etype: type, evalue: BaseException, stb: list[str]
    ) -> None:
        error = {"ename": etype.__name__, "evalue": str(evalue)}
        shown.append({"output_type": "error", "traceback": stb} | error)

    def ask_exit(self) -> None:
        """End, as a kernel does."""
        os._exit(1)


def run(shell: InteractiveShell, code: str) -> list[dict[str, Any]]:
    """Run a cell, and return what it shows."""
    shown.clear()
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    shell.run_cell(code, store_history=True)
    return shown


def plain(value: Any, deep: int = 0) -> Any:
    """Return a value as JSON has it."""
    if type(value).__module__ == "numpy":
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) and deep < 10:
        return [plain(item, deep + 1) for item in value]
    if callable(value):
        return {"function": True}
    return {"other": type(value).__name__}


def tell(
    scope: dict[str, Any], names: list[str], calls: list[list[Any]]
) -> Any:
    """Return what names stand for and what functions return, or why that cannot be told."""
    answers: Any = []
    try:
        for name in names:
            answers.append(plain(scope.get(name)))
        for name, arguments in calls:
            try:
                answers.append(plain(scope[name](*arguments)))
            except Exception as error:
                why = f"{type(error).__name__}: {error}"[:200]
                answers.append({"error": why})
    except BaseException as error:
        answers = f"{type(error).__name__}: {error}"[:200]
    return answers


def encoded(odd: object) -> str:
    """Return for JSON what it has no word for; pictures are bytes."""
    if isinstance(odd, bytes):
        return base64.b64encode(odd).decode()
    return str(odd)


def main() -> None:
    """Answer until nobody asks."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    os.environ.setdefault(
        "MPLBACKEND", "module://matplotlib_inline.backend_inline"
    )
    config = Config()
    config.HistoryManager.enabled = False
    shell = Shell.instance(
        config=config, display_pub_class=Display, displayhook_class=Result
    )
    with socket.socket(fileno=int(sys.argv.pop())) as wire:
        wire.sendall(b'"ready"\n')
        for line in wire.makefile("rb"):
            seconds, asked = json.loads(line)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            match asked:
                case str(code):
                    answer: Any = run(shell, code)
                case [names, calls]:
                    answer = tell(shell.user_ns, names, calls)
            signal.setitimer(signal.ITIMER_REAL, 0)
            said = json.dumps(answer, default=encoded)
            wire.sendall(f"{said}\n".encode())


main()
