"""Records as files: their JSON, written and read."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from dpwidgets import __version__
from dpwidgets.decisions.choice._chosen import NOT_FOR_PUBLISHING, RECORDS
from dpwidgets.decisions.choice._earlier import read_before, said_before
from dpwidgets.decisions.choice._goals import Goal
from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import (
    begins_like_json,
    described,
    fields_of,
    list_of,
    load_json,
    path_of,
)

FORMAT = 4
PROGRAM = "dpwidgets decision record"
#: How many bytes the text may have that is read.
LARGEST = 1_000_000


def written(record: Any) -> str:
    """Write a record as JSON, for `read`."""
    content = {
        "program": PROGRAM,
        "format": FORMAT,
        "kind": type(record.whole).__name__.lower(),
        **_content(record),
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def _content(record: Any) -> dict[str, Any]:
    """Return a record's fields as JSON has them."""
    content = {
        field.name: getattr(record, field.name) for field in fields(record)
    }
    content["whole"] = record.whole.to_dict()
    content["goals"] = [goal.to_dict() for goal in record.goals]
    content["before"] = [said_before(one) for one in record.whole.before]
    if record.from_data:
        return {"warning": NOT_FOR_PUBLISHING, **content}
    return content


def read(source: str | bytes | Path, wanted: type[Any]) -> Any:
    """Read a record of this class: see `Sheet.load`."""
    content = _loaded(source)
    warning = content.pop("warning", None)
    try:
        kinds = {of.__name__.lower(): kind for of, kind in RECORDS.items()}
        name = one_of("kind", content.pop("kind", None), kinds)
        if not issubclass(kinds[name], wanted):
            raise ValueError(f"it is about a {name}")
        record = _made(kinds[name], content)
        # It is computed like all else: none is needed, no other stays.
        if warning is not None:
            one_of("warning", warning, [_content(record).get("warning")])
        return record
    except (TypeError, ValueError) as error:
        raise ValueError(f"the record is damaged: {error}") from None


def _loaded(source: str | bytes | Path) -> dict[str, Any]:
    """Return the fields of a record's JSON, of the format that is read here."""
    try:
        if isinstance(source, str) and not begins_like_json(source):
            source = path_of(source)
        if isinstance(source, Path):
            source = source.read_bytes()
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
    form = content.pop("format", None)
    if form != FORMAT:
        ours = f"dpwidgets {__version__} reads format {FORMAT}"
        raise ValueError(f"this record has format {described(form)}; {ours}")
    return content


def _made(kind: type[Any], content: dict[str, Any]) -> Any:
    """Make a record of the fields that JSON had, or raise an error that says what is wrong."""
    names = [*(field.name for field in fields(kind)), "before"]
    content = fields_of("a record", names, content)
    before = []
    for one in list_of("before", content.pop("before")):
        before.append(read_before(one))
    whole = kind.about_what.from_dict(content["whole"])
    content["whole"] = replace(whole, before=tuple(before))
    goals = list_of("goals", content["goals"])
    content["goals"] = tuple(map(Goal.from_dict, goals))
    return kind(**content)
