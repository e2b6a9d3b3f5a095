"""ipywidgets' boxes, with the types that ipywidgets does not have.

A type checker takes a class with an unknown base for one that accepts everything. With this base it
refuses a misspelt keyword of an explorer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from traitlets import HasTraits

    class VBox(HasTraits):
        """Widgets below each other: what we use of ipywidgets' class, and what users do."""

        children: Any
        layout: Any
        comm: Any

        @property
        def model_id(self) -> str: ...
        def __init__(self, children: Sequence[Any] = (), **traits: Any) -> None: ...
        def close(self) -> None: ...
        def hold_sync(self) -> AbstractContextManager[None]: ...
        def add_class(self, className: str) -> Any: ...  # noqa: N803
        def remove_class(self, className: str) -> Any: ...  # noqa: N803
        def _repr_mimebundle_(self, **options: Any) -> dict[str, Any] | None: ...

    class HTML(VBox):
        """A text in HTML."""

        value: str

else:
    from ipywidgets import HTML, VBox

__all__ = ["HTML", "VBox"]
