"""How a lab is run and tested: for whoever hands it in, and before it is released.

Whatever a submission does to its own kernel, it can only change what it
answers. The tests, the right answers and the verdict stay in this process;
what comes back is plain data, read as JSON.
"""

import ast
import builtins
import contextlib
import io
import logging
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from cells import SEED, is_setup, is_test
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

ENDED = (
    "Python ended, could not be stopped, or said too much; a cell that does this is left out, and "
    "after a function that does no other is asked"
)
TOO_LONG = "The whole submission took too long; what comes now is left out."
#: How often as long as of the processor's time all may take by the wall's clock:
#: a program may wait, for others or of its own.
SLOW = 4
#: What stands in a lab as it is handed out in place of the student's id.
NOBODY = "your student id"
#: How a kernel tells of an answer that is a function.
FUNCTION = {"a": "function"}
#: As many signs are said of a student's answer, however many it has.
SAID = 2_000


class KernelError(Exception):
    """A kernel has ended, cannot be stopped, or says what no sound kernel says."""


def answers_in(source: str, trusted: Iterable[str]) -> set[str]:
    """Return the names in a test that are neither its own, nor the lab's, nor Python's."""
    nodes = [*ast.walk(ast.parse(source))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {name.id for name in names} - own - {*trusted} - {*vars(builtins)}


def wrong(kind: str, message: str) -> NotebookNode:
    """Return the output that nbgrader takes for an error; a student's own words are cut here."""
    said = message[:SAID]
    return new_output(
        "error", ename=kind, evalue=said, traceback=[f"{kind}: {said}"]
    )


def lab_of(setup: Iterable[str], seed: str) -> dict[str, Any]:
    """Return the lab's own names, for a student: what its own code leaves behind."""
    room: dict[str, Any] = {"lab_seed": seed, "__name__": "tests"}
    with contextlib.redirect_stdout(io.StringIO()):
        for code in setup:
            exec(code, room)
    return room


class Clock:
    """What a submission may take of the processor's time: all of it, and each of its cells.

    By the wall's clock all of it may take `SLOW` times as long.

    Parameters
    ----------
    seconds, of_a_cell : float
        Both in seconds; the whole begins now.

    Attributes
    ----------
    kernels : list of StudentsKernel
        Whose time counts, beside that of the tests here.
    """

    def __init__(self, seconds: float, of_a_cell: float) -> None:
        self._end = time.monotonic() + SLOW * seconds
        self._begun = time.process_time()
        self._seconds = seconds
        self._of_a_cell = of_a_cell
        self.kernels: list[Any] = []

    def left(self, share: float = 1) -> float:
        """Return how long one cell or question may take of this share of all the time."""
        here = time.process_time() - self._begun
        there = sum(kernel.spent for kernel in self.kernels)
        by_the_wall = (self._end - time.monotonic()) / SLOW
        left = min(
            share * self._seconds - here - there,
            by_the_wall - (1 - share) * self._seconds,
        )
        return max(0, min(left, self._of_a_cell))


def examine(
    cells: Iterable[NotebookNode],
    start: Callable[[], Any],
    clock: Clock,
    whose: tuple[str, str],
) -> list[str]:
    """Run a lab and test it: the student's id, the lab's own code, the answers; then the tests.

    A cell that ends its kernel is left out, and all others are run again.

    Parameters
    ----------
    cells : iterable of NotebookNode
        The lab's, in its order; their outputs are set.
    start : callable
        Starts a `StudentsKernel`.
    clock : Clock
        How long all may take.
    whose : (str, str)
        The id of the submission, and another one that its student may write.

    Returns
    -------
    list of str
        What a lecturer should know of it.
    """
    code = [cell for cell in cells if cell.cell_type == "code"]
    setup = [cell.source for cell in code if is_setup(cell)]
    tests = [cell for cell in code if is_test(cell)]
    theirs = [cell for cell in code if not is_test(cell)]
    # The student's id and the lab's own code come first.
    theirs.sort(
        key=lambda cell: not (is_setup(cell) or SEED.match(cell.source))
    )
    remarks: list[str] = []
    while True:
        with contextlib.closing(start()) as kernel:
            clock.kernels.append(kernel)
            ran = run_cells(kernel, clock, theirs)
            if ran == len(theirs):
                examiner = Examiner(kernel, clock, setup, whose)
                examiner.test(tests)
                return list(dict.fromkeys(remarks + examiner.remarks))
        remarks.append(ENDED)
        theirs.pop(ran).outputs = [wrong("RuntimeError", ENDED)]


def run_cells(kernel: Any, clock: Clock, cells: list[NotebookNode]) -> int:
    """Run a student's cells, and return how many did not end the kernel."""
    for at, cell in enumerate(cells):
        cell.outputs = [wrong("TimeoutError", TOO_LONG)]
        if seconds := clock.left(0.5):
            try:
                cell.outputs = kernel.run(cell.source, seconds)
            except KernelError:
                return at
    return len(cells)


class Examiner:
    """Tests a student's answers: each test runs here, and asks the student's kernel.

    Parameters
    ----------
    kernel : StudentsKernel
        Where the student's cells have run.
    clock : Clock
        How long that may still take.
    setup : list of str
        The lab's own code.
    whose : (str, str)
        The id of the submission, and another one that its student may write.

    Attributes
    ----------
    remarks : list of str
        What a lecturer should know.
    """

    def __init__(
        self,
        kernel: Any,
        clock: Clock,
        setup: list[str],
        whose: tuple[str, str],
    ) -> None:
        self._kernel = kernel
        self._clock = clock
        self._setup = setup
        self.remarks: list[str] = []
        self._seed, self._prefix = self._id_in_it(*whose)

    def test(self, tests: list[NotebookNode]) -> None:
        """Run the tests; read all answers first, so that no test tells what another asks."""
        room, stopped = self._tried(self._room, tests)
        right = [new_output("stream", name="stdout", text="Right.\n")]
        for cell in tests:
            cell.outputs = stopped
            if room:
                code = compile(cell.source, "the test", "exec")
                _, outputs = self._tried(exec, code, room.copy())
                cell.outputs = outputs or right
        if all("Not answered yet" in str(cell.outputs[:1]) for cell in tests):
            self.remarks.append("no test finds an answer")

    def _id_in_it(self, student: str, other: str) -> tuple[str, str]:
        """Return the id whose numbers the tests take, and what to say if another stands in it."""
        try:
            (seed,) = self._ask([("lab_seed", None)])
        except AssertionError:
            return student, ""
        theirs = seed.strip() if isinstance(seed, str) else ""
        is_own = theirs.casefold() == student.casefold()
        if is_own or (other and theirs == other):
            return theirs, ""
        has_one = theirs not in ("", NOBODY)
        remark = (
            f"with the id {theirs[:40]!r} in it" if has_one else "no id in it"
        )
        self.remarks.append(remark)
        return student, f"handed in as {student!r}, {remark}; "

    def _tried(
        self, step: Callable[..., Any], *given: Any
    ) -> tuple[Any, list[NotebookNode]]:
        """Return what a step of a test returns, and outputs: what it says, what is wrong."""
        result: Any = None
        outputs: list[NotebookNode] = []
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                result = step(*given)
        except AssertionError as error:
            outputs = [wrong("AssertionError", f"{self._prefix}{error}")]
        except Exception as error:
            logging.getLogger(__name__).exception("A test stopped")
            why = f"{self._prefix}the answer cannot be tested: {error}"
            outputs = [wrong(type(error).__name__, why)]
        if text := printed.getvalue()[:SAID]:
            outputs.insert(0, new_output("stream", name="stdout", text=text))
        return result, outputs

    def _room(self, tests: list[NotebookNode]) -> dict[str, Any]:
        """Return what tests work with: the lab's own names, and the student's answers."""
        room = lab_of(self._setup, self._seed)
        names = sorted(
            {name for cell in tests for name in answers_in(cell.source, room)}
        )
        answers = self._ask([(name, None) for name in names])
        return room | {
            name: partial(self._call, name) if answer == FUNCTION else answer
            for name, answer in zip(names, answers, strict=True)
        }

    def _call(self, name: str, *arguments: Any) -> Any:
        """Return what a student's function returns in the student's kernel."""
        (answer,) = self._ask([(name, arguments)])
        if isinstance(answer, dict) and "error" in answer:
            raise AssertionError(f"{name} stopped with {answer['error']}")
        return answer

    def _ask(self, asked: list[tuple[str, Any]]) -> list[Any]:
        """Return what names stand for in the student's kernel, or return with such arguments."""
        if ENDED in self.remarks:
            raise AssertionError(ENDED)
        if not self._clock.left():
            raise AssertionError(TOO_LONG)
        try:
            answers = self._kernel.ask(asked, self._clock.left())
        except KernelError:
            self.remarks.append(ENDED)
            raise AssertionError(ENDED) from None
        if isinstance(answers, list) and len(answers) == len(asked):
            return answers
        raise AssertionError("the answer cannot be read")
