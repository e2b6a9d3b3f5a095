"""ruff finds nothing to mend, in lint and in format."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUFF = shutil.which("ruff") or Path(sys.executable).with_name("ruff")


@pytest.mark.parametrize(
    "command", [["check", "--no-cache"], ["format", "--check", "--no-cache"]], ids=lambda c: c[0]
)
def test_ruff(command):
    run = subprocess.run([RUFF, *command, "."], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
