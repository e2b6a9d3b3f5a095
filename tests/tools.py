"""What several tests share: the README's code, clean copies and environments, stand-ins."""

import base64
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import uv

import dpwidgets
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.outside import checked_text
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.parameters import Choice, Number
from dpwidgets.teaching.asking import Asking
from dpwidgets.teaching.code import Code
from dpwidgets.teaching.task import Task

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: The README's code, each piece with the lines that it prints by its comments.
BLOCKS = [
    (block, re.findall(r"#\s*(.+)", block))
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL)
]
UV = uv.find_uv_bin()
EXPLORERS = [
    getattr(dpwidgets, name)
    for name in dpwidgets.__all__
    if name.endswith("Explorer")
]
#: The names of the kinds that ask, and how a cell begins that holds one.
ASKING = tuple(
    name
    for name in dpwidgets.__all__
    if isinstance(kind := getattr(dpwidgets, name), type)
    and issubclass(kind, Asking)
)
ASKS = tuple(f"{name}(" for name in ASKING)
#: Gives a test each explorer's `kind`.
every = pytest.mark.parametrize(
    "kind", EXPLORERS, ids=lambda kind: kind.__name__
)
_TURNS = itertools.count(1)


def run(
    *command: str | Path,
    cwd: Path | None = None,
    variables: dict[str, str] | None = None,
) -> str:
    """Run a command that must succeed and return what it printed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, (
        f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    )
    return done.stdout


def peak_megabytes(program: str) -> float:
    """Return the largest memory that a fresh Python needs to run a program.

    A process begins with the peak of the one that started it, so a small one
    stands between.
    """
    between = (
        "import resource, subprocess, sys; "
        "subprocess.run([sys.executable, '-c', sys.argv[1]], check=True, stdout=sys.stderr); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    bytes_of_a_unit = 1 if sys.platform == "darwin" else 1024
    return (
        int(run(sys.executable, "-c", between, program))
        * bytes_of_a_unit
        / 1e6
    )


def copy_repository(folder: Path) -> Path:
    """Copy the files that git tracks, as they are now: what a clone of them all would hold."""
    for name in run("git", "ls-files", "-z", cwd=ROOT).split("\0"):
        # The last name is empty, and a file may be deleted since.
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def build_wheel(repository: Path, folder: Path) -> Path:
    """Build the wheel and return its path."""
    run(UV, "build", "--wheel", "--out-dir", folder, repository)
    (wheel,) = folder.glob("*.whl")
    return wheel


def clean_variables(settings: Path) -> dict[str, str]:
    """Return the environment's variables without what says where Python and Jupyter find things.

    What they keep goes to a folder that nobody else has.
    """
    ours = ("IPYTHON", "JUPYTER", "MPL", "PYTEST", "PYTHON", "VIRTUAL_ENV")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(ours)
    }
    folders = "IPYTHONDIR JUPYTER_CONFIG_DIR JUPYTER_DATA_DIR JUPYTER_RUNTIME_DIR MPLCONFIGDIR"
    # To compile all that pip installs takes longer than all the rest.
    return (
        kept
        | {name: str(settings / name) for name in folders.split()}
        | {"PYTHONUTF8": "1", "PIP_COMPILE": "0"}
    )


def python_of(version: str) -> str:
    """Return a Python of this version, as pyenv or the path has it; else the one that runs this."""
    places = [
        *Path.home().glob(f".pyenv/versions/{version}.*/bin"),
        *os.get_exec_path(),
    ]
    found = (shutil.which(f"python{version}", path=place) for place in places)
    return next(
        (one for one in found if one and _runs(one, version)), sys.executable
    )


def _runs(python: str, version: str) -> bool:
    """Tell whether a Python of this version is behind a name, which may be a shim of none."""
    command = [
        python,
        "-c",
        "import sys, venv; print(*sys.version_info[:2], sep='.')",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:  # no program for this machine
        return False
    return (done.returncode, done.stdout.strip()) == (0, version)


class Environment:
    """An environment with nothing but Python, that sees neither this one nor a user's settings."""

    def __init__(
        self, folder: Path, python: str | Path = sys.executable
    ) -> None:
        run(python, "-m", "venv", "--without-pip", folder)
        self.folder = folder
        self.variables = clean_variables(folder / "settings")
        self.variables["PATH"] = (
            f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        )

    def install(self, *requirements: str | Path) -> None:
        """Install with uv, which takes options too."""
        run(
            UV,
            "pip",
            "install",
            "--python",
            self.folder / "bin" / "python",
            *requirements,
        )

    def installed(self) -> dict[str, str]:
        """Return the version of each package that is installed, by its name."""
        python = self.folder / "bin" / "python"
        listed = run(UV, "pip", "list", "--python", python, "--format", "json")
        return {
            package["name"]: package["version"]
            for package in json.loads(listed)
        }

    def run(self, *command: str | Path, cwd: Path | None = None) -> str:
        """Run a command that must succeed, in this environment, and return what it printed."""
        return run(*command, cwd=cwd or self.folder, variables=self.variables)


def assert_readable(error: Exception, *words: str) -> None:
    """Check that an error's message can be shown on a page, and says one of the words if any."""
    message = str(error)
    assert message.encode()
    assert all(sign.isprintable() or sign in "\t\n" for sign in message), (
        message
    )
    assert len(message) < 500
    assert not words or any(word in message for word in words), message


def or_message(function, *arguments, says=()):
    """Return what a function returns, or None where it refuses in words that can be shown."""
    try:
        return function(*arguments)
    except (TypeError, ValueError) as error:
        assert_readable(error, *says)
    return None


def ask(widget, name, **event):
    """Do on a widget's page what a reader does: move to a place, type a text, press a button."""
    widget.set_state(
        {"_asked": {"name": name, "turn": str(next(_TURNS)), **event}}
    )


def press(page, name: str) -> None:
    """Press a button of a page."""
    assert not page._shown.get(name, {}).get("disabled")
    assert f'"kind": "press", "name": "{name}"' in json.dumps(page._about)
    ask(page, name, pressed=True)


def enabled(page, *names: str) -> list[bool]:
    """Tell of each of these parts of a page whether a reader can press it."""
    return [not page._shown[name]["disabled"] for name in names]


def said(page) -> str:
    """Return what the parts of a page say at present: words, messages, and HTML."""
    says = [part for part in page._shown.values() if not part.get("hidden")]
    kinds = ("text", "message", "html")
    return " ".join(
        part[kind] for part in says for kind in kinds if part.get(kind)
    )


def assert_whole(explorer: Explorer) -> None:
    """Check that all that an explorer shows is of one state."""
    fresh = type(explorer)(**explorer.settings())
    for name in explorer.parameters():
        assert (
            getattr(explorer, name)
            == getattr(fresh, name)
            == explorer.state.values[name]
        ), name
    assert explorer.result == fresh.result
    assert explorer.code == fresh.code
    assert explorer.still.png == fresh.still.png
    assert (
        explorer.sentence
        == fresh.sentence
        == shown(explorer, "sentence")["text"]
        == shown(explorer, "picture")["alt"]
        == explorer.still.alt
    )
    for part in ("notes", "code", *explorer.parameters()):
        own = {
            name: says
            for name, says in shown(explorer, part).items()
            if name != "text"
        }
        assert own == {name: shown(fresh, part)[name] for name in own}, part
    assert not explorer.messages
    fresh.close()


def assert_sound(asked: Asking) -> None:
    """Check what the author of a question or a task must see to, and no run looks at."""
    if isinstance(asked, Task):
        assert asked.state, "the solution names no parameter"
        assert not asked.reached(asked.explorer.result_at()), (
            "the start reaches the goal"
        )
        assert asked.reached(asked.explorer.result_at(**asked.state)), (
            "the solution does not"
        )
    elif isinstance(asked, Code):
        stub = asked.function
        assert not asked.judge()[0], "the stub is right"
        asked.function = lambda: asked.like
        assert asked.judge()[0], "what is right is refused"
        asked.function = stub
    else:
        assert all(
            checked_text("misconceptions", why)
            for why in asked.misconceptions.values()
        )
        for answer in asked.choices or [asked.answer]:
            assert asked.judge(written(answer))[0] == (answer == asked.answer)
        for wrong, why in asked.misconceptions.items():
            if why.endswith("?"):
                said = f"Not yet: {why}"
            else:
                said = f"Not yet: {why}."
            assert asked.judge(written(wrong)) == (False, said), wrong
        if asked.state:
            asked.explorer.result_at(**asked.state)


def written(answer: float | str) -> str:
    """Write an answer as its reader gives it."""
    return answer if isinstance(answer, str) else repr(float(answer))


def upload(widget, name, *contents: bytes) -> None:
    """Choose files, as a browser sends them."""
    files = [
        (f"{number}.json", base64.b64encode(one).decode("ascii"))
        for number, one in enumerate(contents)
    ]
    ask(widget, name, files=files)


def shown(widget, name):
    """Return what a part of a widget's page shows."""
    return widget._shown[name]


def opened(explorer):
    """Return the sentences to which the rows of an explorer's picture open."""
    return [words for *_, words in shown(explorer, "picture")["rows"]]


def main(kind):
    """The number of an explorer that a reader moves first."""
    return "epsilon" if "epsilon" in kind.parameters() else "factor"


def visible(explorer):
    """Return the names of the parameters whose controls are on the page."""
    return {
        name
        for name in explorer.parameters()
        if not shown(explorer, name)["hidden"]
    }


def states(kind, start, one_at_a_time=False):
    """Yield the states to which a reader comes from one: the values that differ from it.

    In the view that the start names, or else in every view, every choice is
    changed alone. Every slider goes to both ends as it first comes on the
    page, and to one of them, in turn, for each other choice; or only where the
    choices are as they were. Controls that wait behind a button stay.
    """
    explorer = kind(**start)
    there = visible(explorer) if explorer.only else kind.parameters()
    views = [start["view"]] if "view" in start else kind.view.options
    choices = [
        {name: option}
        for name, trait in kind.parameters().items()
        if isinstance(trait, Choice) and name in there and name != "view"
        for option in trait.options
        if option != getattr(explorer, name)
    ]
    met = Counter()
    for view, choice in itertools.product(views, [{}, *choices]):
        frame = {"view": view, **choice}
        try:
            seen = explorer._seen(explorer.state_at(**frame))
        except DomainError as refused:
            # Beside that control: whole numbers of noise for a mean. Beside
            # the column: a count of what is neither 0 nor 1.
            counted = (
                "count" in choice.values() and refused.argument == "values"
            )
            if not counted and refused.argument not in choice:
                raise
            continue
        now = seen.state.values
        still = (
            {seen.state.solved} | explorer.unused(now) | explorer.hidden(now)
        )
        grids = explorer.grids(seen.result, now)
        yield frame
        if choice and one_at_a_time:
            continue
        for name, trait in kind.parameters().items():
            if (
                isinstance(trait, Number)
                and name in there
                and name not in still
            ):
                grid = grids.get(name, trait.grid)
                turn = met[view, name]
                met[view, name] += 1
                if turn and len(choices) > 20:
                    # Then such pairs are too many: tests/fuzz draws some.
                    continue
                for at in [-((turn + len(name)) % 2)] if turn else [0, -1]:
                    yield {
                        **frame,
                        name: trait.heard({"place": at % len(grid)}, grid),
                    }


def sweep(explorer, one_at_a_time=False):
    """Compute all that a reader comes to from an explorer's start, and draw what is at its ends.

    No number is refused, and no exception is raised: both come through.
    Returns how many there are.
    """
    kind, many = type(explorer), 0
    start = {
        name: value for name, value in explorer.start.items() if name != "view"
    }
    start["only"] = explorer.only
    drawn = set()
    for state in states(kind, start, one_at_a_time):
        seen = explorer._seen(explorer.state_at(**state))
        assert seen.sentence
        frame = state["view"], len(state)
        if frame not in drawn:
            drawn.add(frame)
            explorer._draw(seen)
        many += 1
    return many


class Series:
    """What we use of a pandas Series."""

    def __init__(self, cells, index=None, name=None):
        self.cells, self.name = cells, name
        self.index = range(len(cells)) if index is None else index

    def __len__(self):
        return len(self.cells)

    def __iter__(self):
        return iter(self.cells)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.cells, dtype=dtype)


def at_once(*jobs):
    """Call functions in threads that take turns as often as Python can."""
    threads = [threading.Thread(target=job) for job in jobs]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)


def times_as_long(job, short, long):
    """Return how many times the processor time of a short job a long one needs, in one run.

    What is shorter than a twentieth of a second counts as that, for then the
    clock says little.
    """
    seconds = []
    for length in (short, long):
        start = time.process_time()
        job(length)
        seconds.append(max(time.process_time() - start, 0.05))
    return seconds[1] / seconds[0]


def updated(kind, *results):
    """Return a plot of a kind that has met these results, one after the other."""
    plot = kind()
    for result in results:
        plot.update(result)
    return plot


def named(plot):
    """Return the marks of a plot's main panel by their names in its key."""
    axes = plot.axes
    return {
        one.get_label(): one
        for one in (*axes.lines, *axes.patches)
        if one.get_label()
    }
