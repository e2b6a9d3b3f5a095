"""A decision about ε, and its record: the case, the ε, for which goals it was chosen, and why.

A record is for the people who answer for a release, or for the refusal of one.
It holds no data, and all that it says is computed from its case, its goals and
its ε. Where the choice was made with secret data the record says so, and
offers a public version that leaves out what depends on them. What only people
can say stands in fields of its own; those that are empty are named in a row.

What it asks for was chosen after NIST SP 800-226 and the Differential Privacy
Deployments Registry, and its odds out of a hundred after Nanayakkara et al.
(2023).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpwidgets.decisions.case import Case, in_all, in_title
from dpwidgets.decisions.choice import CaseDecision
from dpwidgets.decisions.goals import RECORDS, Goal, Row, Table, checked
from dpwidgets.decisions.meanings import portrait
from dpwidgets.decisions.record._record import Record
from dpwidgets.inputs.notation import (
    down,
    percent,
    several,
    show,
    up,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class CaseRecord(Record, CaseDecision):
    """A decision about ε, to take away. `CaseDecision.record` makes one, `load` reads one.

    It can be written as JSON, read back the same, and shown.
    """

    @property
    def title(self) -> str:
        if self.left_out:
            return "ε is not published"
        if self.epsilon is None:
            return "Nothing is published"
        return in_title(self.case, self.case.scale(self.epsilon))

    @property
    def tables(self) -> list[Table]:
        rows: list[Row] = [
            ("in numbers", *self.facts["what"]),
            ("neighbours", *self.facts["unit"]),
            *self._noise,
        ]
        if self.case.prior is not None:
            rows.append(("believed before", down(self.case.prior, percent)))
        return [
            self._published(*rows),
            self._goals,
            self._meanings,
            self._why(self._allowed),
        ]

    def _scales(self, digits: int) -> list[float]:
        return [self.case.scale(self.epsilon or 1.0, digits)]

    @property
    def _noise(self) -> list[Row]:
        """How much noise there is, and which ε that is."""
        case = self.case
        if self.epsilon is None:
            return []
        scale = case.scale(self.epsilon)
        noise = (*self.facts["noise"], *self.facts["error"])
        of_one = f"{show(self.epsilon, 10)} for Δf = {up(case.sensitivity, show, 6)}"
        if case.one_release.delta_of_all:
            of_one += f", δ = {up(case.delta)}"
        many = f"{several(case.releases, 'release')} about the same people"
        total = f"{in_all(case, scale)}{case.beside_clause}"
        return [
            ("noise in each release", ": ".join(noise)),
            ("ε of one release", of_one),
            ("in all", f"{many}{case.dependent_clause}: {total}"),
        ]

    @property
    def _meanings(self) -> Table:
        """What the noise means: to a reader first, and then to an attacker."""
        rows: list[Row] = []
        if self.epsilon is not None:
            whole = portrait(
                self.epsilon, before=self.case.before, **self.case.to_dict()
            )
            names = (row.meaning.name for row in whole.rows)
            rows = [*zip(names, whole.sentences, strict=True)]
        return Table("What the noise means", (), rows)

    @property
    def _allowed(self) -> list[Row]:
        """What the goals allow, or what stands against it."""
        choice = self.choice
        if not choice.goals or self.left_out:
            return []
        if choice.feasible.empty:
            against = dict.fromkeys(choice.obstacles)
            return [
                ("the goals allow", "nothing: no noise meets them all"),
                *(("what stands against it", one) for one in against),
            ]
        allowed = choice.beside(self.epsilon)
        rows: list[Row] = [("the goals allow", allowed)]
        for option in choice.options:
            if option.buys:
                epsilon = show(option.epsilon, 10)
                rows.append((f"{option.name}, ε = {epsilon}", option.buys))
        return rows


RECORDS[Case] = CaseRecord


def of_case(
    case: Case,
    goals: Iterable[Goal[Case]],
    epsilon: float | None,
    **words: Any,
) -> CaseRecord:
    """Record a decision about ε, or that nothing is published, without any data.

    Parameters
    ----------
    case : Case
        What is published, and how.
    goals : iterable of Goal
        What it was chosen for.
    epsilon : float or None
        The chosen ε of one release, from 1e-8 to 1000; None where nothing is
        published.
    **words : str
        What only people can say: the fields `WORDS` of `Record`. What is left
        out stays open.

    Returns
    -------
    CaseRecord
        The record.

    Raises
    ------
    TypeError, ValueError
        If epsilon lies outside its domain, or something else is not what it
        must be.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.goals import BeliefGoal
    >>> case = Case(published="count", prior=0.1)
    >>> made = of_case(case, [BeliefGoal(0.2)], 0.5, date="1 May")
    >>> made.verdict
    'This record may be published if all that people entered is public: nothing else in it was
    computed from secret data.'
    >>> CaseRecord.load(made.json()) == made
    True
    """
    decision = CaseDecision(case, checked(case, goals), epsilon)
    return CaseRecord.of(decision, **words)
