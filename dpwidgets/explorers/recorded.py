"""An explorer of goals, whose decision can be recorded, saved, and brought back."""

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from dpwidgets.decisions import plan
from dpwidgets.decisions.choice import LARGEST, SUFFIXES, WORDS, Sheet
from dpwidgets.inputs.notation import rounded, show
from dpwidgets.page.explorer import Explorer, Seen, Values
from dpwidgets.page.page import About, Shown, box, button, fold, words

#: What some records lack, under the suffix of its file.
_PERHAPS = {".py": "program", ".yaml": "entry for the registry"}
#: What a part at a desk does: it returns what to say of it, or raises a
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


def outcome(desk: str) -> list[About]:
    """Return the parts that say what came of a deed at a desk."""
    wrong = {"kind": "complaint", "name": f"{desk} wrong", "text": ""}
    return [words(f"{desk} said", live=True, text=""), wrong]


class Recorded(Explorer):
    """An explorer of goals, each with a switch, and with a desk where its decision is recorded.

    A subclass says which goals there are, which `kind` of record it makes, and
    what a record `shows` in it.
    """

    kind: ClassVar[type[Sheet]]
    goals: ClassVar[Mapping[str, tuple[str, ...]]]
    """Under each kind of goal its parameters; its `switch` is named after the kind."""
    # From people.
    _words: Mapping[str, str] = MappingProxyType(dict.fromkeys(WORDS, ""))

    def shows(self, record: Any) -> tuple[dict[str, Any], str]:
        """Return the values that show a record, and what to say of it, or raise ValueError."""
        raise NotImplementedError

    def unused(self, now: Values) -> set[str]:
        unused = super().unused(now)
        for goal, names in self.goals.items():
            if not now[switch(goal)]:
                unused = unused.union(names)
        return unused

    @classmethod
    def controls_of_goal(cls, goal: str) -> tuple[str, ...]:
        """Return the parameters of a kind of goal, its switch first."""
        return switch(goal), *cls.goals[goal]

    def arranged(self) -> list[About]:
        controls = {control["name"]: control for control in super().arranged()}
        first = [*controls].index(switch(next(iter(self.goals))))
        boxes = []
        for goal in self.goals:
            names = self.controls_of_goal(goal)
            parts = [controls.pop(name) for name in names]
            boxes.append(box("goal", *parts, label=goal))
        rest = list(controls.values())
        return [*rest[:first], *boxes, *rest[first:]]

    def below(self) -> list[About]:
        fields = []
        for name, words_of_it in WORDS.items():
            label = f"{words_of_it[0].upper()}{words_of_it[1:]}"
            field = {"kind": "text", "name": f"record {name}", "label": label}
            fields.append(field)
        desk = fold(
            "The decision record",
            *fields,
            box(
                "row",
                button("write", "Write the record"),
                _upload("bring", "Bring one back"),
                _upload("before", "Count one as used before"),
            ),
            {"kind": "links", "name": "files", "label": "Download:"},
            *outcome("record"),
        )
        return [*super().below(), desk]

    def beside(self, seen: Seen) -> Shown:
        return {
            **super().beside(seen),
            **self._fields(),
            "files": {"files": []},
        }

    def _fields(self) -> Shown:
        return {
            f"record {name}": {"text": text}
            for name, text in self._words.items()
        }

    def deeds(self) -> dict[str, tuple[str, Deed]]:
        """Return what the parts at desks do, by name: each with its desk, which says what came."""
        deeds: dict[str, Deed] = {
            "write": self._write,
            "bring": self._bring,
            "before": self._before,
        }
        for name in WORDS:
            deeds[f"record {name}"] = self._say
        return {name: ("record", deed) for name, deed in deeds.items()}

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        if name not in self.deeds():
            super().asked(name, event)
            return
        desk, deed = self.deeds()[name]
        self.tell(files={"files": []})
        try:
            came = {f"{desk} said": deed(event), f"{desk} wrong": ""}
        except ValueError as error:
            came = {f"{desk} said": "", f"{desk} wrong": str(error)}
        self.tell(**{part: {"text": text} for part, text in came.items()})

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
        files = []
        for name, version in versions.items():
            for suffix in SUFFIXES:
                if suffix not in _PERHAPS:
                    files.append(_file(name, version, suffix))
        files.append(("label.html", "text/html", record.label()))
        lacks = ""
        for suffix, what in _PERHAPS.items():
            try:
                files.append(_file("decision", record, suffix))
            except ValueError as error:
                lacks = f"It has no {what} yet: {error}."
        self.tell(files={"files": files})
        return lacks

    def _bring(self, event: Mapping[str, Any]) -> str:
        return self._show(self.kind.load(base64.b64decode(event["file"])))

    def _before(self, event: Mapping[str, Any]) -> str:
        """Add the ρ of a record to what others have used up, and leave all else as it is."""
        now, _ = self.record().together
        found = plan.count(
            [("The record", base64.b64decode(event["file"]))],
            delta=now.delta or None,
            neighbours=now.neighbours,
        )
        used = rounded(now.used_rho + found.used["used_rho"], 6, up=True)
        state = self._moved(self.state, "used_rho", used)
        # What cannot be counted is refused before anything changes.
        self._seen(state)
        self._go(state)
        return f"{found.sentence} Its ρ counts as used by others, who have {show(used, 6)} now."

    def record(self, **words: str) -> Any:
        """Return the record of the present decision.

        Parameters
        ----------
        **words : str
            What only people can say: `about`, `use`, `whom` and the others of
            `choice.Sheet`. Nothing is filled in.

        Returns
        -------
        Sheet
            The record; it holds no values of a column.
        """
        return self.result.record(**words)

    def save(self, path: str | Path) -> None:
        """Write the record, with its fields, to .md, .html, .json or .yaml; else the picture."""
        if Path(path).suffix in SUFFIXES:
            self.record(**self._words).save(path)
        else:
            super().save(path)

    def load(self, source: str | bytes | Path) -> None:
        """Take what a record holds, as its class's `load` reads it.

        Raises
        ------
        ValueError
            If it is no record, or one that this explorer cannot show; the
            explorer stays as it is.
        """
        self._show(self.kind.load(source))

    def _show(self, record: Sheet) -> str:
        values, sentence = self.shows(record)
        state = self._with(self.state, values)
        # What cannot be shown is refused before anything changes.
        self._seen(state)
        self._go(state)
        self._words = record.said
        self.tell(**self._fields())
        return sentence


def _upload(name: str, label: str) -> About:
    """Return a part that takes the file of a record."""
    part = {"kind": "file", "name": name, "label": label}
    return part | {"accept": ".json", "most": LARGEST}


def _file(name: str, record: Sheet, suffix: str) -> tuple[str, str, str]:
    """Return what a link downloads: a file's name, its kind and its text."""
    kind, writes = SUFFIXES[suffix]
    return f"{name}{suffix}", kind, getattr(record, writes)()
