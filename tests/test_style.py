"""ruff finds nothing to mend in Python, in lint and in format, and oxlint nothing in JavaScript."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import ROOT

SCRIPTS = ["dpwidgets/page/page.js", "website"]
#: The names of what is synced begin with an underscore, each element has one
#: listener, ours, and messages go between a page and its worker, which have
#: one origin.
ALLOWED = [
    "eslint/no-underscore-dangle",
    "unicorn/prefer-add-event-listener",
    "unicorn/require-post-message-target-origin",
]


def run(program, *arguments):
    found = shutil.which(
        program, path=Path(sys.executable).parent
    ) or shutil.which(program)
    return subprocess.run(
        [found, *arguments], cwd=ROOT, capture_output=True, text=True
    )


@pytest.mark.parametrize("command", ["check", "format --check"])
def test_ruff(command):
    found = run("ruff", *command.split(), "--no-cache", ".")
    assert found.returncode == 0, found.stdout + found.stderr


def test_oxlint():
    rules = (
        "--deny=correctness",
        "--deny=suspicious",
        *(f"--allow={rule}" for rule in ALLOWED),
    )
    found = run("oxlint", *rules, *SCRIPTS)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_page_is_drawn_by_fewer_than_1200_lines():
    names = ("page/page.js", "page/page.css")
    texts = [
        (ROOT / "dpwidgets" / name).read_text(encoding="utf-8")
        for name in names
    ]
    assert sum(len(text.splitlines()) for text in texts) < 1200
    assert (
        max(len(line) for text in texts for line in text.splitlines()) <= 120
    )
