"""How nbgrader grades a lab: students' code runs in their kernel, the tests of it here.

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
from pathlib import Path
from typing import Any

from cells import is_setup
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from sandbox import lacking
from strangers import is_theirs, notebook_at
from students_kernel import SLOW, KernelError, KilledError, StudentsKernel
from traitlets import Bool, Dict, Float, Unicode

LEFT_OUT = (
    "A cell that ends Python, cannot be stopped, or says too much is left out; "
    "after three, all the rest."
)
UNREADABLE = "the answer cannot be read"
TOO_LONG = "The whole submission took too long; what comes now is left out."


class Asked:
    """A student's function: calls run in the student's kernel."""

    def __init__(self, ask: Callable[..., list[Any]], name: str) -> None:
        self._ask = ask
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        (answer,) = self._ask((), [(self._name, list(arguments))])
        if not isinstance(answer, dict):
            return answer
        if "error" in answer:
            raise AssertionError(
                f"{self._name} stopped with {answer['error']}"
            )
        return odd("function")


class Submission(NotebookExporter):
    """Reads what was handed in as `check` does: no link, with half a character, too."""

    def from_filename(
        self, filename: str, resources: Any = None, **kw: Any
    ) -> Any:
        """Read a notebook and convert it."""
        notebook = notebook_at(Path(filename))
        return self.from_notebook_node(notebook, resources, **kw)


def answers_in(source: str, trusted: Iterable[str]) -> list[str]:
    """Return the names in a test that are neither its own, nor the lab's, nor Python's; sorted."""
    names: set[str] = set()
    own: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            names.add(node.id)
            if not isinstance(node.ctx, ast.Load):
                own.add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
    return sorted(names - own - set(trusted) - set(vars(builtins)))


def odd(kind: object) -> str:
    """Return what stands for an answer that is no number, text or list of them."""
    return f"something of the type {kind}"


def wrong(kind: str, message: str) -> NotebookNode:
    """Return the output that nbgrader takes for an error, and that the feedback shows."""
    return new_output(
        "error", ename=kind, evalue=message, traceback=[f"{kind}: {message}"]
    )


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
        self.kernels: list[StudentsKernel] = []

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
    whose : (str, str or None)
        The id of the submission, and another one that its student may write.
    """

    def __init__(
        self,
        kernel: StudentsKernel,
        clock: Clock,
        setup: list[str],
        whose: tuple[str, str | None],
    ) -> None:
        self._kernel = kernel
        self._clock = clock
        self._setup = setup
        self._seed, self._prefix = self._id_in_it(*whose)

    def test(
        self, tests: list[tuple[int, NotebookNode]], left_out: set[int]
    ) -> None:
        """Run the tests; read all answers first, so that no test tells what another asks."""
        ready: list[tuple[int, NotebookNode, dict[str, Any]]] = []
        for at, cell in tests:
            cell.outputs = [wrong("RuntimeError", LEFT_OUT)]
            if at in left_out:
                continue
            self._kernel.at = at
            room, cell.outputs = self._tried(self._room, cell.source)
            if not cell.outputs:
                ready.append((at, cell, room))
        for at, cell, room in ready:
            self._kernel.at = at
            code = compile(cell.source, "the test", "exec")
            _, outputs = self._tried(exec, code, room)
            cell.outputs = outputs or [
                new_output("stream", name="stdout", text="Right.\n")
            ]

    def _id_in_it(self, student: str, other: str | None) -> tuple[str, str]:
        """Return the id whose numbers the tests take, and what to say if another stands in it."""
        try:
            (seed,) = self._ask(["lab_seed"])
        except AssertionError:
            seed = None
        theirs = seed.strip() if isinstance(seed, str) else ""
        if not theirs:
            return student, f"handed in as {student!r} with no id in it; "
        if is_theirs(theirs, student, other):
            return theirs, ""
        with_another = f"with the id {theirs!r} in it"
        return student, f"handed in as {student!r} {with_another}; "

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
        except KernelError:
            raise
        except Exception as error:
            logging.getLogger(__name__).exception("A test stopped")
            why = f"{self._prefix}the answer cannot be tested: {error}"
            outputs = [wrong(type(error).__name__, why)]
        if text := printed.getvalue():
            outputs.insert(0, new_output("stream", name="stdout", text=text))
        return result, outputs

    def _room(self, source: str) -> dict[str, Any]:
        """Return what a test works with: the lab's own names, and the student's answers."""
        room: dict[str, Any] = {"lab_seed": self._seed, "__name__": "tests"}
        with contextlib.redirect_stdout(io.StringIO()):
            for code in self._setup:
                exec(code, room)
        names = answers_in(source, room)
        for name, answer in zip(names, self._ask(names), strict=True):
            if not isinstance(answer, dict):
                room[name] = answer
            elif "function" in answer:
                room[name] = Asked(self._ask, name)
            else:
                room[name] = odd(answer.get("other"))
        return room

    def _ask(
        self, names: Iterable[str], calls: Iterable[tuple[str, list[Any]]] = ()
    ) -> list[Any]:
        """Return what names stand for in the student's kernel, and what functions return there."""
        if not self._clock.left():
            raise AssertionError(TOO_LONG)
        named, called = list(names), list(calls)
        answers = self._kernel.ask([named, called], self._clock.left())
        many = len(named) + len(called)
        if isinstance(answers, list) and len(answers) == many:
            return answers
        why = f": {answers:.200}" if isinstance(answers, str) else ""
        raise AssertionError(f"{UNREADABLE}{why}")


def run_cells(
    kernel: StudentsKernel,
    clock: Clock,
    cells: list[tuple[int, NotebookNode]],
    left_out: set[int],
) -> None:
    """Run a student's cells in the student's kernel."""
    for at, cell in cells:
        if cell.cell_type != "code":
            continue
        if at in left_out:
            cell.outputs = [wrong("RuntimeError", LEFT_OUT)]
        elif not (seconds := clock.left(0.5)):
            cell.outputs = [wrong("TimeoutError", TOO_LONG)]
        else:
            kernel.at = at
            cell.outputs = kernel.run(cell.source, seconds)


def to_leave_out(
    ended: int, cells: list[int], left_out: set[int]
) -> list[int]:
    """Return the cell at which a kernel has ended; at the third of its kind, all from there on."""
    rest = cells[cells.index(ended) :]
    return rest if len(left_out.intersection(cells)) == 2 else rest[:1]


class Grade(NbGraderPreprocessor):
    """Run a submission and test its answers, on the numbers of whoever handed it in."""

    ids = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="Under the id of a submission the id that its student may write instead.",
    ).tag(config=True)
    seconds = Float(
        600,
        help="What a whole submission may take of the processor's time, in seconds: half of it its "
        "cells, the rest its tests; by the wall's clock four times as long.",
    ).tag(config=True)
    timeout = Float(
        30,
        help="What a cell, or a question of a test, may take of it, in seconds.",
    ).tag(config=True)
    trust = Bool(
        False,
        help="Whether students' code may run without a sandbox, as whoever grades.",
    ).tag(config=True)

    alone = Bool(
        True,
        help="Whether nobody else is graded now: then a cell whose kernel is killed has done that.",
    ).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: Any
    ) -> tuple[NotebookNode, Any]:
        """Run the cells, then the tests; leave out what ends the kernel, and run it all again."""
        missing = lacking()
        if missing and not self.trust:
            raise RuntimeError(f"no sandbox for students' code: {missing}")
        about = resources["nbgrader"]
        tests: list[int] = []
        cells: list[int] = []
        for at, cell in enumerate(nb.cells):
            if is_grade(cell) and not is_solution(cell):
                tests.append(at)
            else:
                cells.append(at)
        student = about["student"]
        whose = student, self.ids.get(student)
        setup = [cell.source for cell in nb.cells if is_setup(cell)]
        clock = Clock(self.seconds, self.timeout)
        left_out: set[int] = set()
        while True:
            kernel = StudentsKernel(self.seconds, trust=bool(missing))
            clock.kernels.append(kernel)
            try:
                theirs = [(at, nb.cells[at]) for at in cells]
                run_cells(kernel, clock, theirs, left_out)
                kernel.at = tests[0]
                examiner = Examiner(kernel, clock, setup, whose)
                examiner.test([(at, nb.cells[at]) for at in tests], left_out)
                return nb, resources
            except KernelError as end:
                if isinstance(end, KilledError) and not self.alone:
                    raise
                alike = tests if kernel.at in tests else cells
                left_out.update(to_leave_out(kernel.at, alike, left_out))
            finally:
                kernel.close()
