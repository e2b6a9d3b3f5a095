"""Records as files: their JSON, written and read."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Self, TypeAlias

from dpwidgets import __version__
from dpwidgets.decisions.case import (
    NO_ID,
    OF_A_STATISTIC,
    Case,
    Earlier,
    counted,
    id_of_content,
    read_before,
    said_before,
)
from dpwidgets.decisions.goals import (
    KINDS,
    NOT_FOR_PUBLISHING,
    RECORDS,
    Goal,
    Table,
)
from dpwidgets.decisions.record import _format_4
from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.notation import listed
from dpwidgets.inputs.outside import (
    arguments_of,
    begins_like_json,
    checked_text,
    described,
    list_of,
    load_json,
    named_in,
    path_of,
    quoted,
    read_file,
)

#: It counts up when something in a file means something else than before.
FORMAT = 5
#: Formats that are read.
READ = (4, FORMAT)
#: How many fields that nobody knows are named.
_NAMED = 5
PROGRAM = "dpwidgets decision record"
#: Where something stands in a record's JSON: names, and places in lists.
Place: TypeAlias = tuple[str | int, ...]
#: How many bytes the text may have that is read.
LARGEST = 1_000_000


#: How a file's name ends: its media type, and what writes it.
SUFFIXES = {
    ".html": ("text/html", "html"),
    ".md": ("text/markdown", "markdown"),
    ".json": ("application/json", "json"),
    ".py": ("text/x-python", "code"),
}
#: Those that are pages for people.
PAGES = (".html", ".md")


class Filed:
    """What a record is as a file: JSON, which is read again, and what is made of it."""

    def json(self) -> str:
        """Write it as JSON, for `load`."""
        return json.dumps(
            {"program": PROGRAM, "format": FORMAT, **_content(self)},
            indent=1,
            ensure_ascii=False,
            allow_nan=False,
        )

    def save(self, path: str | Path) -> Path:
        """Write it to a file: .md, .html, .json or .py (`code`), as it ends.

        Raises
        ------
        ValueError
            If it ends with none of these, or nothing is published by a program.
        """
        path = Path(path)
        if path.suffix not in SUFFIXES:
            raise ValueError(
                f"path must end with {listed([*SUFFIXES], 'or')}; got {path.name!r}"
            )
        path.write_text(self.as_file(path.suffix), encoding="utf-8")
        return path

    def as_file(self, suffix: str, *more: Table) -> str:
        """Return what a file holds that ends so; a page has more tables first, and its id last."""
        _, method = SUFFIXES[suffix]
        write = getattr(self, method)
        if suffix in PAGES:
            return str(write(*more, named=True))
        return str(write())

    @classmethod
    def load(cls, source: str | bytes | Path) -> Self:
        """Read one from its JSON, or from a file of it.

        Parameters
        ----------
        source : str, bytes or Path
            The JSON as text that begins with a brace or as bytes, each behind
            a byte order mark or not, or a file's path.

        Returns
        -------
        Record
            The record. What its pages say is computed again. What its file
            lacks is as usual; what it says that this version does not know is
            named on its pages, counts nowhere, and stays in its JSON.

        Raises
        ------
        TypeError
            If it is none of these.
        ValueError
            If it is no JSON, has more than a million bytes, comes from another
            program or from a version with another format, or is damaged; and
            if a text neither begins with a brace nor names a file.
        OSError
            If there is no such file.
        """
        if not isinstance(source, str | bytes | Path):
            wanted = (
                "a record's JSON as text or bytes, or the path of its file"
            )
            raise TypeError(
                f"source must be {wanted}; got {described(source)}"
            )
        content = _loaded(source)
        content.pop("warning", None)  # computed like all else
        try:
            kinds = {of.__name__.lower(): of for of in RECORDS}
            name = one_of("kind", content.pop("kind", None), kinds)
            if not issubclass(RECORDS[kinds[name]], cls):
                raise ValueError(f"it is about a {name}")
            record: Self = _made(kinds[name], content)
            return record
        except (TypeError, ValueError) as error:
            raise ValueError(f"the record is damaged: {error}") from None


def _content(record: Any) -> dict[str, Any]:
    """Return a record's fields as JSON has them."""
    content: dict[str, Any] = {
        "kind": type(record.whole).__name__.lower(),
        **{
            field.name: getattr(record, field.name) for field in fields(record)
        },
        "whole": record.whole.to_dict(),
        "goals": [goal.to_dict() for goal in record.goals],
        "before": [said_before(one) for one in record.whole.before],
    }
    del content["unknown"]
    for path, value in record.unknown:
        *way, name = path
        place: Any = content
        for step in way:
            place = place[step]
        place[name] = json.loads(value)
    if record.from_data:
        return {"warning": NOT_FOR_PUBLISHING, **content}
    return content


def _loaded(source: str | bytes | Path) -> dict[str, Any]:
    """Return the fields of a record's JSON, of the format that is read here."""
    try:
        if isinstance(source, str) and not begins_like_json(source):
            source = path_of(source)
        if isinstance(source, Path):
            source = read_file(source, LARGEST)
        if isinstance(source, bytes) and source.lstrip().startswith(b"<"):
            raise ValueError("it is a page. Its record is in the .json file")
        # Of text, so many characters at most.
        loaded = load_json(source, LARGEST)
    except ValueError as error:
        wanted = "a record is JSON, as .json() or .save() wrote it"
        raise ValueError(f"{wanted}; this is not: {error}") from None
    content: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
    if content.pop("program", None) != PROGRAM:
        raise ValueError(
            f"this JSON comes from another program: it is no {PROGRAM}"
        )
    form = content.get("format")
    if form not in READ:
        ours = f"dpwidgets {__version__} reads formats 4 and {FORMAT}"
        raise ValueError(f"this record has format {described(form)}; {ours}")
    return content


def _made(of: type[Any], content: dict[str, Any]) -> Any:
    """Make a record of the fields that JSON had, or raise an error that says what is wrong."""
    kind = RECORDS[of]
    if content.pop("format") != FORMAT:
        content["as_read"] = "; ".join(_format_4.renew(content))
    unknown = tuple(_unknown(of, content))
    listed = list_of("before", content.pop("before", []))
    before = counted(read_before(listed))
    content = arguments_of("a record", kind, {"id": NO_ID} | content)
    whole = of.from_dict(content["whole"])
    content["whole"] = replace(whole, before=before)
    goals = list_of("goals", content["goals"])
    content["goals"] = tuple(map(Goal.from_dict, goals))
    record = kind(**content, unknown=unknown)
    if record.id == NO_ID:
        record = replace(record, id=id_of_content(record.itself(), before))
    return record


def _unknown(
    of: type[Any], content: dict[str, Any]
) -> Iterator[tuple[Place, str]]:
    """Take out the fields that this version does not know; yield where each stood, and its JSON."""
    for path, found, names in _objects(of, content):
        if isinstance(found, dict):
            for name in [name for name in found if name not in names]:
                value = json.dumps(found.pop(name), ensure_ascii=False)
                unknown = quoted(name)
                checked_text(unknown, name)
                yield (*path, name), checked_text(unknown, value, LARGEST)


def _objects(
    of: type[Any], content: dict[str, Any]
) -> Iterator[tuple[Place, Any, Collection[str]]]:
    """Yield each object of a record's JSON: where it stands, itself, and the fields it may have."""
    yield (), content, (*named_in(RECORDS[of]), "before")
    yield ("whole",), content.get("whole"), named_in(of)
    for place, goal in _each(content, "goals"):
        kind = KINDS.get(str(goal.get("goal")))
        if kind:
            yield ("goals", place), goal, ("goal", *named_in(kind))
    for place, earlier in _each(content, "before"):
        yield ("before", place), earlier, named_in(Earlier)
        for number, one in _each(earlier, "published"):
            path = ("before", place, "published", number)
            yield path, one, OF_A_STATISTIC
            yield (*path, "case"), one.get("case"), named_in(Case)


def _each(
    found: dict[str, Any], name: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects in a list, and where they stand; what is malformed is refused later."""
    listed = found.get(name)
    for place, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict):
            yield place, one


def unread(as_read: str, unknown: Sequence[tuple[Place, str]]) -> list[str]:
    """Say what to know of a record's file: how it was read, and what in it is not known."""
    sentences = []
    if as_read:
        sentences.append(f"It was read from a file of format 4: {as_read}.")
    names = [quoted(".".join(map(str, path))) for path, _ in unknown]
    if len(names) > _NAMED:
        names[_NAMED:] = [f"{len(names) - _NAMED:,} more"]
    if names:
        stands = f"In its file stands {', '.join(names)}"
        ours = f"dpwidgets {__version__} does not know it"
        sentences.append(f"{stands}: {ours}, and it counts nowhere here.")
    return sentences
