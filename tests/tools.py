"""What several tests share: the README's code, clean copies and environments, stand-ins."""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import venv
from pathlib import Path

import numpy as np
import uv

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = [
    (
        block,
        re.findall(r"#\s*(.+)", block),
    )  # the code, and the lines that it prints by its comments
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL)
]
UV = uv.find_uv_bin()


def run(
    *command: str | Path, cwd: Path | None = None, variables: dict[str, str] | None = None
) -> str:
    """Run a command that must succeed and return what it printed."""
    done = subprocess.run(
        command, cwd=cwd, env=variables, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def copy_repository(folder: Path) -> Path:
    """Copy the files that git tracks, as they are now: what a clone of them all would hold."""
    for name in run("git", "ls-files", "-z", cwd=ROOT).split("\0"):
        if (ROOT / name).is_file():  # the last name is empty, and a file may be deleted since
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def build_wheel(repository: Path, folder: Path) -> Path:
    """Build the wheel and return its path."""
    run(UV, "build", "--wheel", "--out-dir", folder, repository)
    (wheel,) = folder.glob("*.whl")
    return wheel


class Environment:
    """An environment with nothing but Python, that sees neither this one nor a user's settings."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        self.folder = folder
        ours = ("IPYTHON", "JUPYTER", "MPL", "PYTEST", "PYTHON", "VIRTUAL_ENV")
        settings = (
            "IPYTHONDIR",
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "MPLCONFIGDIR",
        )
        self.variables = {
            name: value for name, value in os.environ.items() if not name.startswith(ours)
        }
        self.variables |= {name: str(folder / "settings" / name) for name in settings}
        self.variables |= {
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONUTF8": "1",
        }
        self.variables["PIP_COMPILE"] = "0"  # to compile takes longer than all the rest

    def install(self, *requirements: str | Path) -> None:
        """Install with uv, which takes options too."""
        run(UV, "pip", "install", "--python", self.folder / "bin" / "python", *requirements)

    def installed(self) -> dict[str, str]:
        """Return the version of each package that is installed, by its name."""
        listed = run(
            UV, "pip", "list", "--python", self.folder / "bin" / "python", "--format", "json"
        )
        return {package["name"]: package["version"] for package in json.loads(listed)}

    def run(self, *command: str | Path, cwd: Path | None = None) -> str:
        """Run a command that must succeed, in this environment, and return what it printed."""
        return run(*command, cwd=cwd or self.folder, variables=self.variables)


def assert_readable(error: Exception, *words: str) -> None:
    """Check that an error's message can be shown on a page, and says one of the words if any."""
    message = str(error)
    assert message.encode()
    assert all(sign.isprintable() or sign in "\t\n" for sign in message), message
    assert len(message) < 500
    assert not words or any(word in message for word in words), message


def upload(widget, content: bytes) -> None:
    """Choose a file in an upload button, as a browser does."""
    now = datetime.datetime.now(datetime.UTC)
    widget.value = (
        {
            "name": "a",
            "type": "",
            "size": len(content),
            "content": memoryview(content),
            "last_modified": now,
        },
    )


class Series:
    """What we use of a pandas Series."""

    def __init__(self, cells, index=None, name=None):
        self.cells, self.index, self.name = (
            cells,
            range(len(cells)) if index is None else index,
            name,
        )

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
