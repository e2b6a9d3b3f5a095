"""A table of a page: its title, its header and its rows."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

#: A row of a table: its cells.
Row: TypeAlias = tuple[str, ...]


class Table(NamedTuple):
    """A table of a page; without a header, a list of sentences, or of names and what is said.

    Parameters
    ----------
    title : str
        What stands above it.
    header : tuple of str
        The names of its columns, or nothing.
    rows : sequence of tuple of str
        Its rows: one cell is a sentence, more are a name and all that is said
        of it.
    """

    title: str
    header: Row
    rows: Sequence[Row]
