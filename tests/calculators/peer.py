"""Asks dp-accounting, which pins what it needs too tightly to stand beside the other test tools."""

import json
from pathlib import Path

from tools import Environment

PROGRAMS = Path(__file__).parents[1] / "peers"


def ask_dp_accounting(folder: Path, questions: list[tuple[int, float, list[float]]]) -> list[dict]:
    """Return upper, lower and seconds for each question about Laplace noise."""
    return _ask(folder, "accounting.py", questions)


def ask_about_plans(folder: Path, plans: list[list[tuple[str, float, int, int]]]) -> list[dict]:
    """Return what dp-accounting and riskcal compute for each plan of several unlike releases."""
    return _ask(folder, "plans.py", plans, "riskcal")


def _ask(folder: Path, program: str, questions: list, *others: str) -> list[dict]:
    """Install dp-accounting and others under the folder, and run a program with the questions."""
    environment = Environment(folder / "environment")
    environment.install("dp-accounting>=0.6", *others)
    asked = folder / "questions.json"
    asked.write_text(json.dumps(questions))
    return json.loads(environment.run("python", PROGRAMS / program, asked))
