"""Text and JSON from outside, checked before anything is made of them."""

import difflib
import json
import re
import reprlib
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

LONGEST_TEXT = 10_000
# Of a whole number in JSON.
_MOST_DIGITS = 1000
# Of characters: alone, no file and no page can hold them.
_HALVES = re.compile("[\ud800-\udfff]")


def checked_text(
    argument: str, value: object, longest: int = LONGEST_TEXT
) -> str:
    r"""Return a text that can be written to a file and shown on a page, or raise an error.

    Parameters
    ----------
    argument : str
        The argument's name, for the message.
    value : object
        What was given, anything at all.
    longest : int
        How many characters it may have.

    Returns
    -------
    str
        The text as it is.

    Raises
    ------
    TypeError
        If it is no text.
    ValueError
        If it is too long, or holds half of a character, which UTF-8 has no way
        to write.

    Examples
    --------
    >>> checked_text("names", "Ann and Bob")
    'Ann and Bob'
    >>> checked_text("names", "Ann \ud83d")
    Traceback (most recent call last):
        ...
    ValueError: names must be whole characters; got 'Ann \ud83d'
    """
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be text; got {described(value)}")
    if len(value) > longest:
        raise ValueError(
            f"{argument} must have at most {longest:,} characters; got {len(value):,}"
        )
    if _HALVES.search(value):
        raise ValueError(
            f"{argument} must be whole characters; got {described(value)}"
        )
    return value


def quoted(text: str) -> str:
    r"""Quote a text in a message: on one line, shortened, and what cannot be shown as its escape.

    Examples
    --------
    >>> quoted("three"), quoted("1\n2\ud83d"), len(quoted("1" * 100))
    ('“three”', '“1\\n2\\ud83d”', 62)
    """
    if len(text) > 60:
        text = f"{text[:59]}…"
    said = "".join(
        sign if sign.isprintable() else repr(sign)[1:-1] for sign in text
    )
    return f"“{said}”"


def described(value: object) -> str:
    """Write any value for a message, shortened; where it cannot be written, its type.

    Examples
    --------
    >>> described([1, "two"]), described(10**10_000)
    ("[1, 'two']", 'a value of type int')
    """
    try:
        written = reprlib.repr(value)
    # An integer of more digits than Python writes, an object that refuses.
    except Exception:
        return f"a value of type {type(value).__name__}"
    return written if len(written) <= 200 else f"{written[:199]}…"


def nearest(name: object, known: Collection[str]) -> str:
    """Return how a message about an unknown name ends: with the nearest known one, or with all.

    Parameters
    ----------
    name : object
        What was given.
    known : collection of str
        The names that there are.

    Examples
    --------
    >>> nearest("posterio", ("prior", "posterior")), nearest("x", ("prior", "posterior"))
    ("; did you mean 'posterior'?", '; it has prior, posterior')
    """
    near = difflib.get_close_matches(str(name), known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    every = textwrap.shorten(", ".join(known), 300, placeholder=" …")
    return f"; it has {every}"


def check_keywords(
    function: str, given: Iterable[str], known: Collection[str]
) -> None:
    """Refuse a keyword that a function does not have, before another one is blamed for it.

    Parameters
    ----------
    function : str
        The function's name, for the message.
    given : iterable of str
        The keywords that it was called with.
    known : collection of str
        Those that it has.

    Raises
    ------
    TypeError
        If one is not among them; the message says which is nearest.

    Examples
    --------
    >>> check_keywords("decide", {"posterio": 0.3}, ("prior", "posterior"))
    Traceback (most recent call last):
        ...
    TypeError: decide() got an unexpected keyword argument 'posterio'; did you mean 'posterior'?
    """
    for name in given:
        if name not in known:
            raise TypeError(
                f"{function}() got an unexpected keyword argument "
                f"{described(name)}{nearest(name, known)}"
            )


def fields_of(what: str, names: Iterable[str], data: object) -> dict[str, Any]:
    """Return a copy of an object of JSON, or raise an error if it has not just these fields.

    Parameters
    ----------
    what : str
        What it is, for the message.
    names : iterable of str
        The fields that it must have, and no others.
    data : object
        What was read, anything at all.

    Returns
    -------
    dict
        The fields.

    Raises
    ------
    ValueError
        If it is no object, or a field is missing or unknown.

    Examples
    --------
    >>> fields_of("a point", ("x", "y"), {"x": 1})
    Traceback (most recent call last):
        ...
    ValueError: a point has x, y; 'y' is missing
    """
    known = set(names)
    if not isinstance(data, dict):
        wrong = f"got {described(data)}"
    elif missing := sorted(known - data.keys()):
        wrong = f"{described(missing[0])} is missing"
    elif unknown := [name for name in data if name not in known]:
        wrong = f"{described(unknown[0])} is unknown"
    else:
        return dict(data)
    raise ValueError(f"{what} has {', '.join(sorted(known))}; {wrong}")


def arguments_of(what: str, kind: Any, data: object) -> dict[str, Any]:
    """Return the arguments of a dataclass as an object of JSON has them.

    Those that have a default need not stand in it, and get it.

    Parameters
    ----------
    what : str
        What it is, for the message.
    kind : dataclass
        The dataclass.
    data : object
        What was read, anything at all.

    Raises
    ------
    ValueError
        If it is no object, or a field without a default is missing, or one is
        unknown.
    """
    if isinstance(data, dict):
        data = usual(kind) | data
    return fields_of(what, named_in(kind), data)


def named_in(kind: Any) -> list[str]:
    """Return the names of a dataclass's fields in JSON: not those that stand elsewhere in it.

    Their metadata say `elsewhere`.
    """
    return [
        field.name
        for field in fields(kind)
        if field.init and "elsewhere" not in field.metadata
    ]


def usual(kind: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that have a default, with these.

    Examples
    --------
    >>> from dataclasses import make_dataclass
    >>> usual(make_dataclass("Point", ["x", ("y", int, 0)]))
    {'y': 0}
    """
    names = named_in(kind)
    return {
        field.name: field.default
        for field in fields(kind)
        if field.name in names and field.default is not MISSING
    }


def list_of(name: str, data: object) -> list[Any]:
    """Return a list of JSON, or raise an error if it is none.

    Parameters
    ----------
    name : str
        What it is called in the message.
    data : object
        What was read, anything at all.

    Examples
    --------
    >>> list_of("goals", {})
    Traceback (most recent call last):
        ...
    TypeError: goals must be a list; got {}
    """
    if not isinstance(data, list):
        raise TypeError(f"{name} must be a list; got {described(data)}")
    return data


def begins_like_json(text: str) -> bool:
    r"""Tell whether a text begins with a brace, behind white space or a byte order mark or not.

    Examples
    --------
    >>> begins_like_json('\n{"a": 1}'), begins_like_json("a, b")
    (True, False)
    """
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def load_json(content: str | bytes, largest: int) -> object:
    """Read JSON of a bounded size, in which no name stands twice and every number is one.

    Parameters
    ----------
    content : str or bytes
        The JSON, behind a byte order mark or not; bytes are UTF-8.
    largest : int
        How many characters or bytes it may have.

    Returns
    -------
    object
        What it holds.

    Raises
    ------
    ValueError
        If it is too large, too deep or no such JSON.

    Examples
    --------
    >>> load_json('{"epsilon": 0.5}', largest=100)
    {'epsilon': 0.5}
    >>> load_json('{"epsilon": 0.5, "epsilon": 8}', largest=100)
    Traceback (most recent call last):
        ...
    ValueError: 'epsilon' stands in it twice
    """
    if len(content) > largest:
        raise ValueError(f"it is larger than {largest / 1e6:.3g} MB")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_each_once,
            parse_constant=_no_number,
            parse_int=_integer,
        )
    except UnicodeDecodeError:
        raise ValueError("it is no text (UTF-8)") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it is no JSON any more at line {error.lineno}, sign {error.colno}"
        ) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{described(name)} stands in it twice")
    return found


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number in it has {len(digits):,} digits")
    return int(digits)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def read_file(path: Path, largest: int) -> bytes:
    """Read a file of a bounded size.

    Parameters
    ----------
    path : Path
        The file.
    largest : int
        How many bytes it may have; of a larger one only one more is read.

    Returns
    -------
    bytes
        What it holds, or one byte more than it may have.

    Raises
    ------
    OSError
        If there is none, or it may not be read.
    """
    with path.open("rb") as file:
        return file.read(largest + 1)


def path_of(text: str) -> Path:
    """Return the path that a text is, or raise an error that does not repeat the text."""
    # Too long for a path, or with signs that none has.
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return Path(text)
    raise ValueError(
        f"the text, of {len(text):,} characters, begins with no {{ and names no file"
    )
