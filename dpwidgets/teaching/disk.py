"""A file of what is kept of questions: written as a whole or not at all, and read with care."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from dpwidgets.inputs.outside import load_json


def replace(path: Path, text: str) -> None:
    """Let a file hold a text, as a whole or not at all; nothing else is left in its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def written(program: str, number: int, questions: Mapping[str, Any]) -> str:
    """Write what is kept of each question as JSON, for `questions_of`."""
    about = {"program": program, "format": number, "questions": questions}
    return json.dumps(about, indent=1)


def questions_of(
    content: bytes, program: str, number: int, most: int
) -> dict[str, Any]:
    """Read what is kept of each question, not checked yet, from a file of at most so many bytes.

    Raises
    ------
    ValueError
        If it is too large or no JSON, comes from another program, or has
        another format.
    """
    try:
        found = load_json(content, most)
    except ValueError:
        raise ValueError(
            f"it is no JSON of at most {most / 1e6:g} MB"
        ) from None
    about = found if isinstance(found, dict) else {}
    questions = about.get("questions")
    ours = (about.get("program"), about.get("format")) == (program, number)
    if not ours or not isinstance(questions, dict):
        raise ValueError(f"it is no {program} of format {number}")
    return questions
