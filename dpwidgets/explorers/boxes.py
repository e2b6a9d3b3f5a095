"""What stands beside the goals: a column to bring, and a record to take away."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from dpwidgets.calculators.choice import LARGEST, SUFFIXES, WORDS, Sheet
from dpwidgets.inputs.column import LIMIT, Column, read_csv
from dpwidgets.page.page import About, Shown, box, button, fold, words

_WHERE = (
    f"A CSV file of at most {LIMIT // 10**6} MB, in UTF-8, with names in its first row and decimal "
    "points. It goes to the machine that runs this notebook, and stays in its memory; on Binder "
    "that is somebody else's machine. Larger files: calculators.column.read_csv(path)."
)


def _file(event: Mapping[str, Any]) -> bytes:
    try:
        return base64.b64decode(str(event["file"]), validate=True)
    except binascii.Error:
        raise ValueError("the file did not arrive whole; choose it again") from None


class Box:
    """A part of the page that says what it did, and what was wrong."""

    said = wrong = ""

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Do what a reader has asked for, or say why not."""
        self.said = self.wrong = ""
        try:
            self.do(name, event)
        except ValueError as error:
            self.wrong = str(error)

    def do(self, name: str, event: Mapping[str, Any]) -> None:
        """Do it, or raise an error that says why not."""
        raise NotImplementedError


class ColumnUpload(Box):
    """A button that reads a CSV file, and a menu of its columns.

    Parameters
    ----------
    take : callable
        What is done with the numbers of the column that is chosen.
    """

    def __init__(self, take: Callable[[tuple[float, ...]], None]) -> None:
        self.take = take
        self.columns: tuple[Column, ...] = ()
        self.place = 0  # in the menu, whose first line asks for a choice

    def about(self) -> About:
        """Return its parts."""
        upload = {"kind": "file", "name": "csv", "label": "Bring a CSV file", "accept": ".csv,.txt"}
        menu = {"kind": "select", "name": "column", "label": "Column", "options": []}
        rest = words("where", "small", text=_WHERE), words("csv said", live=True)
        parts = box("row", upload | {"most": LIMIT}, menu), *rest
        return fold("Bring a column", *parts, {"kind": "complaint", "name": "csv wrong"})

    def says(self) -> Shown:
        """Return what they show."""
        names = ["choose …", *(one.name for one in self.columns)]
        hidden = not self.columns
        return {
            "column": {"options": names, "place": self.place, "hidden": hidden},
            "csv said": {"text": self.said},
            "csv wrong": {"text": self.wrong},
        }

    def do(self, name: str, event: Mapping[str, Any]) -> None:
        """Read a file, or take a column of it."""
        if name == "csv":
            self.columns, self.place = tuple(read_csv(_file(event)).values()), 0
            columns = ", ".join(one.name for one in self.columns)
            self.said = (
                f"The file has {len(self.columns[0].cells):,} rows and these columns: {columns}."
            )
            return
        self.place = int(event["place"])
        if self.place:
            column = self.columns[self.place - 1]
            numbers = tuple(column.numbers.tolist())
            self.take(numbers)
            self.said = f"Taken: {len(numbers):,} numbers of {column.name}."


class Desk(Box):
    """What a record needs from people, and buttons to write one and to bring one back.

    Parameters
    ----------
    make : callable
        Returns the record of the present state with these words.
    bring : callable
        Goes to the state of a record, and returns what to say of that.
    kind : type
        Which records are brought back.
    """

    def __init__(
        self, make: Callable[..., Sheet], bring: Callable[[Sheet], str], kind: type[Sheet]
    ) -> None:
        self.make, self.bring, self.kind = make, bring, kind
        self.words = dict.fromkeys(WORDS, "")
        self.files: list[tuple[str, str, str]] = []  # each a name, a media type and a text

    def about(self) -> About:
        """Return its parts."""
        fields = (
            {"kind": "text", "name": f"record {name}", "label": f"{label[0].upper()}{label[1:]}"}
            | {"rows": 1}
            for name, label in WORDS.items()
        )
        bring = {"kind": "file", "name": "bring", "label": "Bring one back", "accept": ".json"}
        return fold(
            "The decision record",
            *fields,
            box("row", button("write", "Write the record"), bring | {"most": LARGEST}),
            {"kind": "links", "name": "files", "label": "Download:"},
            words("record said", live=True),
            {"kind": "complaint", "name": "record wrong"},
        )

    def says(self) -> Shown:
        """Return what they show."""
        return {f"record {name}": {"text": text} for name, text in self.words.items()} | {
            "files": {"files": self.files},
            "record said": {"text": self.said},
            "record wrong": {"text": self.wrong},
        }

    def do(self, name: str, event: Mapping[str, Any]) -> None:
        """Take a word, write the record, or bring one back."""
        self.files = []
        if name == "write":
            self._write(self.make(**self.words))
        elif name == "bring":
            self.said = self.bring(self.kind.load(_file(event)))
        else:
            self.words = self.words | {name.removeprefix("record "): str(event["text"])}

    def _write(self, record: Sheet) -> None:
        versions = {"decision": record}
        if record.public() != record:
            versions["decision-public"] = record.public()
        self.files = [
            (f"{name}{suffix}", kind, getattr(one, writes)())
            for name, one in versions.items()
            for suffix, (kind, writes) in SUFFIXES.items()
            if suffix not in (".yaml", ".py")
        ]
        for suffix, what in {".py": "program", ".yaml": "entry for the registry"}.items():
            kind, writes = SUFFIXES[suffix]
            try:
                self.files.append((f"decision{suffix}", kind, getattr(record, writes)()))
            except ValueError as error:
                self.said = f"It has no {what} yet: {error}."
