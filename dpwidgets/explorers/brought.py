"""An explorer of goals for a case, to which a column of a file can be brought."""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dpwidgets.explorers.case import CaseExplorer
from dpwidgets.explorers.recorded import Deed, Recorded, outcome
from dpwidgets.inputs import column
from dpwidgets.inputs.cells import Column, Rows, TwofoldError
from dpwidgets.inputs.domain import COUNTED, DomainError
from dpwidgets.inputs.notation import several, show
from dpwidgets.inputs.outside import quoted
from dpwidgets.page.explorer import Seen
from dpwidgets.page.page import About, Shown, fold, words

_WHERE = (
    f"A CSV file of at most {column.LIMIT // 10**6} MB, in UTF-8, with names in its first row. "
    "It goes to the machine on which Python runs, and stays in its memory; on the website's desk "
    "that is yours, on Binder somebody else's. Larger files: inputs.column.read_csv(path)."
)
_MENUS = {
    "delimiter": "What stands between two cells?",
    "column": "Take a column",
    "decimal": "What stands before the decimals?",
    "yes": "Which value means yes? All others then mean no.",
}
_WHY = {
    "delimiter": "This file can be read in several ways. Choose the table that is meant.",
    "decimal": "Nothing is taken yet: these numbers can be read in two ways.",
    "yes": "Nothing is taken yet: what is published is a count, and this column is not 0 and 1. To "
    "publish its sum or mean, choose that first.",
}
_SIGNS = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "bar",
    "": "nothing",
    ".": "point",
}
_KINDS = 12  # values that a column may have of which one means yes
# Columns of a table on the page, and signs of a word from a file.
_WIDE, _LONG = 5, 30


class Brought(Recorded, CaseExplorer):
    """An explorer of goals for a case, with a desk where a column of a file is brought.

    What can be read in two ways is asked for, and so is what a count's codes
    mean; nothing is taken before that is answered. A subclass has the
    parameter `values`, which takes the column.
    """

    taken = frozenset(("csv", "where", *_MENUS))
    _file = b""  # in which it is not clear what stands between two cells
    _columns: Sequence[Column] = ()
    _column: Column | None = None  # about which is asked
    _question: TwofoldError | None = None
    _given: str | None = None  # its answer

    def below(self) -> list[About]:
        upload = {
            "kind": "file",
            "name": "csv",
            "label": "Bring a CSV file",
            "most": column.LIMIT,
            "accept": ".csv,.tsv,.txt",
        }
        where = words("where", "small", text=_WHERE)
        menus = [
            {"kind": "presses", "name": name, "label": label}
            for name, label in _MENUS.items()
        ]
        parts = [upload, where, *menus, *outcome("csv")]
        return [fold("Bring a column", *parts), *super().below()]

    def beside(self, seen: Seen) -> Shown:
        return {**super().beside(seen), **self._menus()}

    def _menus(self) -> Shown:
        """Return the columns to take, and of the question that is open what can be answered."""
        columns = []
        for found in self._columns:
            cells = several(len(found.cells), "cell")
            columns.append([_short(found.name), cells])
        menus: dict[str, Any] = {name: {"options": []} for name in _MENUS}
        menus["column"] = {"options": columns}
        if self._question:
            name = self._question.argument
            readings = self._question.readings
            options = []
            for answer, read in readings.items():
                label = answer
                if name != "yes":
                    label = _SIGNS.get(answer, answer)
                options.append([_short(label), _cut(read)])
            place = [*readings, None].index(self._given)
            menus[name] = {"options": options, "place": place}
        return menus

    def deeds(self) -> dict[str, tuple[str, Deed]]:
        deeds = super().deeds()
        for name in _MENUS:
            deeds[name] = ("csv", self._reply)
        deeds["csv"] = ("csv", self._read)
        deeds["column"] = ("csv", self._choose)
        return deeds

    def _read(self, event: Mapping[str, Any]) -> str:
        data = base64.b64decode(event["file"])
        try:
            return self._offer(column.read_csv(data), None)
        except TwofoldError as question:
            self._file = data
            self._columns = ()
            return self._ask(question)

    def _offer(
        self, columns: Mapping[str, Column], question: TwofoldError | None
    ) -> str:
        self._columns = tuple(columns.values())
        self._question = question
        self.tell(**self._menus())
        return f"The file has {several(len(columns), 'column')}."

    def _ask(self, question: TwofoldError) -> str:
        self._question = question
        self._given = None
        self.tell(**self._menus())
        return _WHY[question.argument]

    def _reply(self, event: Mapping[str, Any]) -> str:
        question = self._question
        if question is None or question.argument != event["name"]:
            return ""  # it was pressed while another question was on its way
        answer = list(question.readings)[int(event["place"])]
        if question.argument == "delimiter":
            columns = column.read_csv(self._file, delimiter=answer)
            self._given = answer
            return self._offer(columns, question)
        assert self._column is not None
        if question.argument == "decimal":
            meant = replace(self._column, decimal=answer)
        else:
            meant = self._column.coded(answer)
        sentence = self._accept(meant)
        self._given = answer
        self.tell(**self._menus())
        return sentence

    def _choose(self, event: Mapping[str, Any]) -> str:
        chosen = self._columns[int(event["place"])]
        try:
            sentence = self._accept(chosen)
        except TwofoldError as question:
            self._column = chosen
            return self._ask(question)
        self._question = None
        self.tell(**self._menus())
        return sentence

    def _accept(self, chosen: Column) -> str:
        """Take a column whose numbers can be read in one way, and say what they are."""
        if self.published == "count":
            _check_codes(chosen)
        numbers = chosen.numbers
        self.set_trait("values", tuple(numbers.tolist()))
        value, times = Counter(numbers.tolist()).most_common(1)[0]
        often = "no value twice"
        if times > 1:
            often = f"most often {show(value, 9)} ({_times(times)})"
        least = show(numbers.min(), 9)
        most = show(numbers.max(), 9)
        return (
            f"Taken: {numbers.size:,} numbers of {quoted(chosen.name)}, "
            f"the smallest {least}, the largest {most}, {often}. "
            "If one of these stands for “no answer”, take it out of the file."
        )


def _check_codes(chosen: Column) -> None:
    """Check that a count's column says 0 or 1, true or false; else ask which code means yes."""
    with suppress(DomainError):
        if COUNTED.contains(chosen.numbers).all():
            return
    counted = chosen.counted
    if len(counted) > _KINDS:
        which = f"{quoted(chosen.name)} has {len(counted):,} different values"
        raise ValueError(
            f"{which}. Publish a sum or a mean of them, or bring a column of 0 and 1"
        )
    readings = {cell: _times(times) for cell, times in counted.most_common()}
    raise TwofoldError(
        "yes", f"values of a count must be {COUNTED.allowed}", readings
    )


def _times(number: int) -> str:
    return f"{number:,} times" if number > 1 else "once"


def _short(text: str) -> str:
    if len(text) <= _LONG:
        return text
    return f"{text[: _LONG - 1]}…"


def _cut(read: str | Rows) -> str | list[list[str]]:
    """Return what an answer makes of a file in words, or the corner of its table."""
    if isinstance(read, str):
        return read
    corner = []
    for row in read:
        cells = [_short(cell) for cell in row[:_WIDE]]
        if len(row) > _WIDE:
            cells.append("…")
        corner.append(cells)
    return corner
