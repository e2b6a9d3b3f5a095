"""How nbgrader grades a lab: students' code runs in their kernel, the tests of it here.

Whatever a submission does to its own kernel, it can only change what it answers. The tests, the
right answers and the verdict stay in this process; what comes back is plain data, read as JSON.
"""

import ast
import builtins
import contextlib
import inspect
import io
import json
import time
from queue import Empty

from jupyter_core.utils import ensure_async, run_sync
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Dict, Unicode

#: As much as one answer of a student may hold, in characters of JSON.
MOST = 1_000_000
LEFT_OUT = "A cell that ends Python, or cannot be stopped, is left out; after three, all the rest."


def tell(scope, asked):
    """Return as JSON what names stand for and functions return; this runs in a student's kernel."""
    import json

    names, calls = json.loads(asked)

    def plain(value, deep=0):
        if type(value).__module__ == "numpy":
            value = value.tolist()
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, (list, tuple)) and deep < 10:
            return [plain(one, deep + 1) for one in value]
        if callable(value):
            return {"function": True}
        return {"other": type(value).__name__}

    def called(name, arguments):
        try:
            return plain(scope[name](*arguments))
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:200]}

    return json.dumps(
        [plain(scope.get(name)) for name in names] + [called(*call) for call in calls]
    )


class Odd:
    """What a student found that is no number, text or list of them."""

    def __init__(self, kind):
        self.kind = kind

    def __repr__(self):
        return f"something of the type {self.kind}"


class Asked:
    """A student's function: calls run in the student's kernel."""

    def __init__(self, ask, name):
        self._ask, self._name = ask, name

    def __call__(self, *arguments):
        """Call it once."""
        return self.each([arguments])[0]

    def each(self, rows):
        """Call it once for each row of arguments, in one message."""
        answers = self._ask((), [(self._name, list(arguments)) for arguments in rows])
        for answer in answers:
            if isinstance(answer, dict) and "error" in answer:
                raise AssertionError(f"{self._name} stopped with {answer['error']}")
        return [Odd("function") if isinstance(one, dict) else one for one in answers]


class Restore(NbGraderPreprocessor):
    """Give each cell of the lab what nbgrader knows of it, and nothing to any other cell.

    A cell is known by nbgrader's name or, where a program took that away, by its id. Of copies, as
    JupyterLab makes them where a cell is split, the first is the lab's. Tests that are gone come
    back at the end.
    """

    def preprocess(self, nb, resources):
        """Replace the cells' metadata."""
        about, seen = resources["nbgrader"], set()
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(about["notebook"], about["assignment"])
            known = cells_of(notebook)
            code = {
                cell.name: cell.source for cell in notebook.source_cells if cell.cell_type == "code"
            }
        for cell in nb.cells:
            names = (cell.metadata.pop("nbgrader", None) or {}).get("grade_id"), cell.get("id")
            name = next((name for name in names if name in known and name not in seen), None)
            if name:
                seen.add(name)
                cell.metadata.nbgrader = known[name]
        for name in sorted(code.keys() - seen):
            if known[name].grade:
                nb.cells.append(new_code_cell(code[name], metadata={"nbgrader": known[name]}))
        return nb, resources


def cells_of(notebook):
    """Return by its name what nbgrader keeps in each cell of a lab."""
    graded = {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    return {
        cell.name: NotebookNode(
            grade=cell.name in graded,
            grade_id=cell.name,
            locked=cell.locked,
            schema_version=3,
            solution=cell.name in solutions,
            task=False,
            **({"points": graded[cell.name]} if cell.name in graded else {}),
        )
        for cell in notebook.source_cells
    }


def answers_in(source, trusted):
    """Return the names in a test that are neither its own, nor the lab's, nor Python's."""
    names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    own = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    own |= {node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)}
    return sorted({name.id for name in names} - own - set(trusted) - set(vars(builtins)))


def wrong(kind, message):
    """Return the output that nbgrader takes for an error, and that the feedback shows."""
    return new_output("error", ename=kind, evalue=message, traceback=[f"{kind}: {message}"])


class Grade(Execute):
    """Run a submission and test its answers, on the numbers of whoever handed it in."""

    ids = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="Under the id of a submission the id that its student may write instead.",
    ).tag(config=True)

    def preprocess(self, nb, resources, **options):
        """Run the cells; leave out one that ends the kernel, and run the others again."""
        about = resources["nbgrader"]
        self._student = about["student"]
        self._setup = self._locked_code(about)
        self._ended = set()
        while True:
            try:
                return super().preprocess(nb, resources, **options)
            except (DeadKernelError, CellTimeoutError):
                last = len(nb.cells) if len(self._ended) == 2 else self._at + 1
                self._ended.update(range(self._at, last))

    def preprocess_cell(self, cell, resources, index):
        """Run a student's cell in the student's kernel, and a test in this process."""
        self._at = index
        if index in self._ended:
            if cell.cell_type == "code":
                cell.outputs = [wrong("RuntimeError", LEFT_OUT)]
        elif is_grade(cell) and not is_solution(cell):
            cell.outputs = self._test(cell.source)
        else:
            super().preprocess_cell(cell, resources, index)
            if any(output.get("ename") == "CellTimeoutError" for output in cell.get("outputs", ())):
                self._reply(self.kc.kernel_info(), 5)  # or it went on in spite of the interrupt
        return cell, resources

    def _locked_code(self, about):
        """Return the lab's own code: its imports and the student's numbers."""
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(about["notebook"], about["assignment"])
            tests = {cell.name for cell in notebook.grade_cells}
            return [
                cell.source
                for cell in notebook.source_cells
                if cell.cell_type == "code" and cell.locked and cell.name not in tests
            ]

    def _test(self, source):
        """Return the outputs of a test: what it says, and an error where the answer is wrong."""
        said = io.StringIO()
        outputs, prefix = [], ""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                (seed,) = self._ask(["lab_seed"])
                trusted = {"lab_seed": self._student, "__name__": "tests"}
                theirs = seed.strip() if isinstance(seed, str) else None
                if theirs and (
                    theirs.casefold() == self._student.casefold()
                    or theirs == self.ids.get(self._student)
                ):
                    trusted["lab_seed"] = theirs
                else:
                    written = f"the id {theirs!r}" if theirs else "no id"
                    prefix = f"handed in as {self._student!r} with {written} in it; "
                for code in self._setup:
                    exec(code, trusted)
                names = answers_in(source, trusted)
                trusted.update(zip(names, self._ask(names), strict=True))
                for name in names:
                    if isinstance(trusted[name], dict):
                        function = "function" in trusted[name]
                        trusted[name] = (
                            Asked(self._ask, name) if function else Odd(trusted[name].get("other"))
                        )
            with contextlib.redirect_stdout(said):
                exec(compile(source, "the test", "exec"), trusted)
        except AssertionError as error:
            outputs = [wrong("AssertionError", f"{prefix}{error}")]
        except (DeadKernelError, CellTimeoutError):
            raise
        except Exception as error:
            self.log.exception("A test of %s stopped", self._student)
            outputs = [wrong(type(error).__name__, f"{prefix}the answer cannot be tested: {error}")]
        if text := said.getvalue():
            outputs.insert(0, new_output("stream", name="stdout", text=text))
        return outputs or [new_output("stream", name="stdout", text="Right.\n")]

    def _ask(self, names, calls=()):
        """Return what names stand for in the student's kernel, and what functions return there."""
        code = f"{inspect.getsource(tell)}\ntold = tell(scope, asked)"
        room = f"{{'scope': globals(), 'asked': {json.dumps([list(names), list(calls)])!r}}}"
        expression = f"(lambda room: exec({code!r}, room) or room['told'])({room})"
        message = self.kc.execute("", silent=True, user_expressions={"told": expression})
        reply = self._reply(message, self.timeout)
        told = reply.get("user_expressions", {}).get("told", {})
        if told.get("status") != "ok":
            raise AssertionError(f"the answer cannot be read: {str(told.get('evalue'))[:200]}")
        text = told.get("data", {}).get("text/plain", "")
        if len(text) > MOST:
            raise AssertionError("the answer cannot be read: it is too long")
        try:
            answers = json.loads(ast.literal_eval(text))
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            answers = None
        if not isinstance(answers, list) or len(answers) != len(names) + len(calls):
            raise AssertionError("the answer cannot be read")
        return answers

    def _reply(self, message, seconds):
        """Return the kernel's reply; interrupt it if it takes too long, and end it if need be."""
        for wait in (seconds, 5):
            try:
                return run_sync(self._waited)(message, wait)
            except TimeoutError:
                run_sync(self.km.interrupt_kernel)()
        raise DeadKernelError("the kernel does not answer")

    async def _waited(self, message, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(Empty):
                reply = await ensure_async(self.kc.shell_channel.get_msg(timeout=1))
                if reply["parent_header"].get("msg_id") == message:
                    return reply["content"]
            await self._async_check_alive()
        raise TimeoutError
