"""A state of an explorer as a link, like ``#interval?half_width=0.1&count=500``, and back.

The word is the explorer's, then stand the parameters that differ from its
start. The website has the same notation in its addresses. A link may come from
anybody: nothing in it is trusted.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from dpwidgets.inputs.outside import (
    LONGEST_TEXT,
    checked_text,
    described,
    quoted,
)
from dpwidgets.page.state import Declared


def word(kind: type[Declared]) -> str:
    """Return the word that names an explorer's kind: interval for `IntervalExplorer`."""
    return kind.__name__.removesuffix("Explorer").lower()


def write(kind: type[Declared], settings: Mapping[str, Any]) -> str:
    """Return the link to a state.

    Parameters
    ----------
    kind : type
        The explorer's class.
    settings : mapping
        What `Explorer.settings` returns.

    Raises
    ------
    ValueError
        If a column of numbers is too long for a link, or its names cannot be
        written in one.
    """
    given = {}
    for name, value in settings.items():
        trait = kind.parameters()[name]
        start = None if trait.follows else trait.default()
        if value != start:
            given[name] = trait.written(value)
    link = f"#{word(kind)}"
    if given:
        link += f"?{urlencode(given, quote_via=quote, safe=':;,/')}"
    if len(link) > LONGEST_TEXT:
        raise ValueError(
            f"a link has at most {LONGEST_TEXT:,} characters; this has {len(link):,}"
        )
    return link


def read(kind: type[Declared], link: str) -> dict[str, Any]:
    """Return a link's state as keywords, of which the values are not checked yet.

    Parameters
    ----------
    kind : type
        The explorer's class.
    link : str
        What `write` returned, an address of a page in front of it or not.

    Raises
    ------
    TypeError
        If it is no text, or has a name that is no parameter.
    ValueError
        If it is too long, leads to another explorer, has a name twice, or a
        text in it is no value.
    """
    _, _, state = checked_text("link", link).rpartition("#")
    found, _, query = state.partition("?")
    if found != word(kind):
        raise ValueError(
            f"link must begin with #{word(kind)}; got {quoted(link)}"
        )
    try:
        pairs = parse_qsl(
            query,
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
        )
    except ValueError:
        raise ValueError(
            f"link must be like #interval?count=500; got {quoted(link)}"
        ) from None
    kind._check_known(dict(pairs))
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name in values:
            raise ValueError(
                f"link must have each name once; got {described(name)} twice"
            )
        try:
            values[name] = kind.parameters()[name].typed(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return values
