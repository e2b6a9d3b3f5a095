"""What the same people have been asked so far, counted from the records of earlier decisions."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from dpwidgets.calculators import loss
from dpwidgets.calculators.solve import most
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import (
    ALL,
    NEIGHBOURS,
    Case,
    Numbers,
    PrivacyLoss,
)
from dpwidgets.decisions.choice import LARGEST, Sheet
from dpwidgets.decisions.plan._decide import Record
from dpwidgets.inputs.domain import DomainError, must_be, one_of
from dpwidgets.inputs.notation import rounded, several, up
from dpwidgets.inputs.outside import load_json, quoted

#: How many records a folder may have.
MOST_FILES = 1000
_KINDS = {kind.program: kind for kind in (choice.Record, Record)}


class Entry(NamedTuple):
    """A record's file, and the case of each statistic that it publishes with its noise's scale."""

    name: str
    published: tuple[tuple[Case, float], ...]


@dataclass(frozen=True)
class Ledger:
    """What the records of a ledger tell about one person. `ledger` makes one.

    They are read at one δ and for the same neighbours. The laws of all losses
    are composed, each with its own noise, so that no ε is added up. What a
    record says that others had used up is left out: those have records of
    their own.
    """

    entries: tuple[Entry, ...]
    delta: float
    neighbours: str

    def _told(self, more: int = 0) -> PrivacyLoss:
        """Return what all tell, and so many more like the last one."""
        parts = list[Numbers]()
        for entry in self.entries:
            times = 1 + more if entry is self.last else 1
            for case, scale in entry.published:
                own = case.privacy_loss(scale, ALL).parts
                parts += [
                    replace(part, count=part.count * times) for part in own
                ]
        return PrivacyLoss(tuple(parts), self.delta)

    @property
    def last(self) -> Entry | None:
        """The last record that publishes something, if any does."""
        return next(
            (one for one in reversed(self.entries) if one.published), None
        )

    @cached_property
    def epsilon(self) -> float:
        """The ε of everything so far, at `delta`."""
        return self._told().epsilon() if self.last else 0.0

    @cached_property
    def rho(self) -> float:
        """The ρ (zCDP) of everything so far."""
        return self._told().rho() if self.last else 0.0

    @property
    def used(self) -> dict[str, float]:
        """What a case or a plan with these neighbours takes as used by others: the ρ of all."""
        rho = rounded(max(self.rho, loss.RHO.low), 6, up=True)
        return {"used_rho": rho if self.rho else 0.0}

    def room(
        self, *, total: float | None = None, rho: float | None = None
    ) -> int:
        """Compute how often what the last record publishes may be published once more.

        `total` is the ε at `delta`, and `rho` the ρ, that all may have
        together; at least one is given. At most 10⁴, and 0 where nothing was
        published or a limit is passed already.
        """
        if total is None and rho is None:
            raise must_be(
                "total", "given, or rho: how much all may have together"
            )

        def fits(more: int) -> bool:
            told = self._told(more)
            with suppress(DomainError):  # more numbers than can be composed
                kept = rho is None or told.rho() <= rho * (1 + 1e-9)
                return kept and (
                    total is None or told.epsilon() <= total * (1 + 1e-9)
                )
            return False

        return most(fits, 10**4) if self.last and fits(0) else 0

    @property
    def sentence(self) -> str:
        """What the people have been asked so far, in words."""
        if not self.last:
            return "Nothing has been published about these people so far."
        statistics = sum(len(entry.published) for entry in self.entries)
        named = f" and δ = {up(self.delta)}" if self.delta else ""
        step = (
            "is added or removed"
            if self.neighbours == "add/remove"
            else "has another record"
        )
        return (
            f"{several(len(self.entries), 'record')} with {several(statistics, 'statistic')}: "
            f"together they have ε = {up(self.epsilon)}{named}, and ρ = {up(self.rho)} (zCDP), if "
            f"one person {step}."
        )


def ledger(
    source: str | Path,
    *,
    delta: float | None = None,
    neighbours: str | None = None,
) -> Ledger:
    """Count what the records of a folder have told about the same people, or that of one file.

    Parameters
    ----------
    source : str or Path
        A folder, of which every file that ends with .json is a record of
        `choice` or of `plan`, or one such file. Each has at most a million
        bytes; no link is followed.
    delta : float, optional
        The δ at which all are read together. By default the least that a
        record names.
    neighbours : {"add/remove", "replace"}, optional
        How two databases differ. By default as in the records; where they are
        not the same, one person's record is replaced.

    Raises
    ------
    ValueError
        If a file is no record, is a public version without its ε, or cannot be
        counted so; the message names it. If there are more than a thousand.
    OSError
        If there is no such file or folder.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from dpwidgets.decisions import choice
    >>> with TemporaryDirectory() as folder:
    ...     for year in (2023, 2024):
    ...         made = choice.decide(published="count", releases=12, delta=1e-6, total=1)
    ...         path = made.record().save(Path(folder) / f"{year}.json")
    ...     found = ledger(folder)
    >>> print(found.sentence)
    2 records with 2 statistics: together they have ε = 1.65 and δ = 1e-6, and ρ = 0.0816 (zCDP), if
    one person is added or removed.
    >>> found.room(total=3), found.used
    (3, {'used_rho': 0.0815785})
    """
    path = Path(source)
    files = [path]
    if path.is_dir():
        found = (one for one in path.iterdir() if one.suffix == ".json")
        files = sorted(islice(found, MOST_FILES + 1))
        if len(files) > MOST_FILES:
            raise must_be(
                "source", f"a folder of at most {MOST_FILES:,} records"
            )
    return count(
        ((one.name, _bytes(one)) for one in files),
        delta=delta,
        neighbours=neighbours,
    )


def count(
    files: Iterable[tuple[str, bytes]],
    *,
    delta: float | None = None,
    neighbours: str | None = None,
) -> Ledger:
    """Do the same with the names and the contents of files: see `ledger`."""
    entries = [
        Entry(name, _published(name, content)) for name, content in files
    ]
    cases = [case for entry in entries for case, _ in entry.published]
    usual = (
        "replace"
        if any(one.neighbours == "replace" for one in cases)
        else "add/remove"
    )
    neighbours = one_of("neighbours", neighbours or usual, NEIGHBOURS)
    least = min((case.delta for case in cases if case.delta), default=0.0)
    delta = loss.DELTA_OR_NONE.check_one(
        "delta", least if delta is None else delta
    )
    if not delta and any(case.mechanism == "Gaussian" for case in cases):
        raise must_be("delta", "above 0 for Gaussian noise; got 0")
    turned = []
    for name, published in entries:
        try:
            same = tuple(
                (replace(case, neighbours=neighbours), scale)
                for case, scale in published
            )
        except DomainError as error:
            raise _refused(name, error) from None
        turned.append(Entry(name, same))
    return Ledger(tuple(turned), delta, neighbours)


def _published(name: str, content: bytes) -> tuple[tuple[Case, float], ...]:
    """Read a record, and return what it publishes."""
    try:
        read = load_json(content, LARGEST)
        program = read.get("program") if isinstance(read, dict) else None
        if program not in _KINDS:
            raise ValueError("it is no record of a decision")
        record: Sheet = _KINDS[program].load(content)
        if getattr(record, "left_out", False):
            raise ValueError("it is a public version, which leaves out its ε")
    except ValueError as error:
        raise _refused(name, error) from None
    together, noise = record.together
    if noise is None:
        return ()
    alone = {
        "used": 0.0,
        "used_delta": 0.0,
        "used_rho": 0.0,
        "household": 1,
        "prior": None,
    }
    return tuple(
        (replace(case, **alone), scale)
        for _, case, scale in together.named(noise)
    )


def _bytes(path: Path) -> bytes:
    """Read a file of others: no more than is looked at, and neither through a link nor a pipe."""
    try:
        flags = (
            os.O_RDONLY
            | getattr(os, "O_NOFOLLOW", 0)
            | getattr(os, "O_NONBLOCK", 0)
        )
        with open(
            os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(LARGEST + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _refused(
            path.name, error.strerror or "it cannot be read"
        ) from None
    raise _refused(path.name, "it is no regular file")


def _refused(name: str, why: object) -> ValueError:
    return ValueError(f"{quoted(name)} cannot be counted: {why}")
