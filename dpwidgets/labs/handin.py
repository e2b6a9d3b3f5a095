"""Hand in a lab as one file, wherever it was done: in JupyterLab or in a browser without a server.

A kernel does not know the text of its notebook. So the student downloads it,
as every front end lets them, and gives it to `HandIn`, which looks whether it
is whole and gives back what to upload.
"""

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

from ipywidgets import Layout

from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import checked_text, load_json, quoted
from dpwidgets.labs import LABS
from dpwidgets.labs.reading import (
    NOBODY,
    Reading,
    answers as answers,
    read,
)
from dpwidgets.page.page import box, words
from dpwidgets.teaching.base import Teaching, paragraph

#: How many bytes a notebook may have without its outputs: a Jupyter server
#: takes 10 MiB in one message, where each three bytes are four characters.
SENT = 7_000_000
_STEPS = (
    "Run all cells and save. Download this notebook (File, Download), choose the file here, and "
    "upload what you get back where your course wants it."
)
_UNREADABLE = "This is no notebook that can be read"
_ALL_THERE = (
    "Every question has an answer. Whether it is right is not looked at."
)


def look(content: bytes, lab: int, seed: str) -> tuple[str, Reading]:
    """Look whether a downloaded notebook is this student's lab, and what is missing in it.

    Parameters
    ----------
    content : bytes
        The file, at most 7 MB.
    lab : int
        The number of the lab.
    seed : str
        The student's id.

    Returns
    -------
    str, Reading
        The notebook without its outputs, and what is missing.

    Raises
    ------
    ValueError
        If it cannot be read, is another notebook or an older one, or has
        another id or none.
    """
    try:
        notebook: Any = load_json(content, SENT)
        reading = read(notebook)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{_UNREADABLE}: {error}.") from None
    except (AttributeError, KeyError, TypeError):
        raise ValueError(
            f"{_UNREADABLE}: its parts are not a notebook's."
        ) from None
    if reading.lab != f"lab{lab}":
        raise ValueError(f"This is not lab {lab} as it was handed out to you.")
    if NOBODY in (seed, *reading.ids):
        raise ValueError(
            "Write your student id at the top, run all cells, and download again."
        )
    if seed.strip().casefold() not in map(str.casefold, reading.ids):
        found = ", ".join(map(quoted, sorted(reading.ids))) or "none"
        raise ValueError(
            f"The id in this file is {found}, and the one in this notebook {quoted(seed)}. "
            "Run all cells, save, and download again."
        )
    # They are no part of an answer, and pictures are large.
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    return json.dumps(notebook, indent=1), reading


class HandIn(Teaching):
    """Make the one file that a student hands in.

    Parameters
    ----------
    lab_seed : str
        The student's id, as the lab has it.
    lab : int
        The number of the lab.

    Raises
    ------
    TypeError, ValueError
        If the id is no text of at most 100 characters, or there is no such
        lab.

    Examples
    --------
    >>> HandIn("s123", lab=1)
    Hand in lab 1
    """

    def __init__(self, lab_seed: str, lab: int) -> None:
        self.seed = checked_text("lab_seed", lab_seed, 100)
        self.lab = int(one_of("lab", lab, LABS))
        load = {
            "kind": "file",
            "name": "load",
            "label": "Your notebook",
            # Browsers and systems add endings of their own.
            "accept": "",
            "most": SENT,
            "notebook": True,
        }
        parts = [
            words("steps", text=_STEPS),
            box("row", load),
            {"kind": "complaint", "name": "wrong"},
            words("found", live=True),
            {"kind": "links", "name": "file", "label": "Upload this file:"},
        ]
        super().__init__(
            "progress", parts, Layout(width="660px", max_width="100%")
        )

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Look at the notebook that a student has chosen."""
        if name != "load":
            return
        try:
            content = base64.b64decode(event["file"])
            text, reading = look(content, self.lab, self.seed)
        except ValueError as error:
            # Nothing stays that was said of an earlier file.
            self.tell(wrong={"text": str(error)}, found={"text": ""}, file={})
            return
        student = re.sub("[^0-9A-Za-z.@+-]", "_", self.seed.strip())
        name = f"lab{self.lab}-{student}.ipynb"
        self.tell(
            wrong={},
            found={"text": _words(reading)},
            file={"files": [(name, "application/json", text)]},
        )

    def __repr__(self) -> str:
        return f"Hand in lab {self.lab}"

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel."""
        return paragraph(
            f"Lab {self.lab} is handed in here while the notebook runs. {_STEPS}"
        )


def _words(reading: Reading) -> str:
    """Say of which questions there is no answer."""
    told = reading.numbered
    parts = []
    if reading.missing:
        parts.append(
            f"Deleted, so they earn nothing: {told(reading.missing)}."
        )
    if reading.untouched:
        parts.append(f"Not answered: {told(reading.untouched)}.")
    if not parts:
        parts.append(_ALL_THERE)
    return " ".join(parts)
