"""How a state stands on the page: its picture, its words, and what each control shows."""

import re
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, dataclass_transform

from ipywidgets import Layout
from traitlets import Any as AnyTrait, Unicode

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import down, percent, show, up
from dpwidgets.page.page import About, Shown, box, button, handles_of, words
from dpwidgets.page.parameters import Number
from dpwidgets.page.state import Declared, Seen, State, together
from dpwidgets.plots.handle import Handle
from dpwidgets.plots.still import LOCK, Still

# A number in a sentence, with its sign of per cent.
_NUMBER = re.compile(r"−?\d+(?:[.,]\d+)*(?:e-?\d+)?%?")


# Traits of its subclasses are keywords, with their types.
@dataclass_transform(kw_only_default=True, eq_default=False)
class Displayed(Declared):
    """An explorer's page: what it is made of, and what it shows of a state.

    What a reader or a program does to it is `Explorer`'s.

    Parameters
    ----------
    start : Seen
        What it shows first.
    layout : Layout
        How it is laid out.
    """

    result = AnyTrait(
        read_only=True, help="What the calculator returned; frozen."
    )
    sentence = Unicode(
        read_only=True, help="The result in words, with its numbers."
    ).tag(sync=True)
    code = Unicode(read_only=True, help="The Python that computes the result.")

    def __init__(self, start: Seen, layout: Layout) -> None:
        self.still: Still  # the present picture with its words
        self._displayed: Seen  # what it shows
        # Why the present state cannot be computed.
        self._wrong: dict[str, str] = {}
        #: What the picture shows in the result's place: the result and what
        #: was drawn from it.
        self.overlay: Callable[[Any], Any] = lambda result: result
        self._start = start.state
        # How it was before each of the reader's moves.
        self._past: deque[State] = deque(maxlen=100)
        parts = [*self._controls_and_picture(), *self.below()]
        # First, since the widget opens with what its traits are by then: the
        # page gets all in one message.
        self._draw(start)
        self._publish(start.state, start)
        super().__init__("explorer", parts, layout)

    @property
    def messages(self) -> dict[str, str]:
        """What is wrong at present, by the parameter whose control says so."""
        return {**self.state.refused, **self._wrong}

    def redraw(self) -> None:
        """Draw the picture of the present result anew, when its overlay has changed."""
        with LOCK, self.hold_sync():
            self._draw(self._displayed)

    # What the page is made of.

    def _controls_and_picture(self) -> list[About]:
        """Return the controls, with what leads back, and the picture, with what can be moved."""
        *controls, view = self.arranged()
        ways = [button("undo", "Undo"), button("over", "Start over")]
        if self.only:
            ways.append(button("all", "All controls"))
        handles = [
            handles_of(name, trait.label)
            for name, trait in self.parameters().items()
            if isinstance(trait, Number)
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

    # What it shows.

    def _draw(self, seen: Seen) -> None:
        """Draw a result with its overlay, for a page without a kernel and for one with it."""
        plot = type(self).view.plots[seen.state.values["view"]].shared()
        result = self.overlay(seen.result)
        self._draw_picture(plot, result)
        self._check_known(handle.name for handle in self._layers.handles)
        alt = together(plot.told(result), seen.said)
        self.still = plot.still(result, alt)
        self._displayed = seen

    def _publish(self, state: State, seen: Seen | None = None) -> None:
        """Put a state where the last one was; without what follows from it, the picture stays.

        The page is told first, and each trait is set even where somebody who
        observes another one raises an error. Who observes one may set a
        parameter: that is then shown already, and of this state no more is
        said.
        """
        self.state = state
        traits = dict(state.values)
        if seen is not None:
            self.tell(
                sentence={"text": seen.sentence, "head": seen.headline},
                notes={"items": seen.notes},
                code=seen.folded_code,
                **self.beside(seen),
            )
            traits["result"] = seen.result
            traits["sentence"] = seen.sentence
            traits["code"] = seen.code
        self._tell()
        with ExitStack() as rest:
            for name, value in reversed(traits.items()):
                rest.callback(self._store, state, name, value)

    def _store(self, state: State, name: str, value: Any) -> None:
        """Set a trait to what it is in a state, unless another state has come since."""
        if self.state is state:
            self.set_trait(name, value)

    def _tell(self) -> None:
        """Say what the controls show, and what is wrong."""
        controls = self._controls(self.state, self._displayed.result)
        messages = self.messages
        for name, says in controls.items():
            if not says["hidden"]:
                says["message"] = messages.pop(name, "")
        self.tell(
            **controls,
            **self._ways_back(),
            # Where no control says it.
            wrong={"text": " ".join(messages.values())},
            picture=self._picture(),
        )

    def _ways_back(self) -> Shown:
        """Return what the buttons show that lead back."""
        return {
            "undo": {"disabled": not self._past},
            "over": {"disabled": self.state == self._start},
        }

    def _picture(self) -> dict[str, Any]:
        """Return what the picture shows beside its lines: the sentences to which its rows open."""
        rows = zip(self._layers.rows, self._displayed.rows, strict=False)
        opens = [[*place, *row] for place, row in rows]
        return {
            "alt": self.still.alt,
            "stale": bool(self.messages),
            "narrow": self._narrow,
            "rows": opens,
        }

    def _controls(
        self, state: State, result: Any
    ) -> dict[str, dict[str, Any]]:
        """Return what the control of each parameter shows, by name."""
        now = state.values
        hidden = self.hidden(now)
        slow = self.slow(now)
        grids = self.grids(result, now)
        controls = {}
        for name, trait in self.parameters().items():
            origin = state.origin(name)
            says = trait.says(now[name], grids.get(name, trait.grid), origin)
            says["handles"] = [handle.says() for handle in self._handles(name)]
            # With more digits than a sentence has.
            is_long = isinstance(trait, Number) and len(repr(now[name])) > 5
            if is_long and (said := self._as_said(now[name])):
                says |= (
                    {"text": said}
                    if origin
                    else {"remark": f"rounded to {said} in words"}
                )
            if name in state.typed:
                says["text"] = state.typed[name]
            says["hidden"] = name in hidden
            says["slow"] = name in slow
            controls[name] = says
        if self.only:
            self._leave_out(controls, state)
        return controls

    def _as_said(self, number: float) -> str:
        """Return how the sentence has a number that it rounds to one side; else nothing."""
        written = _NUMBER.findall(self._displayed.sentence)
        for way in (up, down):
            for write in (show, percent):
                said = way(number, write)
                if said in written and said != write(number):
                    return said
        return ""

    def _leave_out(
        self, controls: Mapping[str, dict[str, Any]], state: State
    ) -> None:
        """Hide the controls and the views that its reader does not know yet."""
        now = state.values
        start = self._start.values
        for name, says in controls.items():
            moved = not state.origin(name) and now[name] != start[name]
            says["hidden"] |= name not in self.only and not moved
        known = {*self.only, now["view"], start["view"]}
        views = [
            place
            for place, name in enumerate(type(self).view.options)
            if name in known
        ]
        controls["view"]["only"] = views
        controls["view"]["hidden"] = len(views) == 1

    def _grid(self, name: str) -> FloatArray:
        """Return the stops of a slider at present; other controls have none."""
        grids = self.grids(self.result, self.state.values)
        return grids.get(name, self.parameters()[name].grid)

    def _handles(self, name: str) -> list[Handle]:
        """Return where the present picture has a parameter."""
        return [
            handle for handle in self._layers.handles if handle.name == name
        ]
