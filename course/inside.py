"""What runs in a student's room: it runs cells, answers questions, and says what came of it.

`python -c THIS NUMBER`, where NUMBER is that of an open socket. Each line that
comes there is JSON: seconds of the processor's time, seconds of the wall's, and
what is asked. What takes longer is interrupted. To each one line goes back: how
much of the processor's time all has taken, and the answer. It reads nothing
else, for nothing of the course is in the room. A student's code can change all
of it, and so only what the student answers.
"""

import json
import signal
import socket
import sys
import time
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

#: As many signs are kept of what a cell prints, and told of an answer; longer
#: ones would cost those beside them.
SIGNS = 200_000
#: As many of all that a cell displays; of more nothing is kept.
SHOWN = 2_000_000
ERROR = "error"
#: How an answer that is a function is told, and how any other that JSON has no word for begins.
FUNCTION = {"a": "function"}
ODD = "something of the type"
KINDS = ("text/plain", "image/png", "image/jpeg", ERROR)


class Result(DisplayHook):
    """Displays what the last line of a cell is worth, with no number before it."""

    shell: Any

    def write_output_prompt(self) -> None:
        """Write nothing before it."""

    def write_format_data(self, data: Any, about: Any = None) -> None:
        """Display it."""
        self.shell.display_pub.publish(data)

    def finish_displayhook(self) -> None:
        """Write nothing behind it."""


class Shell(InteractiveShell):
    """IPython, as a student's notebook has it."""

    def _showtraceback(
        self, etype: type, evalue: BaseException, stb: list[str]
    ) -> None:
        error = [etype.__name__, str(evalue), "\n".join(stb)]
        self.display_pub.publish({ERROR: error})

    def enable_gui(self, gui: str | None = None) -> None:
        """Go on, for `%matplotlib inline` asks for none."""

    def system(self, cmd: str) -> None:
        """Go on without `!pip`, or whatever it is."""
        print(f"not run, as no program is here but Python: {cmd:.80}")

    def ask_exit(self) -> None:
        """End the cell that says `exit()`, and nothing else."""
        raise SystemExit("exit() ends this cell")


def run(shell: Any, code: str) -> dict[str, Any]:
    """Run a cell, and return what it prints and displays."""
    with capture_output() as said:
        shell.run_cell(code, store_history=True)
    displayed = [
        {kind: one.data[kind] for kind in KINDS if kind in one.data}
        for one in said.outputs
    ]
    if len(json.dumps(displayed, default=str)) > SHOWN:
        displayed = [{ERROR: ["ValueError", "it displays too much", ""]}]
    return {
        "stdout": said.stdout[:SIGNS],
        "stderr": said.stderr[:SIGNS],
        "displayed": displayed,
    }


def plain(value: Any, deep: int = 0) -> Any:
    """Return a value as JSON has it; for what is no number, text or list of them, a text."""
    if type(value).__module__ == "numpy":
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) and deep < 10:
        return [plain(item, deep + 1) for item in value]
    return FUNCTION if callable(value) else f"{ODD} {type(value).__name__}"


def tell(scope: dict[str, Any], asked: list[list[Any]]) -> list[Any]:
    """Return what each name stands for or its function returns, or why that cannot be told."""
    answers: list[Any] = []
    for name, arguments in asked:
        try:
            is_call = arguments is not None
            told = plain(
                scope[name](*arguments) if is_call else scope.get(name)
            )
            if len(json.dumps(told)) > SIGNS:
                raise ValueError("it is too long to be told")
            answers.append(told)
        except BaseException as error:
            why = f"{type(error).__name__}: {error}"[:200]
            answers.append({"error": why})
    return answers


def interrupt_after(processor: float, wall: float) -> None:
    """Interrupt what runs when one of these is over; 0 for never."""
    signal.setitimer(signal.ITIMER_PROF, processor)
    signal.setitimer(signal.ITIMER_REAL, wall)


def main() -> None:
    """Answer until nobody asks."""
    for over in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(over, signal.default_int_handler)
    shell = Shell.instance(
        config=Config(HistoryManager=Config(enabled=False)),
        displayhook_class=Result,
    )
    with socket.socket(fileno=int(sys.argv.pop())) as wire:
        wire.sendall(b'[0, "ready"]\n')
        for line in wire.makefile("rb"):
            *seconds, asked = json.loads(line)
            interrupt_after(*seconds)
            if isinstance(asked, str):
                answer: Any = run(shell, asked)
            else:
                answer = tell(shell.user_ns, asked)
            interrupt_after(0, 0)
            said = json.dumps([time.process_time(), answer], default=str)
            wire.sendall(f"{said}\n".encode())


if __name__ == "__main__":
    main()
