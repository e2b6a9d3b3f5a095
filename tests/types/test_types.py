"""Type checkers find nothing in the package, and in users' code what is wrong and nothing else."""

import json
import re
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


def mypy(*arguments):
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *arguments]
    return subprocess.run(command, cwd=tools.ROOT, capture_output=True, text=True, encoding="utf-8")


def pyright(*arguments):
    """Run pyright, which gets its program from the npm registry when it runs for the first time."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, *arguments]
    return subprocess.run(command, cwd=tools.ROOT, capture_output=True, text=True, encoding="utf-8")


def test_mypy_finds_nothing_in_the_package():
    found = mypy()
    assert not found.stdout
    assert not found.stderr


def test_mypy_refuses_what_is_wrong_in_users_code_and_nothing_else():
    found = mypy("--strict", str(USER_CODE)).stdout
    lines = re.findall(r"user_code\.py:(\d+): error", found)
    assert set(map(int, lines)) == REFUSED, found


@pytest.mark.slow
def test_pyright_finds_nothing_in_the_package():
    found = pyright()
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
def test_pyright_refuses_what_is_wrong_in_users_code_and_nothing_else():
    found = json.loads(pyright("--outputjson", str(USER_CODE)).stdout)
    errors = [one for one in found["generalDiagnostics"] if one["severity"] == "error"]
    lines = {one["range"]["start"]["line"] + 1 for one in errors}
    assert lines == REFUSED, errors
