"""Which notebook cell shows which widgets: what a cell no longer shows is closed.

ipywidgets keeps every widget until it is closed, since a page may still show it. Whoever runs a
cell again and again would gather one explorer for each run.
"""

from __future__ import annotations

from typing import Any

from dpwidgets.widgets.boxes import VBox

_shown: dict[str, list[VBox]] = {}  # by each cell in its last run
_showing: list[VBox] = []  # by the cell that runs now


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
