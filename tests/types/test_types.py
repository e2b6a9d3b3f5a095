"""Type checkers find nothing in the package, and in users' code what is wrong and nothing else."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tools

USER_CODE = Path(__file__).with_name("user_code.py")
REFUSED = {
    number
    for number, line in enumerate(USER_CODE.read_text(encoding="utf-8").splitlines(), 1)
    if line.endswith("# refused")
}


def run(program, *arguments, folder=tools.ROOT):
    command = [sys.executable, "-m", program, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")


def mypy(*arguments, **where):
    return run("mypy", "--no-error-summary", *arguments, **where)


def pyright(*arguments, **where):
    """Run pyright, which gets its program from the npm registry when it runs for the first time."""
    return run("pyright", "--pythonpath", sys.executable, *arguments, **where)


def test_mypy_finds_nothing_in_the_package():
    found = mypy()
    assert not found.stdout
    assert not found.stderr


def test_mypy_refuses_what_is_wrong_in_users_code_and_nothing_else(tmp_path):
    """Where the package is only installed, as the README does: an editor looks for it there."""
    found = mypy("--strict", str(USER_CODE), folder=tmp_path).stdout
    lines = re.findall(r"user_code\.py:(\d+): error", found)
    assert set(map(int, lines)) == REFUSED, found


@pytest.mark.slow
def test_pyright_finds_nothing_in_the_package():
    found = pyright()
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
def test_pyright_refuses_what_is_wrong_in_users_code_and_nothing_else(tmp_path):
    shutil.copy(USER_CODE, tmp_path)
    found = json.loads(pyright("--outputjson", USER_CODE.name, folder=tmp_path).stdout)
    errors = [one for one in found["generalDiagnostics"] if one["severity"] == "error"]
    lines = {one["range"]["start"]["line"] + 1 for one in errors}
    assert lines == REFUSED, errors
