"""What an earlier record says, as JSON has it: without what is as usual."""

from dataclasses import asdict
from typing import Any

from dpwidgets.decisions.case._case import Case
from dpwidgets.decisions.case._earlier import Earlier
from dpwidgets.decisions.case._used import Used
from dpwidgets.inputs.outside import arguments_of, fields_of, list_of, usual

#: What is said of each statistic that an earlier record publishes.
OF_A_STATISTIC = ("case", "scale")


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
    said = arguments_of("an earlier record", Earlier, data)
    published = []
    for one in list_of("published", list(said["published"])):
        of_one = fields_of("a statistic", OF_A_STATISTIC, one)
        published.append((Case.from_dict(of_one["case"]), of_one["scale"]))
    used = said["used"]
    if not isinstance(used, Used):
        used = Used(**arguments_of("used", Used, used))
    return Earlier(**said | {"published": tuple(published), "used": used})


def _unusual(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not as usual."""
    as_usual = usual(kind)
    return {
        name: value
        for name, value in values.items()
        if name not in as_usual or value != as_usual[name]
    }
