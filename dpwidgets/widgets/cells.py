"""Which widgets a page knows and shows: what no cell shows any more, and nobody holds, is closed.

ipywidgets keeps every widget until it is closed, since a page may still show it. Whoever runs a
cell again and again would gather one explorer for each run, and a loop one for each round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import get_ident
from typing import Any
from uuid import uuid4
from weakref import WeakMethod

from ipywidgets import Widget
from ipywidgets.widgets.widget import _instances as _kept

from dpwidgets.widgets.boxes import VBox
from dpwidgets.widgets.parameters import TURN

_shown: dict[str, list[VBox]] = {}  # by each cell in its last run
_showing: list[VBox] = []  # by the cell that runs now


class _NoPage:
    """The line of a widget that no page knows."""

    def __init__(self) -> None:
        self.comm_id = uuid4().hex

    def on_msg(self, callback: Any) -> None:
        """Nobody writes."""

    def send(self, **message: Any) -> None:
        """Nobody is written to."""

    def close(self) -> None:
        """Nobody is told."""


@contextmanager
def unseen() -> Iterator[None]:
    """Make widgets of which no page is told.

    An explorer is one to six hundred messages, and nearly as many when it is closed. Where more
    than 1,000 wait, ZeroMQ drops those that follow: the page then lacks an output, or waits for a
    widget for ever.
    """
    thread = get_ident()
    with TURN:
        before = Widget._widget_construction_callback

        def connect(widget: Any) -> None:
            if get_ident() == thread:
                widget.comm = _NoPage()
            if before is not None:
                before(widget)

        Widget.on_widget_constructed(connect)
        try:
            yield
        finally:
            Widget.on_widget_constructed(before)


def release(widgets: Iterable[Any]) -> None:
    """Leave widgets to whoever holds them, as if they were any Python object."""
    for widget in widgets:
        _kept.pop(widget.comm.comm_id, None)
        handle: WeakMethod[Any] = WeakMethod(widget._handle_msg)
        widget.comm.on_msg(partial(_pass_on, handle))


def keep(widgets: Iterable[Any]) -> None:
    """Keep widgets until they are closed: a page may show them from now on."""
    for widget in widgets:
        _kept[widget.comm.comm_id] = widget


def _pass_on(handle: WeakMethod[Any], message: Any) -> None:
    """Give a message to a widget, if there still is one."""
    if (method := handle()) is not None:
        method(message)


def shows(widget: VBox) -> None:
    """Remember that the running cell shows a widget; without a notebook nothing is remembered."""
    shell = _shell()
    if shell is None:
        return
    if _settle not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _settle)
    if widget not in _showing:
        _showing.append(widget)


def _settle(*_: Any) -> None:
    """Close what the cell that has just run showed before, and no cell shows any more."""
    present, cell = list(_showing), _cell()
    _showing.clear()
    if cell is None:
        return
    before, _shown[cell] = _shown.get(cell, []), present
    for widget in before:
        if not any(widget in widgets for widgets in _shown.values()):
            widget.close()


def _shell() -> Any:
    """Return IPython's shell in a kernel, or None elsewhere."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    shell = get_ipython()
    return shell if hasattr(shell, "kernel") else None


def _cell() -> str | None:
    """Return the running cell's id, or None where the front end gives none, as nbval does."""
    metadata: dict[str, str] = _shell().kernel.get_parent("shell").get("metadata", {})
    return metadata.get("cellId")
