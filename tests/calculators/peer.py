"""Asks peers, which pin what they need too tightly to stand beside the other test tools."""

import json
from pathlib import Path

from tools import Environment

PROGRAMS = Path(__file__).parents[1] / "peers"


def ask_dp_accounting(folder: Path, questions: list[dict]) -> list[dict]:
    """Return what dp-accounting and riskcal answer to each question: see peers/accounting.py.

    Later versions of riskcal are compiled when they are installed.
    """
    return _ask(
        folder, "accounting.py", questions, "dp-accounting>=0.6", "riskcal<1.5"
    )


def ask_opendp(folder: Path, sources: list[str]) -> list[list[str]]:
    """Return the lines that each program for OpenDP prints."""
    return _ask(folder, "run.py", sources, "opendp>=0.12")


def _ask(folder: Path, program: str, questions: list, *needs: str) -> list:
    """Install what a program needs under the folder, and run it with the questions."""
    environment = Environment(folder / "environment")
    environment.install(*needs)
    asked = folder / "questions.json"
    asked.write_text(json.dumps(questions))
    return json.loads(environment.run("python", PROGRAMS / program, asked))
