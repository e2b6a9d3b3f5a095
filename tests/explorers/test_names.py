"""Names: what a host has of its own on a widget, and what a page has beside its parameters."""

from copy import copy

import anywidget
import pytest

import dpwidgets
import tools
from dpwidgets.inputs.domain import POSITIVE
from dpwidgets.page.page import Page
from dpwidgets.page.parameters import Number, log_grid

WIDGETS = [
    kind
    for kind in (getattr(dpwidgets, name) for name in dpwidgets.__all__)
    if isinstance(kind, type) and issubclass(kind, Page)
]
NEW = Number(1.0, POSITIVE, log_grid(0, 1), "New")
#: What we mean to do in a host's place.
OVERRIDDEN = {
    "close",
    "notify_change",
    "set_state",
    "_repr_mimebundle_",
    "_css",
}


class Plain(anywidget.AnyWidget):
    _esm = "export default { render() {} };"


def names_of(parts):
    """Yield the name of each part of a page, and of the parts within."""
    for part in parts:
        if "name" in part:
            yield part["name"]
        yield from names_of(part.get("parts", ()))


@pytest.mark.parametrize("kind", WIDGETS)
def test_no_widget_has_a_name_that_jupyters_own_widgets_have(kind):
    hosts = {name for name in dir(Plain()) if not name.startswith("__")}
    hosts -= {*vars(Plain)}  # which every class of a widget has anew
    ours = {
        name
        for base in kind.__mro__
        if base.__module__.startswith("dpwidgets.")
        for name in vars(base)
    }
    assert ours & hosts <= OVERRIDDEN


@tools.every
def test_a_parameter_is_refused_whose_name_its_page_has_for_something_else(
    kind,
):
    explorer = kind()
    taken = {*names_of(explorer._about["parts"]), *dir(explorer), "all"}
    for name in taken - {*kind.parameters(), "solve_for"}:
        if (name.isidentifier() and name[0] != "_") or name == "_layers":
            with pytest.raises(ValueError, match=f"call a parameter '{name}'"):
                type("Other", (kind,), {name: copy(NEW)})
    assert (
        "elsewhere" in type("Other", (kind,), {"elsewhere": NEW}).parameters()
    )
