"""The pages of the reference, one for each public module, from its docstrings."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import dpwidgets

# Rooms with pages of their own, or for one lab.
NOT_DOCUMENTED = {"explorers", "labs", "data"}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of the page of each module but back rooms."""
    for found in pkgutil.walk_packages(dpwidgets.__path__, "dpwidgets."):
        floor = found.name.split(".")[1]
        if floor in NOT_DOCUMENTED or "._" in found.name:
            continue
        members = ", ".join(behind(import_module(found.name)))
        docs = f".. automodule:: {found.name}\n   :members: {members}"
        title = found.name.removeprefix("dpwidgets.")
        yield title, f"# {title}\n\n{directives(docs)}"


def behind(face: ModuleType) -> list[str]:
    """Return the names that a face shows of its back rooms; all others have pages of their own."""
    names = []
    for name, value in vars(face).items():
        home = str(getattr(value, "__module__", ""))
        if home.startswith(f"{face.__name__}._") and not name.startswith("_"):
            names.append(name)
    return names


def directives(docs: str) -> str:
    """Return a block of reStructuredText for a Markdown page."""
    return f"```{{eval-rst}}\n{docs}\n```\n"
