"""A Python that does not run is not there: tried before it is taken."""

import os
import shutil
import sys

import pytest

import tools


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_takes_a_python_and_a_uv_that_run(tmp_path, monkeypatch):
    """Before the path stands a folder of pyenv's shims, without a version behind them."""
    shims = tmp_path / "shims"
    shims.mkdir()
    for name in ("python3", "uv"):
        (shims / name).write_text("#!/bin/sh\nexit 127\n")
        (shims / name).chmod(0o755)
    (shims / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{shims}{os.pathsep}{os.environ['PATH']}")
    shutil.copy(tools.ROOT / "Makefile", tmp_path)
    shutil.copy(tools.ROOT / "pyproject.toml", tmp_path)
    said = tools.run(
        "make", "--no-print-directory", "--dry-run", "lab", cwd=tmp_path
    ).splitlines()
    assert said[0] == "python -m venv .venv"
    assert any(line.startswith(".venv/bin/uv pip install") for line in said)
