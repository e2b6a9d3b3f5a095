"""What stands beside the goals: a column to bring, and a record to take away."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpwidgets.calculators.choice import WORDS, Option, Record
from dpwidgets.inputs.column import LIMIT, Column, read_csv
from dpwidgets.inputs.notation import show
from dpwidgets.page.page import About, Shown, box, button, fold, words

_FIELDS = {
    "about": "What is published",
    "whom": "About whom",
    "attacker": "The attacker",
    "reasons": "Why this ε",
    "rejected": "Rejected, and why",
    "names": "Who decided",
    "date": "When",
    "review": "Looked at again",
}
_WHERE = (
    f"A CSV file of at most {LIMIT // 10**6} MB, in UTF-8, with names in its first row and decimal "
    "points. It goes to the machine that runs this notebook, and stays in its memory; on Binder "
    "that is somebody else's machine. Larger files: calculators.column.read_csv(path)."
)
_LARGEST = 1_000_000  # bytes of a record
#: The ε that stand to reason inside the range, as buttons that set them.
OPTIONS: About = {"kind": "presses", "name": "options", "label": "Choose inside the range"}


def option_words(options: Sequence[Option]) -> list[list[str]]:
    """Return what the buttons of these ε say, and what each of them buys."""
    return [[f"{one.name}: ε = {show(one.epsilon)}", one.buys] for one in options]


def _file(event: Mapping[str, Any]) -> bytes:
    try:
        return base64.b64decode(str(event["file"]), validate=True)
    except binascii.Error:
        raise ValueError("the file did not arrive whole; choose it again") from None


class ColumnUpload:
    """A button that reads a CSV file, and a menu of its columns."""

    def __init__(self) -> None:
        self.columns: tuple[Column, ...] = ()
        self.place = 0  # in the menu, whose first line asks for a choice
        self.said = self.wrong = ""

    def about(self) -> list[About]:
        """Return its parts."""
        upload = {"kind": "file", "name": "csv", "label": "Bring a CSV file", "accept": ".csv,.txt"}
        menu = {"kind": "select", "name": "column", "label": "Column", "options": []}
        rest = words("where", "small", text=_WHERE), words("csv said", live=True)
        parts = box("row", upload | {"most": LIMIT}, menu), *rest
        return [fold("Bring a column", *parts, {"kind": "complaint", "name": "csv wrong"})]

    def says(self) -> dict[str, Mapping[str, Any]]:
        """Return what they show."""
        names = ["choose …", *(one.name for one in self.columns)]
        hidden = not self.columns
        return {
            "column": {"options": names, "place": self.place, "hidden": hidden},
            "csv said": {"text": self.said},
            "csv wrong": {"text": self.wrong},
        }

    def asked(
        self, name: str, event: Mapping[str, Any], *, take: Callable[[tuple[float, ...]], None]
    ) -> None:
        """Take a file or a choice, and pass on the numbers of the column that is chosen."""
        self.said = self.wrong = ""
        try:
            if name == "csv":
                self.columns, self.place = tuple(read_csv(_file(event)).values()), 0
                columns = ", ".join(one.name for one in self.columns)
                rows = len(self.columns[0].cells)
                self.said = f"The file has {rows:,} rows and these columns: {columns}."
                return
            self.place = int(event["place"])
            if self.place:
                column = self.columns[self.place - 1]
                numbers = tuple(column.numbers.tolist())
                take(numbers)
                self.said = f"Taken: {len(numbers):,} numbers of {column.name}."
        except ValueError as error:
            self.wrong = str(error)


class Desk:
    """What a record needs from people, and buttons to write one and to bring one back."""

    def __init__(self) -> None:
        self.words = dict.fromkeys(WORDS, "")
        self.files: Sequence[tuple[str, str, str]] = ()  # each a name, a media type and a text
        self.said = self.wrong = ""

    def about(self) -> About:
        """Return its parts."""
        fields = (
            {"kind": "text", "name": f"record {name}", "label": label, "rows": 1}
            for name, label in _FIELDS.items()
        )
        bring = {"kind": "file", "name": "bring", "label": "Bring one back", "accept": ".json"}
        return fold(
            "The decision record",
            *fields,
            box("row", button("write", "Write the record"), bring | {"most": _LARGEST}),
            {"kind": "links", "name": "files", "label": "Download:"},
            words("record said", live=True),
            {"kind": "complaint", "name": "record wrong"},
        )

    def says(self) -> Shown:
        """Return what they show."""
        return {f"record {name}": {"text": text} for name, text in self.words.items()} | {
            "files": {"files": list(self.files)},
            "record said": {"text": self.said},
            "record wrong": {"text": self.wrong},
        }

    def asked(
        self,
        name: str,
        event: Mapping[str, Any],
        *,
        make: Callable[..., Record],
        bring: Callable[[Record], str],
    ) -> None:
        """Take a word, write the record of the present state, or bring one back."""
        self.said = self.wrong = ""
        self.files = ()
        try:
            if name == "write":
                self._write(make(**self.words))
            elif name == "bring":
                self.said = bring(Record.load(_file(event)))
            else:
                self.words = self.words | {name.removeprefix("record "): str(event["text"])}
        except ValueError as error:  # of words that are too long, or no record
            self.wrong = str(error)

    def _write(self, record: Record) -> None:
        versions = {"decision": record}
        if record.from_data:
            versions["decision-public"] = record.public()
        self.files = [
            (f"{name}{suffix}", kind, text)
            for name, one in versions.items()
            for suffix, kind, text in (
                (".html", "text/html", one.html()),
                (".md", "text/markdown", one.markdown()),
                (".json", "application/json", one.json()),
            )
        ]
