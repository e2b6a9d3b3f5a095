"""An explorer whose decision can be recorded, saved, and brought back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from dpwidgets.calculators.choice import SUFFIXES, Sheet
from dpwidgets.explorers.boxes import Desk
from dpwidgets.page.explorer import Explorer, Seen
from dpwidgets.page.page import About, Shown


class Recorded(Explorer):
    """An explorer with a desk where its decision is recorded.

    A subclass says which `kind` of record it makes, and what a record `shows` in it.
    """

    kind: ClassVar[type[Sheet]]

    def shows(self, record: Any) -> tuple[dict[str, Any], str]:
        """Return the values that show a record, and what to say of it, or raise ValueError."""
        raise NotImplementedError

    def below(self) -> list[About]:
        self._desk = Desk(self.record, self._bring, self.kind)
        return [self._desk.about()]

    def beside(self, seen: Seen) -> Shown:
        self._desk.files = []
        return self._desk.says()

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        if name in ("bring", "write") or name.startswith("record "):
            self._desk.asked(name, event)
            self.tell(**self._desk.says())
        else:
            super().asked(name, event)

    def record(self, **words: str) -> Any:
        """Return the record of the present decision.

        Parameters
        ----------
        **words : str
            What only people can say: `about`, `use`, `whom` and the others of `choice.Sheet`.
            Nothing is filled in.

        Returns
        -------
        Sheet
            The record; it holds no values of a column.
        """
        return self.result.record(**words)

    def save(self, path: str | Path) -> None:
        """Write the record, with its fields, to .md, .html, .json or .yaml; else the picture."""
        if Path(path).suffix in SUFFIXES:
            self.record(**self._desk.words).save(path)
        else:
            super().save(path)

    def load(self, source: str | bytes | Path) -> None:
        """Take what a record holds, as its class's `load` reads it.

        Raises
        ------
        ValueError
            If it is no record, or one that this explorer cannot show; the explorer stays as it is.
        """
        self._bring(self.kind.load(source))

    def _bring(self, record: Sheet) -> str:
        values, said = self.shows(record)
        state = self._with(self.state, values)
        self._seen(state)  # what cannot be shown is refused before anything changes
        self._go(state)
        self._desk.words = record.said
        self.tell(**self._desk.says())
        return said
