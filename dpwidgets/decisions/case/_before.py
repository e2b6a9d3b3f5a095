"""Which earlier records count before a decision, and how often."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from dpwidgets.decisions.case._before_in_json import read_before
from dpwidgets.decisions.case._earlier import Earlier
from dpwidgets.decisions.case._limits import Limits
from dpwidgets.inputs.domain import must_be
from dpwidgets.inputs.outside import described

_Whole = TypeVar("_Whole", bound=Limits)


@runtime_checkable
class Recorded(Protocol):
    """What a record answers of the past: the rooms above make records."""

    whole: Limits

    def earlier(self) -> tuple[Earlier, ...]: ...


def counted(records: Iterable[Any]) -> tuple[Earlier, ...]:
    """Return what counts before a decision: each record once, with all that counts before it.

    The same record given twice is one, and so is a record that stands before
    another one, too. A record that says the same as one before it is another
    release, and counts beside it. Two of the same words and numbers given side
    by side may be two releases, or two copies of one: nobody but you knows.

    Parameters
    ----------
    records : iterable of Record
        The records, or what they count as, also as JSON has it.

    Raises
    ------
    TypeError, ValueError
        If one is no record, or cannot count, or two say the same.
    """
    if isinstance(records, str) or not isinstance(records, Iterable):
        raise TypeError(
            f"before must be a list of records; got {described(records)}"
        )
    found: Counter[Earlier] = Counter()
    own: list[Earlier] = []
    for record in {id(record): record for record in records}.values():
        if isinstance(record, Mapping):
            record = read_before(record)
        if isinstance(record, Earlier):
            own.append(record)
            found |= Counter([record])
        elif isinstance(record, Recorded):
            all_of_it = record.earlier()
            own += all_of_it[len(record.whole.before) :]
            found |= Counter(all_of_it)  # as often as any of them says it
        else:
            raise TypeError(
                f"before must be made of records; got {described(record)}"
            )
    for earlier, often in Counter(own).items():
        if often > 1:
            raise must_be(
                "before",
                f"records that differ: {often} say the same, {earlier.name}. Leave out copies; of "
                "different releases say another period or date",
            )
    return tuple(found.elements())


def after(whole: _Whole, records: Iterable[Any]) -> _Whole:
    """Return a case or a plan after these records, or raise an error that says why it is not."""
    return replace(whole, before=counted(records))
