"""What the same people have been asked so far, counted from the records of earlier decisions."""

import os
import stat
from collections.abc import Iterable
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
from dpwidgets.decisions.plan._record import Record
from dpwidgets.inputs.domain import DomainError, must_be, one_of
from dpwidgets.inputs.notation import rounded, several, up
from dpwidgets.inputs.outside import load_json, quoted

#: How many records a folder may have.
MOST_FILES = 1000
_KINDS: dict[str, type[Sheet]] = {
    choice.Record.program: choice.Record,
    Record.program: Record,
}


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
        parts: list[Numbers] = []
        for entry in self.entries:
            times = 1
            if entry is self.last:
                times += more
            for case, scale in entry.published:
                for part in case.privacy_loss(scale, ALL).parts:
                    parts.append(replace(part, count=part.count * times))
        return PrivacyLoss(tuple(parts), self.delta)

    @property
    def last(self) -> Entry | None:
        """The last record that publishes something, if any does."""
        for entry in reversed(self.entries):
            if entry.published:
                return entry
        return None

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
        if not self.rho:
            return {"used_rho": 0.0}
        rho = max(self.rho, loss.RHO.low)
        return {"used_rho": rounded(rho, 6, up=True)}

    def room(
        self, *, total: float | None = None, rho: float | None = None
    ) -> int:
        """Compute how often what the last record publishes may be published once more.

        Parameters
        ----------
        total, rho : float, optional
            The ε at `delta`, and the ρ, that all may have together; at least
            one is given.

        Returns
        -------
        int
            At most 10⁴, and 0 where nothing was published or a limit is passed
            already.

        Raises
        ------
        ValueError
            If neither is given.
        """
        if total is None and rho is None:
            raise must_be(
                "total", "given, or rho: how much all may have together"
            )

        def fits(more: int) -> bool:
            told = self._told(more)
            try:
                if rho is not None and told.rho() > rho * (1 + 1e-9):
                    return False
                if total is None:
                    return True
                return told.epsilon() <= total * (1 + 1e-9)
            except DomainError:  # more numbers than can be composed
                return False

        if not self.last or not fits(0):
            return 0
        return most(fits, 10**4)

    @property
    def sentence(self) -> str:
        """What the people have been asked so far, in words."""
        if not self.last:
            return "Nothing has been published about these people so far."
        count = sum(len(entry.published) for entry in self.entries)
        records = several(len(self.entries), "record")
        which = f"{records} with {several(count, 'statistic')}"
        delta = f" and δ = {up(self.delta)}" if self.delta else ""
        epsilon = f"ε = {up(self.epsilon)}{delta}"
        step = "has another record"
        if self.neighbours == "add/remove":
            step = "is added or removed"
        return (
            f"{which}: together they have {epsilon}, and ρ = {up(self.rho)} (zCDP), if "
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

    Returns
    -------
    Ledger
        What the records tell together.

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
        files = _records_of(path)
    contents = ((file.name, _bytes(file)) for file in files)
    return count(contents, delta=delta, neighbours=neighbours)


def _records_of(folder: Path) -> list[Path]:
    """Return the files of a folder that are records by their names, in the order of these."""
    records = (path for path in folder.iterdir() if path.suffix == ".json")
    files = sorted(islice(records, MOST_FILES + 1))
    if len(files) > MOST_FILES:
        raise must_be("source", f"a folder of at most {MOST_FILES:,} records")
    return files


def count(
    files: Iterable[tuple[str, bytes]],
    *,
    delta: float | None = None,
    neighbours: str | None = None,
) -> Ledger:
    """Do the same with the names and the contents of files: see `ledger`.

    Parameters
    ----------
    files : iterable of (str, bytes)
        The name of each record's file, and what is in it.
    delta, neighbours
        As in `ledger`.

    Returns
    -------
    Ledger
        What the records tell together.

    Raises
    ------
    ValueError
        As in `ledger`.

    Examples
    --------
    >>> made = choice.decide(published="count", total=1).record()
    >>> found = count([("2023.json", made.json().encode())])
    >>> print(found.sentence)
    1 record with 1 statistic: together they have ε = 1, and ρ = 0.368 (zCDP), if one person is
    added or removed.
    """
    entries = [
        Entry(name, _published(name, content)) for name, content in files
    ]
    cases: list[Case] = []
    deltas = []
    for entry in entries:
        for case, _ in entry.published:
            cases.append(case)
            if case.delta:
                deltas.append(case.delta)
    usual = "add/remove"
    if any(case.neighbours == "replace" for case in cases):
        usual = "replace"
    neighbours = one_of("neighbours", neighbours or usual, NEIGHBOURS)
    if delta is None:
        delta = min(deltas, default=0.0)
    delta = loss.DELTA_OR_NONE.check_one("delta", delta)
    if not delta and any(case.mechanism == "Gaussian" for case in cases):
        raise must_be("delta", "above 0 for Gaussian noise; got 0")
    turned = tuple(_with_neighbours(entry, neighbours) for entry in entries)
    return Ledger(turned, delta, neighbours)


def _with_neighbours(entry: Entry, neighbours: str) -> Entry:
    """Return what a record publishes, read for these neighbours."""
    published = []
    for case, scale in entry.published:
        try:
            same = replace(case, neighbours=neighbours)
        except DomainError as error:
            raise _refused(entry.name, error) from None
        published.append((same, scale))
    return Entry(entry.name, tuple(published))


def _published(name: str, content: bytes) -> tuple[tuple[Case, float], ...]:
    """Read a record, and return what it publishes."""
    try:
        read = load_json(content, LARGEST)
        program = read.get("program") if isinstance(read, dict) else None
        if program not in _KINDS:
            raise ValueError("it is no record of a decision")
        record = _KINDS[program].load(content)
        if getattr(record, "left_out", False):
            raise ValueError("it is a public version, which leaves out its ε")
    except ValueError as error:
        raise _refused(name, error) from None
    together, noise = record.together
    if noise is None:
        return ()
    published = []
    for _, case, scale in together.named(noise):
        alone = replace(
            case,
            used=0.0,
            used_delta=0.0,
            used_rho=0.0,
            household=1,
            prior=None,
        )
        published.append((alone, scale))
    return tuple(published)


def _bytes(path: Path) -> bytes:
    """Read a file of others: no more than is looked at, and neither through a link nor a pipe."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)  # each where the system has it
    try:
        with open(os.open(path, flags), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(LARGEST + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise _refused(path.name, why) from None
    raise _refused(path.name, "it is no regular file")


def _refused(name: str, why: object) -> ValueError:
    return ValueError(f"{quoted(name)} cannot be counted: {why}")
