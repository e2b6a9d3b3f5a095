"""What a reader brings to an explorer: a file, and one column of it."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from dpwidgets.inputs.column import LIMIT, Column, read_csv
from dpwidgets.page.explorer import Explorer, Seen
from dpwidgets.page.page import About, Shown, box, fold, words

_WHERE = (
    f"A CSV file of at most {LIMIT // 10**6} MB, in UTF-8, with names in its first row and decimal "
    "points. It goes to the machine that runs this notebook, and stays in its memory; on Binder "
    "that is somebody else's machine. Larger files: calculators.column.read_csv(path)."
)


class Upload(Explorer):
    """An explorer with a button that reads a CSV file, and a menu of its columns.

    What is chosen there becomes its `values`.
    """

    _columns: Sequence[Column] = ()
    _place = 0  # in the menu, whose first line asks for a choice
    _taken = _refused = ""  # what is said of the file

    def below(self) -> list[About]:
        upload = {"kind": "file", "name": "csv", "label": "Bring a CSV file", "accept": ".csv,.txt"}
        menu = {"kind": "select", "name": "column", "label": "Column", "options": []}
        column = fold(
            "Bring a column",
            box("row", upload | {"most": LIMIT}, menu),
            words("where", "small", text=_WHERE),
            words("csv said", live=True),
            {"kind": "complaint", "name": "csv wrong"},
        )
        return [column, *super().below()]

    def beside(self, seen: Seen) -> Shown:
        return {**super().beside(seen), **self._upload()}

    def _upload(self) -> Shown:
        names = ["choose …", *(one.name for one in self._columns)]
        return {
            "column": {"options": names, "place": self._place, "hidden": not self._columns},
            "csv said": {"text": self._taken},
            "csv wrong": {"text": self._refused},
        }

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        if name not in ("csv", "column"):
            super().asked(name, event)
            return
        self._taken = self._refused = ""
        try:
            self._taken = self._read(event) if name == "csv" else self._choose(int(event["place"]))
        except ValueError as error:
            self._refused = str(error)
        self.tell(**self._upload())

    def _read(self, event: Mapping[str, Any]) -> str:
        self._columns, self._place = tuple(read_csv(base64.b64decode(event["file"])).values()), 0
        names, rows = (one.name for one in self._columns), len(self._columns[0].cells)
        return f"The file has {rows:,} rows and these columns: {', '.join(names)}."

    def _choose(self, place: int) -> str:
        self._place = place
        if not place:
            return ""
        column = self._columns[place - 1]
        self.set_trait("values", tuple(column.numbers.tolist()))
        return f"Taken: {len(column.cells):,} numbers of {column.name}."
