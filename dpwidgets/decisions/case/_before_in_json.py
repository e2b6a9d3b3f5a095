"""What an earlier record says, as JSON has it: without what is as usual."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Any

from dpwidgets.decisions.case._case import Case
from dpwidgets.decisions.case._earlier import Earlier
from dpwidgets.inputs.outside import arguments_of, fields_of, list_of, usual

#: What is said of each statistic that an earlier record publishes.
OF_A_STATISTIC = ("case", "scale")
_NOBODY = "–"


def said_before(earlier: Earlier) -> dict[str, Any]:
    """Return what an earlier record says, ready for JSON."""
    said = _unusual(Earlier, vars(earlier))
    if earlier.published:
        said["published"] = [
            {"case": _unusual(Case, case.to_dict()), "scale": scale}
            for case, scale in earlier.published
        ]
    return said


def read_before(data: Iterable[object]) -> tuple[Earlier, ...]:
    """Read a list of what `said_before` wrote; what has no id gets one from what it says."""
    found: list[Earlier] = []
    for one in data:
        if isinstance(one, dict):
            one = {"id": _NOBODY} | one
        earlier = _read(one)
        if earlier.id == _NOBODY:
            earlier = replace(earlier, id=id_of_content(earlier, found))
        found.append(earlier)
    return tuple(found)


def id_of_content(earlier: Earlier, others: Iterable[Earlier]) -> str:
    """Return an id for a record that has none, from what it says: the same for each copy of it.

    Where one of the others says the same, it is another release, and the next
    number is taken in.
    """
    said = said_before(earlier)
    del said["id"]
    for one in said.get("published", ()):
        one["scale"] = f"{one['scale']:.9g}"
    taken = {other.id for other in others}
    for copy in count(1):
        text = json.dumps([copy, said], sort_keys=True)
        made = hashlib.sha256(text.encode()).hexdigest()[:10]
        if made not in taken:
            break
    return made


def _read(data: object) -> Earlier:
    said = arguments_of("an earlier record", Earlier, data)
    published = []
    for one in list_of("published", list(said["published"])):
        of_one = fields_of("a statistic", OF_A_STATISTIC, one)
        published.append((Case.from_dict(of_one["case"]), of_one["scale"]))
    return Earlier(**said | {"published": tuple(published)})


def _unusual(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not as usual."""
    as_usual = usual(kind)
    return {
        name: value
        for name, value in values.items()
        if name not in as_usual or value != as_usual[name]
    }
