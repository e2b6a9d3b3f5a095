"""What the tests themselves stand on."""

import sys
from pathlib import Path

import tools


def test_a_python_that_does_not_run_is_not_there(tmp_path, monkeypatch):
    """A shim of pyenv is found for each version that was ever installed, and most end in 127."""
    shims, real = tmp_path / "shims", tmp_path / "real"
    for folder, last in ((shims, "exit 127"), (real, f'exec "{sys.executable}" "$@"')):
        folder.mkdir()
        program = folder / "python3.98"
        program.write_text(f"#!/bin/sh\n{last}\n")
        program.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{shims}:{real}")
    assert Path(tools.python_of("3.98")).parent == real
    monkeypatch.setenv("PATH", str(shims))
    assert tools.python_of("3.98") == sys.executable
