"""Records as files: their JSON, written and read."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Self

from dpwidgets import __version__
from dpwidgets.decisions.case import read_before, said_before
from dpwidgets.decisions.goals import NOT_FOR_PUBLISHING, RECORDS, Goal
from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import (
    begins_like_json,
    described,
    fields_of,
    list_of,
    load_json,
    path_of,
    read_file,
)

FORMAT = 4
PROGRAM = "dpwidgets decision record"
#: How many bytes the text may have that is read.
LARGEST = 1_000_000


#: How a file's name ends: its media type, and what writes it.
SUFFIXES = {
    ".html": ("text/html", "html"),
    ".md": ("text/markdown", "markdown"),
    ".json": ("application/json", "json"),
    ".py": ("text/x-python", "code"),
}


class Filed:
    """What a record is as a file: JSON, which is read again, and what is made of it."""

    def json(self) -> str:
        """Write it as JSON, for `load`."""
        content = {
            "program": PROGRAM,
            "format": FORMAT,
            **_content(self),
        }
        return json.dumps(
            content, indent=1, ensure_ascii=False, allow_nan=False
        )

    def save(self, path: str | Path) -> Path:
        """Write it to a file: .md, .html, .json or .py (`code`), as it ends.

        Raises
        ------
        ValueError
            If it ends with none of these, or nothing is published by a program.
        """
        path = Path(path)
        if path.suffix not in SUFFIXES:
            raise ValueError(
                f"path must end with {' or '.join(SUFFIXES)}; got {path.name!r}"
            )
        _, method = SUFFIXES[path.suffix]
        path.write_text(getattr(self, method)(), encoding="utf-8")
        return path

    @classmethod
    def load(cls, source: str | bytes | Path) -> Self:
        """Read one from its JSON, or from a file of it.

        Parameters
        ----------
        source : str, bytes or Path
            The JSON as text that begins with a brace or as bytes, each behind
            a byte order mark or not, or a file's path.

        Returns
        -------
        Record
            The record. What its pages say is computed again.

        Raises
        ------
        TypeError
            If it is none of these.
        ValueError
            If it is no JSON, has more than a million bytes, comes from another
            program or from a version with another format, or is damaged: it
            lacks something, or claims more; and if a text neither begins with
            a brace nor names a file.
        OSError
            If there is no such file.
        """
        if not isinstance(source, str | bytes | Path):
            wanted = (
                "a record's JSON as text or bytes, or the path of its file"
            )
            raise TypeError(
                f"source must be {wanted}; got {described(source)}"
            )
        content = _loaded(source)
        content.pop("warning", None)  # computed like all else
        try:
            kinds = {of.__name__.lower(): kind for of, kind in RECORDS.items()}
            name = one_of("kind", content.pop("kind", None), kinds)
            if not issubclass(kinds[name], cls):
                raise ValueError(f"it is about a {name}")
            record: Self = _made(kinds[name], content)
            return record
        except (TypeError, ValueError) as error:
            raise ValueError(f"the record is damaged: {error}") from None


def _content(record: Any) -> dict[str, Any]:
    """Return a record's fields as JSON has them."""
    content: dict[str, Any] = {"kind": type(record.whole).__name__.lower()}
    for field in fields(record):
        content[field.name] = getattr(record, field.name)
    content["whole"] = record.whole.to_dict()
    content["goals"] = [goal.to_dict() for goal in record.goals]
    content["before"] = [said_before(one) for one in record.whole.before]
    if record.from_data:
        return {"warning": NOT_FOR_PUBLISHING, **content}
    return content


def _loaded(source: str | bytes | Path) -> dict[str, Any]:
    """Return the fields of a record's JSON, of the format that is read here."""
    try:
        if isinstance(source, str) and not begins_like_json(source):
            source = path_of(source)
        if isinstance(source, Path):
            source = read_file(source, LARGEST)
        # Of text, so many characters at most.
        loaded = load_json(source, LARGEST)
    except ValueError as error:
        wanted = "a record is JSON, as .json() or .save() wrote it"
        raise ValueError(f"{wanted}; this is not: {error}") from None
    content: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
    if content.pop("program", None) != PROGRAM:
        raise ValueError(
            f"this JSON comes from another program: it is no {PROGRAM}"
        )
    form = content.pop("format", None)
    if form != FORMAT:
        ours = f"dpwidgets {__version__} reads format {FORMAT}"
        raise ValueError(f"this record has format {described(form)}; {ours}")
    return content


def _made(kind: type[Any], content: dict[str, Any]) -> Any:
    """Make a record of the fields that JSON had, or raise an error that says what is wrong."""
    names = [*(field.name for field in fields(kind)), "before"]
    content = fields_of("a record", names, content)
    before = []
    for one in list_of("before", content.pop("before")):
        before.append(read_before(one))
    whole = kind.about_what.from_dict(content["whole"])
    content["whole"] = replace(whole, before=tuple(before))
    goals = list_of("goals", content["goals"])
    content["goals"] = tuple(map(Goal.from_dict, goals))
    return kind(**content)
