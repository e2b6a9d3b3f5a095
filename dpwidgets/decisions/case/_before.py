"""Which earlier records count before a decision, each once, and what JSON says of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, Protocol, TypeVar, runtime_checkable

from dpwidgets.decisions.case._case import Case
from dpwidgets.decisions.case._limits import Limits
from dpwidgets.decisions.case._past import Earlier, id_of, others
from dpwidgets.inputs.domain import must_be
from dpwidgets.inputs.outside import (
    arguments_of,
    described,
    fields_of,
    list_of,
    usual,
)

#: What is said of each statistic that an earlier record publishes.
OF_A_STATISTIC = ("case", "scale")
#: Stands in place of an id until one is made from what is said.
NO_ID = "–"
_Whole = TypeVar("_Whole", bound=Limits)


@runtime_checkable
class Recorded(Protocol):
    """What a record answers of the past: the rooms above make records."""

    def earlier(self) -> tuple[Earlier, ...]: ...


def counted(records: Iterable[Any]) -> tuple[Earlier, ...]:
    """Return what counts before a decision: each record once, with all that counts before it.

    A record is known by its id. So a copy of its file is the same record, and
    so is one that stands before another; the same decision made twice is two
    records, whatever they say.

    Parameters
    ----------
    records : iterable of Record
        The records, or what they count as, also as JSON has it.

    Raises
    ------
    TypeError, ValueError
        If one is no record, or cannot count, or two of one id say different
        things.
    """
    if isinstance(records, str) or not isinstance(records, Iterable):
        raise TypeError(
            f"before must be a list of records; got {described(records)}"
        )
    found: dict[str, Earlier] = {}
    for record in records:
        for earlier in _all_of(record):
            known = found.setdefault(earlier.id, earlier)
            if not known.counts_as(earlier):
                raise must_be(
                    "before",
                    f"records as they were written: {known.name} and {earlier.name} have the "
                    f"same id, {earlier.id}, and publish different things",
                )
    return tuple(found.values())


def _all_of(record: Any) -> tuple[Earlier, ...]:
    """Return what one record counts as, behind all that counts before it."""
    if isinstance(record, Mapping):
        return read_before([dict(record)])
    if isinstance(record, Earlier):
        return (record,)
    if isinstance(record, Recorded):
        return record.earlier()
    raise TypeError(f"before must be made of records; got {described(record)}")


def after(whole: _Whole, records: Iterable[Any]) -> _Whole:
    """Return a case or a plan after these records, or raise an error that says why it is not."""
    before = (of_neighbours(one, whole.neighbours) for one in counted(records))
    return replace(whole, before=counted(before))


def of_neighbours(entry: Earlier, neighbours: str | None) -> Earlier:
    """Return an entry that says for which neighbours it is: these, where it says of none."""
    if entry.published or entry.neighbours:
        return entry
    return others(
        entry.about,
        epsilon=entry.epsilon,
        rho=entry.rho,
        neighbours=neighbours,
    )


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
            one = {"id": NO_ID} | one
        earlier = _read(one)
        if earlier.id == NO_ID:
            earlier = replace(earlier, id=id_of_content(earlier, found))
        found.append(earlier)
    return tuple(found)


def id_of_content(earlier: Earlier, known: Iterable[Earlier]) -> str:
    """Return an id for a record that has none, from what it says: the same for each copy of it.

    Where one that is known says the same, it is another release, and the next
    number is taken in.
    """
    said = said_before(earlier)
    del said["id"]
    for one in said.get("published", ()):
        one["scale"] = f"{one['scale']:.9g}"
    taken = {one.id for one in known}
    made = (id_of([copy, said]) for copy in count(1))
    return next(one for one in made if one not in taken)


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
