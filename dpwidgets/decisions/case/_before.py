"""Which earlier records count before a decision: each once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from dpwidgets.decisions.case._before_in_json import read_before
from dpwidgets.decisions.case._earlier import Earlier, others
from dpwidgets.decisions.case._limits import Limits
from dpwidgets.inputs.domain import must_be
from dpwidgets.inputs.outside import described

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
