"""Hand in a lab as one file, wherever it was done: in JupyterLab or in a browser without a server.

A kernel does not know the text of its notebook. So the student downloads it,
as every front end lets them, and gives it to `HandIn`, which looks whether it
is whole and gives back what to upload.
"""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ipywidgets import Layout

from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import checked_text, load_json, quoted
from dpwidgets.labs import LABS
from dpwidgets.page.page import box, words
from dpwidgets.teaching.base import Teaching, paragraph
from dpwidgets.teaching.progress import key

PROGRAM = "dpwidgets lab"
#: How many bytes a notebook may have, with all its outputs.
LARGEST = 20_000_000
#: What stands in a lab as it is handed out, in place of the student's id.
NOBODY = "your student id"
SEED = re.compile(
    r"""^[ \t]*lab_seed[ \t]*=[ \t]*(?:(["'])(.*?)\1|(.*))""", re.MULTILINE
)
_STEPS = (
    "Run all cells and save. Download this notebook (File, Download), choose the file here, and "
    "upload what you get back where your course wants it."
)
_PLAIN = "It is not encrypted: whoever gets the file can read it."
_UNREADABLE = "This is no notebook that can be read"
_ALL_THERE = (
    "Every question has an answer. Whether it is right is not looked at."
)


class Found(NamedTuple):
    """What was found in a student's notebook.

    Attributes
    ----------
    text : str
        The notebook, without its outputs.
    missing, empty : list of str
        The names of the questions whose cells are deleted, and of those that
        nobody has touched.
    public_key : str
        The lecturer's, in base64, or nothing.
    """

    text: str
    missing: list[str]
    empty: list[str]
    public_key: str


def ids(code: str) -> set[str]:
    """Return the student ids that a notebook's code names.

    Examples
    --------
    >>> ids('lab_seed = "s123"  # mine')
    {'s123'}
    """
    found = SEED.findall(code)
    return {(text or other).strip() for _, text, other in found}


def answers(cells: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return a hash of the text in each cell for an answer, by the question's name."""
    found: dict[str, str] = {}
    for cell in cells:
        about = cell["metadata"].get("nbgrader", {})
        if about.get("solution"):
            found[str(about.get("grade_id"))] = key("".join(cell["source"]))
    return found


def look(content: bytes, lab: int, seed: str) -> Found:
    """Look whether a downloaded notebook is this student's lab, and what is missing in it.

    Parameters
    ----------
    content : bytes
        The file, at most 20 MB.
    lab : int
        The number of the lab.
    seed : str
        The student's id.

    Returns
    -------
    Found
        The notebook without its outputs, and what is missing.

    Raises
    ------
    ValueError
        If it cannot be read, is another notebook or an older one, or has
        another id or none.
    """
    try:
        notebook: Any = load_json(content, LARGEST)
        about = notebook["metadata"].get("dpwidgets", {})
        lab_of = about.get("lab")
        released = dict(about.get("questions", {}))
        code = [
            cell for cell in notebook["cells"] if cell["cell_type"] == "code"
        ]
        written = ids("\n".join("".join(cell["source"]) for cell in code))
        given = answers(notebook["cells"])
    except ValueError as error:
        raise ValueError(f"{_UNREADABLE}: {error}.") from None
    except (AttributeError, KeyError, TypeError):
        raise ValueError(
            f"{_UNREADABLE}: its parts are not a notebook's."
        ) from None
    if lab_of != f"lab{lab}":
        raise ValueError(f"This is not lab {lab} as it was handed out to you.")
    if NOBODY in (seed, *written):
        raise ValueError(
            "Write your student id at the top, run all cells, and download again."
        )
    if seed.strip().casefold() not in map(str.casefold, written):
        found = ", ".join(map(quoted, sorted(written))) or "none"
        raise ValueError(
            f"The id in this file is {found}, and the one in this notebook {quoted(seed)}. "
            "Run all cells, save, and download again."
        )
    # A front end passes on a few megabytes a second, and pictures are large.
    for cell in code:
        cell["outputs"] = []
        cell["execution_count"] = None
    text = json.dumps(notebook, indent=1)
    missing = [name for name in released if name not in given]
    empty = [
        name for name, text in released.items() if given.get(name) == text
    ]
    return Found(text, missing, empty, str(about.get("public_key", "")))


def sealed(text: str, lab: int, public_key: str) -> str:
    """Encrypt a notebook so that only the lecturer can read it, with a sealed box of libsodium.

    Raises
    ------
    ImportError
        If PyNaCl is not there.
    ValueError
        If the key is none.
    """
    from nacl.public import PublicKey, SealedBox

    encrypted = SealedBox(PublicKey(as_key(public_key))).encrypt(text.encode())
    secret = base64.b64encode(encrypted).decode()
    about = {"program": PROGRAM, "lab": f"lab{lab}", "sealed": secret}
    return json.dumps(about)


def as_key(text: str) -> bytes:
    """Read a key from base64.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> as_key("secret")
    Traceback (most recent call last):
        ...
    ValueError: a key has 32 bytes, written in base64
    """
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        found = b""
    if len(found) != 32:
        raise ValueError("a key has 32 bytes, written in base64")
    return found


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

    Notes
    -----
    Where the lecturer had put a public key into `class.toml`, the released lab
    has it in its metadata, and the file is encrypted with it. That takes
    PyNaCl; where it is missing, as in some browsers, the file is plain, and
    the page says so.

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
            "accept": ".ipynb",
        }
        parts = [
            words("steps", text=_STEPS),
            box("row", load | {"most": LARGEST}),
            {"kind": "complaint", "name": "wrong"},
            words("found", live=True),
            {"kind": "links", "name": "file", "label": "Upload this file:"},
            words("sealed", "small", live=True),
        ]
        super().__init__(
            "progress", parts, Layout(width="660px", max_width="100%")
        )

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Look at the notebook that a student has chosen."""
        if name != "load":
            return
        try:
            found = look(base64.b64decode(event["file"]), self.lab, self.seed)
        except ValueError as error:
            self.tell(wrong={"text": str(error)}, found={}, file={}, sealed={})
            return
        file, how = self._file(found)
        self.tell(
            wrong={},
            found={"text": _words(found)},
            file={"files": [file]},
            sealed=how,
        )

    def _file(
        self, found: Found
    ) -> tuple[tuple[str, str, str], dict[str, str]]:
        """Return the file to hand in, and whether others can read it."""
        student = re.sub("[^0-9A-Za-z.@+-]", "_", self.seed.strip())
        name = f"lab{self.lab}-{student}"
        plain = (f"{name}.ipynb", "application/json", found.text)
        if not found.public_key:
            return plain, {"text": _PLAIN}
        try:
            text = sealed(found.text, self.lab, found.public_key)
        except ImportError:
            why = "PyNaCl, which encrypts it, is not installed here."
            return plain, {"text": f"{why} {_PLAIN}"}
        except ValueError:
            why = "The lecturer's key in this notebook is damaged."
            return plain, {"text": f"{why} {_PLAIN}"}
        how = {"text": "It is encrypted: only your lecturer can read it."}
        return (f"{name}.sealed", "application/json", text), how

    def __repr__(self) -> str:
        return f"Hand in lab {self.lab}"

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel."""
        return paragraph(
            f"Lab {self.lab} is handed in here while the notebook runs. {_STEPS}"
        )


def _words(found: Found) -> str:
    """Say what a student has not answered."""
    parts = []
    if found.missing:
        parts.append(
            f"Deleted, so they earn nothing: {', '.join(found.missing)}."
        )
    if found.empty:
        parts.append(f"Not answered: {', '.join(found.empty)}.")
    return " ".join(parts) or _ALL_THERE
