"""Asks dp-accounting, which pins what it needs too tightly to stand beside the other test tools."""

import json
from pathlib import Path

from tools import Environment

PROGRAM = Path(__file__).parents[1] / "peers" / "accounting.py"


def ask_dp_accounting(folder: Path, questions: list[tuple[int, float, list[float]]]) -> list[dict]:
    """Install dp-accounting under the folder; return upper, lower and seconds for each question."""
    environment = Environment(folder / "environment")
    environment.install("dp-accounting>=0.6")
    asked = folder / "questions.json"
    asked.write_text(json.dumps(questions))
    return json.loads(environment.run("python", PROGRAM, asked))
