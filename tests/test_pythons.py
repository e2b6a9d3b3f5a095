"""A Python that does not run is not there: tried before it is taken."""

import os
import shutil
import sys

import pytest

import tools

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def shims(tmp_path, monkeypatch):
    """Put a folder before the path in which each name is a shim of pyenv without a version."""
    folder = tmp_path / "shims"
    shim = "#!/bin/sh\necho 'pyenv: command not found' >&2\nexit 127\n"
    folder.mkdir()
    for name in (
        f"python{VERSION}",
        "python9.9",
        "python8.8",
        "python3",
        "uv",
    ):
        (folder / name).write_text(
            shim if name != "python8.8" else "no program"
        )
        (folder / name).chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def test_a_version_is_one_that_runs(shims, tmp_path, monkeypatch):
    assert tools.python_of("9.9") == tools.python_of("8.8") == sys.executable
    behind = tmp_path / "behind"
    behind.mkdir()
    # The second has the name of another version.
    for name in (f"python{VERSION}", "python9.9"):
        (behind / name).symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{shims}{os.pathsep}{behind}")
    assert tools.python_of(VERSION) == str(behind / f"python{VERSION}")
    assert tools.python_of("9.9") == sys.executable
    tools.Environment(tmp_path / "environment", tools.python_of(VERSION))


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_takes_a_python_and_a_uv_that_run(shims, tmp_path):
    (shims / "python").symlink_to(sys.executable)
    shutil.copy(tools.ROOT / "Makefile", tmp_path)
    shutil.copy(tools.ROOT / "pyproject.toml", tmp_path)
    said = tools.run(
        "make", "--no-print-directory", "--dry-run", "lab", cwd=tmp_path
    ).splitlines()
    assert said[0] == "python -m venv .venv"
    assert any(line.startswith(".venv/bin/uv pip install") for line in said)
