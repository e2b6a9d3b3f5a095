"""An explorer of goals for a case, to which a column of a file can be brought."""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from dpwidgets.explorers.case import CaseExplorer
from dpwidgets.explorers.recorded import Deed, Recorded, outcome
from dpwidgets.inputs import column
from dpwidgets.inputs.domain import COUNTED, DomainError
from dpwidgets.inputs.notation import several, show
from dpwidgets.inputs.outside import quoted
from dpwidgets.inputs.table import Column
from dpwidgets.page.explorer import Seen
from dpwidgets.page.page import About, Shown, fold, words

_WHERE = (
    f"A CSV file of at most {column.LIMIT // 10**6} MB, in UTF-8, with names in its first row. "
    "It goes to the machine on which Python runs, and stays in its memory; on the website's desk "
    "that is yours, on Binder somebody else's. Larger files: inputs.column.read_csv(path)."
)
_MENUS = {
    "column": "Take a column",
    "yes": "Which value means yes? All others then mean no.",
}
_WHICH = (
    "Nothing is taken yet: what is published is a count, and this column is not 0 and 1. To "
    "publish its sum or mean, choose that first."
)
_KINDS = 12  # values that a column may have of which one means yes
_LONG = 30  # signs of a word from a file


class Brought(Recorded, CaseExplorer):
    """An explorer of goals for a case, with a desk where a column of a file is brought.

    What a count's codes mean is asked for; nothing is taken before that is
    answered. A subclass has the parameter `values`, which takes the column.
    """

    taken = frozenset(("csv", "where", *_MENUS))
    _columns: Sequence[Column] = ()
    _coded: Column | None = None  # of which it is asked what means yes
    _given: str | None = None  # the answer

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
        """Return the columns to take, and what may mean yes in one that is to be counted."""
        columns = []
        for found in self._columns:
            cells = several(len(found.cells), "cell")
            columns.append([_short(found.name), cells])
        counted = Counter[str]()
        if self._coded:
            counted = self._coded.counted
        values = []
        answers: list[str | None] = []
        for cell, times in counted.most_common():
            values.append([_short(cell), _times(times)])
            answers.append(cell)
        # Behind the last one, as long as nobody has answered.
        place = [*answers, None].index(self._given)
        yes = {"options": values, "place": place}
        return {"column": {"options": columns}, "yes": yes}

    def deeds(self) -> dict[str, tuple[str, Deed]]:
        return {
            **super().deeds(),
            "csv": ("csv", self._read),
            "column": ("csv", self._choose),
            "yes": ("csv", self._reply),
        }

    def _read(self, event: Mapping[str, Any]) -> str:
        columns = column.read_csv(base64.b64decode(event["file"]))
        self._columns = tuple(columns.values())
        self._ask(None)
        return f"The file has {several(len(columns), 'column')}."

    def _ask(self, coded: Column | None, given: str | None = None) -> None:
        """Ask which value of a column means yes, or nothing, and show what was answered."""
        self._coded = coded
        self._given = given
        self.tell(**self._menus())

    def _choose(self, event: Mapping[str, Any]) -> str:
        chosen = self._columns[int(event["place"])]
        if self.published == "count" and not _is_counted(chosen):
            _check_few(chosen)
            self._ask(chosen)
            return _WHICH
        sentence = self._accept(chosen)
        self._ask(None)
        return sentence

    def _reply(self, event: Mapping[str, Any]) -> str:
        if self._coded is None:
            return ""  # it was pressed while another file was on its way
        counted = self._coded.counted.most_common()
        yes, _ = counted[int(event["place"])]
        sentence = self._accept(self._coded.coded(yes))
        self._ask(self._coded, yes)
        return sentence

    def _accept(self, chosen: Column) -> str:
        """Take a column whose numbers can be read in one way, and say what they are."""
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


def _is_counted(chosen: Column) -> bool:
    """Tell whether all that stands in a column is 0 or 1, or true or false."""
    with suppress(DomainError):
        return bool(COUNTED.contains(chosen.numbers).all())
    return False


def _check_few(chosen: Column) -> None:
    """Refuse a column that is to be counted and has too many values to ask which means yes."""
    counted = chosen.counted
    if len(counted) > _KINDS:
        which = f"{quoted(chosen.name)} has {len(counted):,} different values"
        raise ValueError(
            f"{which}. Publish a sum or a mean of them, or bring a column of 0 and 1"
        )


def _times(number: int) -> str:
    return f"{number:,} times" if number > 1 else "once"


def _short(text: str) -> str:
    if len(text) <= _LONG:
        return text
    return f"{text[: _LONG - 1]}…"
