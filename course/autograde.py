"""How nbgrader grades a lab: students' code runs in their kernel, the tests of it here.

Whatever a submission does to its own kernel, it can only change what it answers. The tests, the
right answers and the verdict stay in this process; what comes back is plain data, read as JSON.
While the kernel lives no test stands in a file of the submission, and what a student wrote is
written down so that no browser runs it.
"""

import ast
import base64
import builtins
import contextlib
import inspect
import io
import json
import os
import re
import shutil
import signal
import tempfile
import time
from pathlib import Path
from queue import Empty

import matplotlib.font_manager
import nbformat
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import ensure_async, run_sync
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Dict, Float, Integer, Unicode

#: As much as one answer of a student may hold, in characters of JSON.
MOST = 1_000_000
#: As many cells of a student's own, beside the lab's, as are kept and run.
CELLS = 200
LEFT_OUT = "A cell that ends Python, or cannot be stopped, is left out; after three, all the rest."
SEED = "lab_seed ="
#: What nbgrader writes beside a submission, and needs for the feedback.
RECEIPT = ("timestamp.txt", "submission_secret.txt")
#: What a student's kernel is told of the surroundings of whoever grades.
KNOWN = ("PATH", "PYTHONPATH", "PYTHONUTF8", "LD_LIBRARY_PATH", "LANG", "LC_ALL")
TOO_LONG = "The whole submission took too long; what comes now is left out."


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


class Submission(NotebookExporter):
    """Reads what was handed in: with a byte order mark, or with half a character, too."""

    def from_file(self, file_stream, resources=None, **kw):
        """Read a notebook and convert it."""
        return super().from_file(io.StringIO(sound(file_stream.read())), resources, **kw)


def sound(text):
    """Return the JSON of a notebook without its mark; half a character becomes a question mark."""
    text = json.dumps(json.loads(text.removeprefix("\ufeff")), ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


def about(cell):
    """Return what a cell says of itself to nbgrader, whatever a student put there."""
    said = cell.metadata.get("nbgrader")
    return said if isinstance(said, dict) else {}


def name_of(cell):
    """Return nbgrader's name of a cell, or the cell's id."""
    name = about(cell).get("grade_id")
    return name if isinstance(name, str) else cell.get("id")


def lab_of(preprocessor, resources):
    """Return the lab as its source has it, and the folder of this submission's graded copy."""
    folders, told = preprocessor.parent.parent.coursedir, resources["nbgrader"]
    lab = told["assignment"]
    source = Path(folders.format_path(folders.source_directory, ".", lab))
    copy = Path(folders.format_path(folders.autograded_directory, told["student"], lab))
    return nbformat.read(source / f"{told['notebook']}.ipynb", as_version=4), copy


class Restore(NbGraderPreprocessor):
    """Give each cell of the lab what nbgrader knows of it, and nothing to any other cell.

    A cell is known by nbgrader's name or, where a program took that away, by its id. Of copies, as
    JupyterLab makes them where a cell is split, the first is the lab's. Locked cells stand where
    the lab has them: a test below its answer, all others before the first answer that needs them.
    """

    def preprocess(self, nb, resources):
        """Replace the cells' metadata, put the lab's own cells back, take other files away."""
        told = resources["nbgrader"]
        with Gradebook(told["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(told["notebook"], told["assignment"])
            known = cells_of(notebook)
        lab, folder = lab_of(self, resources)
        order, lab = [cell.id for cell in lab.cells], {cell.id: cell for cell in lab.cells}
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name not in (f"{told['notebook']}.ipynb", *RECEIPT):
                path.unlink()
        found, own = {}, []
        for cell in nb.cells:
            names = name_of(cell), cell.get("id")
            name = next((name for name in names if name in lab and name not in found), None)
            cell.metadata.pop("nbgrader", None)
            if name in known:
                cell.metadata.nbgrader = known[name]
            if name:
                found[name] = cell
            else:
                own.append(cell)
            cell["id"] = name or f"own-{len(own)}"
        dropped = {cell.id for cell in own[CELLS:]}
        cells = [cell for cell in nb.cells if cell.id not in dropped]
        for at, name in enumerate(order):
            locked = name in known and known[name].locked
            if locked and name not in found:
                new = new_code_cell if lab[name].cell_type == "code" else new_markdown_cell
                found[name] = new(lab[name].source, id=name, metadata={"nbgrader": known[name]})
            if name in found and (locked or lab[name].source.startswith(SEED)):
                cells = put(cells, found[name], order[:at], order[at:])
        nb.nbformat_minor = max(nb.nbformat_minor, 5)  # from there on cells have ids
        nb.cells = cells
        return nb, resources


def put(cells, cell, earlier, later):
    """Return the cells with one of the lab's at its place: a test below its answer.

    Any other comes before all that follow it in the lab; it stays if it stands there.
    """
    own = cells.index(cell) if cell in cells else len(cells)
    cells = [one for one in cells if one is not cell]
    if is_grade(cell) and not is_solution(cell):
        places = [at + 1 for at, one in enumerate(cells) if one.id == earlier[-1]]
    else:
        places = [at for at, one in enumerate(cells) if one.id in later and at < own]
    at = places[0] if places else own
    return [*cells[:at], cell, *cells[at:]]


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


class StudentsKernel(AsyncKernelManager):
    """A kernel that starts in an empty folder and knows nothing of whoever grades."""

    uid = Integer(
        0,
        help="""The first of 4096 user numbers that nobody has: each process that grades runs
        students' code as another of them. Who grades must be root. 0: it runs as whoever grades.
        """,
    ).tag(config=True)

    async def _async_start_kernel(self, **options):
        self._room = Path(tempfile.mkdtemp(prefix="dpwidgets-"))
        self.connection_file = str(self._room / "connection.json")
        # Else each kernel would list this machine's fonts anew.
        shutil.copytree(matplotlib.get_cachedir(), self._room / "matplotlib")
        environment = {name: os.environ[name] for name in KNOWN if name in os.environ}
        environment |= {"HOME": str(self._room), "MPLCONFIGDIR": str(self._room / "matplotlib")}
        options |= {"cwd": str(self._room), "env": environment}
        await super()._async_start_kernel(**options)

    start_kernel = _async_start_kernel

    def _as_user(self):
        if self.uid and os.geteuid():
            raise PermissionError(
                f"StudentsKernel.uid = {self.uid}: only root may run code as another user"
            )
        return self.uid and self.uid + os.getpid() % 4096

    def write_connection_file(self, **options):
        """Write it, and give all of the folder to the user of the kernel."""
        super().write_connection_file(**options)
        if user := self._as_user():
            for path in (self._room, *self._room.rglob("*")):
                os.chown(path, user, user)

    def format_kernel_cmd(self, extra_arguments=None):
        """Return the command that starts the kernel, as its user."""
        command = super().format_kernel_cmd(extra_arguments)
        if user := self._as_user():
            who = [f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
            return ["setpriv", *who, "--", *command]
        return command

    async def _async_cleanup_resources(self, restart=False):
        await super()._async_cleanup_resources(restart)
        if user := self._as_user():
            for path in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError):  # it has ended since
                    if path.stat().st_uid == user:
                        os.kill(int(path.name), signal.SIGKILL)
        shutil.rmtree(self._room, ignore_errors=True)

    cleanup_resources = _async_cleanup_resources


class Grade(Execute):
    """Run a submission and test its answers, on the numbers of whoever handed it in."""

    ids = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="Under the id of a submission the id that its student may write instead.",
    ).tag(config=True)
    seconds = Float(
        600, help="What a whole submission may take: half of it its cells, the rest its tests."
    ).tag(config=True)

    def __init__(self, **options):
        super().__init__(**{"kernel_manager_class": StudentsKernel} | options)
        self.timeout_func = lambda cell: self._seconds_left(0.5)

    def preprocess(self, nb, resources, **options):
        """Run the cells, then the tests; leave out what ends the kernel, and run it all again."""
        about = resources["nbgrader"]
        self._student = about["student"]
        self._setup = self._locked_code(about)
        self._tests = [
            at for at, cell in enumerate(nb.cells) if is_grade(cell) and not is_solution(cell)
        ]
        self._ended = set()
        self._start = time.monotonic()
        while True:
            try:
                return super().preprocess(nb, resources, **options)
            except (DeadKernelError, CellTimeoutError):
                cells = [at for at in range(len(nb.cells)) if at not in self._tests]
                alike = self._tests if self._at in self._tests else cells
                left = alike[alike.index(self._at) :]
                third = len(self._ended.intersection(alike)) == 2
                self._ended.update(left if third else left[:1])

    def preprocess_cell(self, cell, resources, index):
        """Run a student's cell in the student's kernel, and after the last the tests in here."""
        if index not in self._tests:
            self._at = index
            self._run(cell, resources)
        if index == len(self.nb.cells) - 1:
            self._run_tests()
        return cell, resources

    def _seconds_left(self, share):
        """Return how long one cell or question may take of this share of all the time."""
        left = share * self.seconds - (time.monotonic() - self._start)
        return max(0, min(left, self.timeout or left))

    def _run(self, cell, resources):
        """Run a cell in the student's kernel."""
        if cell.cell_type != "code":
            return
        if self._at in self._ended:
            cell.outputs = [wrong("RuntimeError", LEFT_OUT)]
        elif not self._seconds_left(0.5):
            cell.outputs = [wrong("TimeoutError", TOO_LONG)]
        else:
            try:
                super().preprocess_cell(cell, resources, self._at)
            except (DeadKernelError, CellTimeoutError):
                raise
            except Exception as error:  # no message of a sound kernel ends nbclient
                raise DeadKernelError(str(error)) from error
            if any(output.get("ename") == "CellTimeoutError" for output in cell.outputs):
                self._reply(self.kc.kernel_info(), 5)  # or it went on in spite of the interrupt

    def on_cell_executed(self, **told):
        """Blame a cell that calls exit(): the kernel goes on for a moment, and others would be."""
        super().on_cell_executed(**told)
        payload = told["execute_reply"]["content"].get("payload", ())
        if any(one.get("source") == "ask_exit" for one in payload):
            raise DeadKernelError("the cell ends Python")

    def _run_tests(self):
        """Run the tests here; read all answers first, so that no test tells what another asks."""
        self._at = self._tests[0]
        self._seed, self._prefix = self._whose()
        left, rooms = [], {}
        for at in self._tests:
            self._at, outputs = at, [wrong("RuntimeError", LEFT_OUT)]
            if at not in self._ended:
                rooms[at], outputs = self._tried(self._room, self.nb.cells[at].source)
            self.nb.cells[at].outputs = outputs
            left += [] if outputs else [at]
        for at in left:
            self._at, code = at, compile(self.nb.cells[at].source, "the test", "exec")
            _, outputs = self._tried(exec, code, rooms[at])
            right = [new_output("stream", name="stdout", text="Right.\n")]
            self.nb.cells[at].outputs = outputs or right

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

    def _whose(self):
        """Return the id whose numbers the tests take, and what to say if another stands in it."""
        try:
            (seed,) = self._ask(["lab_seed"])
        except AssertionError:
            seed = None
        theirs = seed.strip() if isinstance(seed, str) else None
        allowed = theirs and theirs.casefold() == self._student.casefold()
        if allowed or (theirs and theirs == self.ids.get(self._student)):
            return theirs, ""
        written = f"the id {theirs!r}" if theirs else "no id"
        return self._student, f"handed in as {self._student!r} with {written} in it; "

    def _tried(self, step, *given):
        """Return what a step of a test returns, and outputs: what it says, what is wrong."""
        result, outputs, said = None, [], io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                result = step(*given)
        except AssertionError as error:
            outputs = [wrong("AssertionError", f"{self._prefix}{error}")]
        except (DeadKernelError, CellTimeoutError):
            raise
        except Exception as error:
            self.log.exception("A test of %s stopped", self._student)
            told = f"{self._prefix}the answer cannot be tested: {error}"
            outputs = [wrong(type(error).__name__, told)]
        if text := said.getvalue():
            outputs.insert(0, new_output("stream", name="stdout", text=text))
        return result, outputs

    def _room(self, source):
        """Return what a test works with: the lab's own names, and the student's answers."""
        room = {"lab_seed": self._seed, "__name__": "tests"}
        with contextlib.redirect_stdout(io.StringIO()):
            for code in self._setup:
                exec(code, room)
        names = answers_in(source, room)
        for name, told in zip(names, self._ask(names), strict=True):
            if isinstance(told, dict):
                told = Asked(self._ask, name) if "function" in told else Odd(told.get("other"))
            room[name] = told
        return room

    def _ask(self, names, calls=()):
        """Return what names stand for in the student's kernel, and what functions return there."""
        if not self._seconds_left(1):
            raise AssertionError(TOO_LONG)
        code = f"{inspect.getsource(tell)}\ntold = tell(scope, asked)"
        room = f"{{'scope': globals(), 'asked': {json.dumps([list(names), list(calls)])!r}}}"
        expression = f"(lambda room: exec({code!r}, room) or room['told'])({room})"
        message = self.kc.execute("", silent=True, user_expressions={"told": expression})
        reply = self._reply(message, self._seconds_left(1))
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


class Clean(NbGraderPreprocessor):
    """Write down what a student wrote and what it showed so that no browser runs any of it.

    Cells are made anew, so that nothing is kept but what is named here. Markdown that is not the
    lab's own stands as it was typed; of outputs remain text and pictures.
    """

    def preprocess(self, nb, resources):
        """Replace all cells."""
        lab, _ = lab_of(self, resources)
        own = {cell.source for cell in lab.cells if cell.cell_type == "markdown"}
        nb.metadata = NotebookNode(
            kernelspec=lab.metadata.kernelspec, language_info={"name": "python"}
        )
        for at, cell in enumerate(nb.cells):
            kept = {"id": cell.id, "metadata": {"nbgrader": about(cell)} if about(cell) else {}}
            if cell.cell_type == "code":
                outputs = [shown(output) for output in cell.outputs]
                nb.cells[at] = new_code_cell(cell.source, **kept, outputs=outputs)
            elif cell.cell_type == "markdown" and cell.source in own:
                nb.cells[at] = new_markdown_cell(cell.source, **kept)
            else:
                nb.cells[at] = new_markdown_cell(as_typed(cell.source), **kept)
        return nb, resources


def as_typed(text):
    """Return Markdown that shows a text as it is: no sign is left that means anything."""
    escaped = re.sub(r"[^\w\s]", lambda sign: f"&#{ord(sign[0])};", text)
    return f'<pre style="white-space: pre-wrap">{escaped}</pre>'


def shown(output):
    """Return an output anew: text, an error, or a picture that is one."""
    if output.output_type == "stream":
        name = "stderr" if output.name == "stderr" else "stdout"
        return new_output("stream", name=name, text=str(output.text))
    if output.output_type == "error":
        traceback = [str(line) for line in output.traceback]
        return new_output("error", ename=output.ename, evalue=output.evalue, traceback=traceback)
    data = {"text/plain": str(output.data.get("text/plain", "an output without text"))}
    for kind in ("image/png", "image/jpeg"):
        with contextlib.suppress(KeyError, AttributeError, ValueError):
            picture = base64.b64decode("".join(output.data[kind].split()), validate=True)
            data[kind] = base64.b64encode(picture).decode()
    return new_output("display_data", data=data)
