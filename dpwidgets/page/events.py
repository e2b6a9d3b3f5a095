"""What an explorer's reader does: sets a control, or moves what has its place in the picture."""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, dataclass_transform

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.page.page import About, Shown, box, button, handles_of, words
from dpwidgets.page.parameters import Number
from dpwidgets.page.state import Declared, Seen, State
from dpwidgets.plots.base import Layers
from dpwidgets.plots.handle import Handle


# Traits of its subclasses are keywords, with their types.
@dataclass_transform(kw_only_default=True, eq_default=False)
class Heard(Declared):
    """An explorer's controls and picture under a reader's hand. What follows is `Explorer`'s."""

    only: Any
    result: Any
    _start: State
    _past: deque[State]  # how it was before each of the reader's moves
    _move = ""  # the last one
    _layers: Layers | None = None  # the present picture
    _narrow: bool

    def redraw(self) -> None:
        raise NotImplementedError

    def _go(self, state: State) -> None:
        raise NotImplementedError

    def _publish(self, state: State, seen: Seen | None = None) -> None:
        raise NotImplementedError

    def _tell(self) -> None:
        raise NotImplementedError

    def controls_and_picture(self) -> list[About]:
        """Return the controls, with what leads back, and the picture, with what can be moved."""
        *controls, view = self.arranged()
        ways = [button("undo", "Undo"), button("over", "Start over")]
        ways += [button("all", "All controls")] if self.only else []
        numbers = {
            name: one
            for name, one in self.parameters().items()
            if isinstance(one, Number)
        }
        handles = [
            handles_of(name, one.label) for name, one in numbers.items()
        ]
        seen = box(
            "seen",
            view,
            {"kind": "complaint", "name": "wrong"},
            {"kind": "picture", "name": "picture", "parts": handles},
            words("sentence", "sentence", live=True),
            {"kind": "list", "name": "notes"},
        )
        code = {"kind": "code", "name": "code"}
        return [box("controls", *controls, box("row", *ways), code), seen]

    def heard(self, event: Mapping[str, Any]) -> None:
        """Take what a reader has done; what one control does without a pause is one move."""
        before, name, move = self.state, event["name"], event.get("move", "")
        super().heard(event)
        if name != "undo" and self.state is not before and move != self._move:
            self._past.append(before)
        self._move = move
        self.tell(**self.ways_back())

    def ways_back(self) -> Shown:
        """Return what the buttons show that lead back."""
        start = self.state == self._start
        return {
            "undo": {"disabled": not self._past},
            "over": {"disabled": start},
        }

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take what a reader has set on a control; the control says what is wrong with it."""
        if name == "undo" and self._past:
            self._go(self._past.pop())
        if name == "over":
            self._go(self._start)
        if name == "picture":
            self._narrow = bool(event["place"])
            self.redraw()
            self._tell()
        if name == "all":
            self.only = ()
            self.tell(all={"hidden": True})
            self._tell()
        if name not in self.parameters():
            return
        text = event.get("text")
        try:
            value = self._heard(name, event)
            state = self._moved(self.state, name, value, typed=text)
        except ValueError as error:
            state = self.state
            typed = {**state.typed, name: text or ""}
            self._publish(
                replace(
                    state,
                    typed=typed,
                    refused={**state.refused, name: str(error)},
                )
            )
        else:
            self._go(state)

    def _heard(self, name: str, event: Mapping[str, Any]) -> Any:
        """Return the value that a reader has set, on a control or in the picture."""
        grid = self._grid(name)
        if "share" in event:
            return self._handles(name)[event["at"]].nearest(
                float(event["share"]), grid.tolist()
            )
        return self.parameters()[name].heard(event, grid)

    def _grid(self, name: str) -> FloatArray:
        """Return the stops of a slider at present; other controls have none."""
        return self.grids(self.result, self.state.values).get(
            name, self.parameters()[name].grid
        )

    def _handles(self, name: str) -> list[Handle]:
        """Return where the present picture has a parameter."""
        return (
            [one for one in self._layers.handles if one.name == name]
            if self._layers
            else []
        )
