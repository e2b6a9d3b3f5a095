"""What an earlier record says, as JSON has it: without what is as usual."""

from dataclasses import asdict, fields
from typing import Any

from dpwidgets.decisions.case._case import Case
from dpwidgets.decisions.case._earlier import Earlier
from dpwidgets.decisions.case._used import Used
from dpwidgets.inputs.outside import fields_of, list_of


def said_before(earlier: Earlier) -> dict[str, Any]:
    """Return what an earlier record says, ready for JSON."""
    said = _unusual(Earlier, vars(earlier))
    published = []
    for case, scale in earlier.published:
        unusual = _unusual(Case, case.to_dict())
        published.append({"case": unusual, "scale": scale})
    said["published"] = published
    if "used" in said:
        said["used"] = _unusual(Used, asdict(earlier.used))
    return said


def read_before(data: object) -> Earlier:
    """Read what `said_before` wrote."""
    said = _whole("an earlier record", Earlier, data)
    published = []
    for one in list_of("published", list(said["published"])):
        of_one = fields_of("a statistic", ("case", "scale"), one)
        case = _whole("a case", Case, of_one["case"])
        del case["before"]
        published.append((Case.from_dict(case), of_one["scale"]))
    used = said["used"]
    if not isinstance(used, Used):
        used = Used(**_whole("used", Used, used))
    return Earlier(**said | {"published": tuple(published), "used": used})


def _unusual(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not as usual."""
    usual = _usual(kind)
    return {
        name: value
        for name, value in values.items()
        if name not in usual or value != usual[name]
    }


def _usual(kind: type[Any]) -> dict[str, Any]:
    """Return the fields that have defaults, with these."""
    return {
        field.name: field.default
        for field in fields(kind)
        if hasattr(kind, field.name)
    }


def _whole(what: str, kind: type[Any], data: object) -> dict[str, Any]:
    """Return all fields, of which those that are as usual need not be said."""
    if isinstance(data, dict):
        data = _usual(kind) | data
    return fields_of(what, [field.name for field in fields(kind)], data)
