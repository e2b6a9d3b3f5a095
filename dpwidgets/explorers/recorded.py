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

#: What a part at a desk does: it returns what to say of it, or raises a
#: ValueError.
Deed = Callable[[Mapping[str, Any]], str]


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
    """Under each kind of goal its parameters; its switch has `use_` before the kind."""
    # From people.
    _words: Mapping[str, str] = MappingProxyType(dict.fromkeys(WORDS, ""))

    def shows(self, record: Any) -> tuple[dict[str, Any], str]:
        """Return the values that show a record, and what to say of it, or raise ValueError."""
        raise NotImplementedError

    def unused(self, now: Values) -> set[str]:
        left_out = (
            names
            for goal, names in self.goals.items()
            if not now[f"use_{goal}"]
        )
        return super().unused(now).union(*left_out)

    def arranged(self) -> list[About]:
        controls = {one["name"]: one for one in super().arranged()}
        first = next(
            place
            for place, name in enumerate(controls)
            if name.startswith("use_")
        )
        goals = [
            box(
                "goal",
                *(controls.pop(name) for name in (f"use_{goal}", *names)),
                label=goal,
            )
            for goal, names in self.goals.items()
        ]
        rest = list(controls.values())
        return [*rest[:first], *goals, *rest[first:]]

    def below(self) -> list[About]:
        fields = (
            {
                "kind": "text",
                "name": f"record {name}",
                "label": f"{label[0].upper()}{label[1:]}",
            }
            for name, label in WORDS.items()
        )
        bring = {"kind": "file", "name": "bring", "label": "Bring one back"}
        before = {
            "kind": "file",
            "name": "before",
            "label": "Count one as used before",
        }
        both = [
            one | {"accept": ".json", "most": LARGEST}
            for one in (bring, before)
        ]
        desk = fold(
            "The decision record",
            *fields,
            box("row", button("write", "Write the record"), *both),
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
        words = {f"record {name}": ("record", self._say) for name in WORDS}
        files = {
            "bring": ("record", self._bring),
            "before": ("record", self._before),
        }
        return {"write": ("record", self._write), **files, **words}

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        if name not in self.deeds():
            super().asked(name, event)
            return
        desk, deed = self.deeds()[name]
        said = wrong = ""
        self.tell(files={"files": []})
        try:
            said = deed(event)
        except ValueError as error:
            wrong = str(error)
        self.tell(
            **{
                f"{desk} said": {"text": said},
                f"{desk} wrong": {"text": wrong},
            }
        )

    def _say(self, event: Mapping[str, Any]) -> str:
        self._words = {
            **self._words,
            event["name"].removeprefix("record "): str(event["text"]),
        }
        self.tell(**self._fields())
        return ""

    def _write(self, event: Mapping[str, Any]) -> str:
        record, said = self.record(**self._words), ""
        versions = {"decision": record}
        if record.public() != record:
            versions["decision-public"] = record.public()
        files = [
            (f"{name}{suffix}", kind, getattr(one, writes)())
            for name, one in versions.items()
            for suffix, (kind, writes) in SUFFIXES.items()
            if suffix not in (".yaml", ".py")
        ]
        files.append(("label.html", "text/html", record.label()))
        for suffix, what in {
            ".py": "program",
            ".yaml": "entry for the registry",
        }.items():
            kind, writes = SUFFIXES[suffix]
            try:
                files.append(
                    (f"decision{suffix}", kind, getattr(record, writes)())
                )
            except ValueError as error:
                said = f"It has no {what} yet: {error}."
        self.tell(files={"files": files})
        return said

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
        values, said = self.shows(record)
        state = self._with(self.state, values)
        # What cannot be shown is refused before anything changes.
        self._seen(state)
        self._go(state)
        self._words = record.said
        self.tell(**self._fields())
        return said
