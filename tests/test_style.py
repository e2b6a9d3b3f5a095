"""ruff finds nothing to mend in Python, in lint and in format, and oxlint nothing in JavaScript."""

import shutil
import sys
from pathlib import Path

import pytest

from tools import ROOT, run

SCRIPTS = ["dpwidgets/page/page.js", "website"]
#: The names of what is synced begin with an underscore, each element has one
#: listener, ours, and messages go between a page and its worker, which have
#: one origin.
ALLOWED = [
    "eslint/no-underscore-dangle",
    "unicorn/prefer-add-event-listener",
    "unicorn/require-post-message-target-origin",
]


def finds_nothing(program, *arguments):
    here = shutil.which(program, path=Path(sys.executable).parent)
    run(here or shutil.which(program), *arguments, cwd=ROOT)


@pytest.mark.parametrize("command", ["check", "format --check"])
def test_ruff(command):
    finds_nothing("ruff", *command.split(), "--no-cache", ".")


def test_oxlint():
    rules = (
        "--deny=correctness",
        "--deny=suspicious",
        *(f"--allow={rule}" for rule in ALLOWED),
    )
    finds_nothing("oxlint", *rules, *SCRIPTS)


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
