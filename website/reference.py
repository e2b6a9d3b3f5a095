"""The pages of the reference, one for each public module, from its docstrings."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import dpwidgets

# Rooms with pages of their own, or for one lab.
NOT_DOCUMENTED = {"explorers", "labs", "data"}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page."""
    modules = documented()
    for whole, module in modules.items():
        docs = f".. automodule:: {whole}\n   :members:"
        homes = shown(module)
        if homes:
            docs += f" {', '.join(homes)}"
        elsewhere = []
        for name, home in homes.items():
            face = home.partition("._")[0]
            if face != whole and face in modules:
                elsewhere.append(name)
        if elsewhere:  # what stands on another page leads there
            links = ", ".join(
                f":obj:`~{homes[name]}.{name}`" for name in elsewhere
            )
            docs += (
                f"\n   :exclude-members: +{', '.join(elsewhere)}\n\n{links}"
            )
        title = whole.removeprefix("dpwidgets.")
        yield title, f"# {title}\n\n{directives(docs)}"


def documented() -> dict[str, ModuleType]:
    """Import every module that has a page: all but back rooms."""
    modules = {}
    for found in pkgutil.walk_packages(dpwidgets.__path__, "dpwidgets."):
        floor = found.name.split(".")[1]
        if floor not in NOT_DOCUMENTED and "._" not in found.name:
            modules[found.name] = import_module(found.name)
    return modules


def shown(module: ModuleType) -> dict[str, str]:
    """Return what a face shows, each with the back room in which it has its home."""
    homes = {}
    if hasattr(module, "__path__"):
        for name, value in vars(module).items():
            home = getattr(value, "__module__", "")
            if not name.startswith("_") and home.startswith("dpwidgets."):
                homes[name] = home
    return homes


def directives(docs: str) -> str:
    """Return a block of reStructuredText for a Markdown page."""
    return f"```{{eval-rst}}\n{docs}\n```\n"
