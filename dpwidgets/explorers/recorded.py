"""An explorer of goals, whose decision can be recorded, saved, and brought back."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from dpwidgets.decisions.case import after
from dpwidgets.decisions.record import (
    LARGEST,
    NO_PLACE,
    SUFFIXES,
    WORDS,
    Record,
    unread,
)
from dpwidgets.inputs.outside import quoted
from dpwidgets.page.explorer import Explorer, Seen, Values
from dpwidgets.page.page import About, Shown, box, button, fold, words
from dpwidgets.page.state import State

#: What a part at the desk does: it returns what to say of it, or raises a
#: ValueError.
Deed = Callable[[Mapping[str, Any]], str]


def switch(goal: str) -> str:
    """Return the name of the parameter that says whether a kind of goal counts.

    Examples
    --------
    >>> switch("interval")
    'use_interval'
    """
    return f"use_{goal}"


class RecordedExplorer(Explorer):
    """An explorer of goals, each with a switch, and with a desk where its decision is recorded.

    A subclass says which goals there are, which `kind` of record it makes, and
    what a record `shows` in it.
    """

    kind: ClassVar[type[Record]]
    goals: ClassVar[Mapping[str, tuple[str, ...]]]
    """Under each kind of goal its parameters; its `switch` is named after the kind."""
    # From people.
    _words: Mapping[str, str] = MappingProxyType(dict.fromkeys(WORDS, ""))
    # What was written last, or brought back.
    _last: Any = None

    def shows(self, record: Any) -> tuple[dict[str, Any], str]:
        """Return the values that show a record, and what to say of it, or raise ValueError."""
        raise NotImplementedError

    def goals_of(self, record: Any) -> dict[str, Any]:
        """Return the values that show a record's goals, and what counts before."""
        if record.number is None:
            raise ValueError(
                "this record has no ε: it is a public version, or a refusal"
            )
        values: dict[str, Any] = dict.fromkeys(map(switch, self.goals), False)
        for goal in record.goals:
            used = switch(goal.kind)
            if values[used]:
                raise ValueError(
                    f"this record has two goals about {goal.kind}; one has room here"
                )
            values[used] = True
            for field, keyword in goal.keywords().items():
                values[keyword] = getattr(goal, field)
        return values | {"before": record.whole.before}

    def say(self, result: Any, now: Values) -> str:
        return str(result.sentence)

    def unused(self, now: Values) -> set[str]:
        unused = super().unused(now)
        for goal, names in self.goals.items():
            if not now[switch(goal)]:
                unused = unused.union(names)
        return unused

    def arranged(self) -> list[About]:
        controls = {
            part.get("name", part["label"]): part
            for part in super().arranged()
        }
        first = [*controls].index(switch(next(iter(self.goals))))
        boxes = []
        for goal, names in self.goals.items():
            parts = map(controls.pop, (switch(goal), *names))
            boxes.append(box("goal", *parts, label=goal))
        rest = list(controls.values())
        return [*rest[:first], *boxes, *rest[first:]]

    def below(self) -> list[About]:
        fields = []
        for name, called in WORDS.items():
            label = f"{called[0].upper()}{called[1:]}"
            part = {"kind": "text", "name": f"record {name}", "label": label}
            fields.append(part)
            if name == "reasons":
                fields.append(words("no place", text=""))
        desk = fold(
            "The decision record",
            *fields,
            box(
                "row",
                button("write", "Write the record"),
                _upload("bring", "Bring one back"),
                _upload("count", "Count records before this", several=True),
            ),
            {"kind": "links", "name": "files", "label": "Download:"},
            words("record said", live=True, text=""),
            {"kind": "complaint", "name": "record wrong", "text": ""},
        )
        return [*super().below(), desk]

    def beside(self, seen: Seen) -> Shown:
        return {
            **super().beside(seen),
            **self._fields(),
            "no place": {"text": NO_PLACE if seen.result.from_data else ""},
            "files": {"files": []},
        }

    def _fields(self) -> Shown:
        return {
            f"record {name}": {"text": text}
            for name, text in self._words.items()
        }

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        deeds: dict[str, Deed] = {
            "write": self._write,
            "bring": self._bring,
            "count": self._before,
            **dict.fromkeys(self._fields(), self._say),
        }
        if name not in deeds:
            super().asked(name, event)
            return
        self.tell(files={"files": []})
        said = wrong = ""
        try:
            said = deeds[name](event)
        except ValueError as error:
            wrong = str(error)
        self.tell(
            **{"record said": {"text": said}, "record wrong": {"text": wrong}}
        )

    def _refuse(self, state: State, argument: str, why: str) -> None:
        """Say it beside the goal that was struck last, where it is about no other control."""
        for goal in self.result.goals:
            if not state.values[switch(goal.kind)]:
                argument = argument or switch(goal.kind)
        super()._refuse(state, argument, why)

    def _say(self, event: Mapping[str, Any]) -> str:
        name = event["name"].removeprefix("record ")
        self._words = {**self._words, name: str(event["text"])}
        self.tell(**self._fields())
        return ""

    def _write(self, event: Mapping[str, Any]) -> str:
        record = self.record(**self._words)
        versions = {"decision": record}
        if record.public() != record:
            versions["decision-public"] = record.public()
        files = [
            _file(name, version, suffix)
            for name, version in versions.items()
            for suffix in SUFFIXES
            if suffix != ".py"
        ]
        files.append(("label.html", "text/html", record.label()))
        if record.noise is not None:
            files.append(_file("decision", record, ".py"))
        self.tell(files={"files": files})
        return ""

    def _bring(self, event: Mapping[str, Any]) -> str:
        ((_, content),) = event["files"]
        return self._show(self.kind.load(base64.b64decode(content)))

    def _before(self, event: Mapping[str, Any]) -> str:
        """Count records before this decision, and leave all else as it is."""
        whole = self.result.whole
        for name, content in event["files"]:
            try:
                record = Record.load(base64.b64decode(content))
                whole = after(whole, [*whole.before, record])
            except ValueError as error:
                raise ValueError(f"{quoted(name)}: {error}") from None
        if whole == self.result.whole:
            return (
                "Nothing is added: it counts already, inside another record."
            )
        self._change(before=whole.before)
        said = "; ".join(whole.past.rows(whole.delta))
        return f"Counted before this decision: {said}."

    def record(self, **words: str) -> Any:
        """Return the record of the present decision.

        Parameters
        ----------
        **words : str
            What only people can say: `about`, `use`, `whom` and the others of
            `Record`. Nothing is filled in. As long as these and the decision
            stay the same, so does the record.

        Returns
        -------
        Record
            The record; it holds no values of a column.

        Raises
        ------
        ValueError
            If what is set is refused: it is no decision, and the picture shows
            the last one that was.
        """
        if self.messages:
            why = "; ".join(self.messages.values())
            raise ValueError(f"there is no decision to record: {why}")
        made = self.result.record(**words)
        last = self._last
        if last is None or last != replace(
            made,
            version=last.version,
            as_read=last.as_read,
            unknown=last.unknown,
        ):
            self._last = made
        return self._last

    def load(self, source: str | bytes | Path) -> None:
        """Take what a record holds, as its class's `load` reads it.

        Raises
        ------
        ValueError
            If it is no record, or one that this explorer cannot show; the
            explorer stays as it is.
        """
        self._show(self.kind.load(source))

    def _change(self, **values: Any) -> None:
        """Give parameters these values; what cannot be is refused before anything changes."""
        state = self._with(self.state, values)
        self._seen(state)
        self._go(state)

    def _show(self, record: Record) -> str:
        values, sentence = self.shows(record)
        self._change(**values)
        self._words = record.said
        self._last = record
        self.tell(**self._fields())
        return " ".join([sentence, *unread(record.as_read, record.unknown)])


def _upload(name: str, label: str, *, several: bool = False) -> About:
    """Return a part that takes the file of a record, or the files of several."""
    return {
        "kind": "file",
        "name": name,
        "label": label,
        "several": several,
        "most": LARGEST,
    }


def _file(name: str, record: Record, suffix: str) -> tuple[str, str, str]:
    """Return what a link downloads: a file's name, its kind and its text."""
    kind, _ = SUFFIXES[suffix]
    return f"{name}{suffix}", kind, record.as_file(suffix)
