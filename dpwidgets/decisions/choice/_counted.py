"""Which earlier records count before a decision, each once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from dpwidgets.decisions.case import ALL, Earlier, Limits
from dpwidgets.decisions.choice._sheet import OTHERS, Sheet
from dpwidgets.inputs.domain import must_be
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import described

_Whole = TypeVar("_Whole", bound=Limits)


def counted(records: Iterable[Any]) -> tuple[Earlier, ...]:
    """Return what counts before a decision: each record once, with all that counts before it.

    Parameters
    ----------
    records : iterable of Sheet
        The records, or what they count as.

    Raises
    ------
    TypeError, ValueError
        If one is no record, or cannot count.
    """
    found: list[Earlier] = []
    for record in records:
        if isinstance(record, Earlier):
            found.append(record)
        elif isinstance(record, Sheet):
            found += record.earlier()
        else:
            raise TypeError(
                f"before must be made of records; got {described(record)}"
            )
    return tuple(dict.fromkeys(found))


def after(whole: _Whole, records: Iterable[Any]) -> _Whole:
    """Return a case or a plan after these records, or raise an error that says why it is not.

    What a record says that others had used up before it the case or plan must
    say, too: of that there may be no record.
    """
    records = tuple(records)
    for record in records:
        if isinstance(record, Sheet):
            _check_others(record.whole, whole)
    return replace(whole, before=counted(records))


def _check_others(earlier: Limits, whole: Limits) -> None:
    if earlier.alone() == replace(earlier, before=()):
        return
    steps = 1
    if earlier.neighbours != whole.neighbours:
        steps = 2  # a record that is replaced is one removed and one added
        if whole.neighbours == "add/remove":
            raise must_be(
                "neighbours", "'replace', as in a record that counts others"
            )
    needed = *earlier.others(ALL, steps), earlier.rho_of_others(ALL, steps)
    for name, least in zip(OTHERS, needed, strict=True):
        if getattr(whole, name) < least:
            says = "a record says that others had used up so much before it"
            raise must_be(name, f"at least {show(least, 15)}: {says}")
