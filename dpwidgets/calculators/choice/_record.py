"""The record of a decision: the case, the ε that was chosen, for which goals, and why.

A record is for the people who answer for a release, or for the refusal of one. It holds no data,
and all that it says is computed from its case, its goals and its ε. Where the choice was made with
secret data the record says so, and offers a public version that leaves out what depends on them.
What only people can say stands in fields of its own; an empty one stays visible as open.

What it asks for was chosen after NIST SP 800-226 and the Differential Privacy Deployments Registry,
and its odds out of a hundred after Nanayakkara et al. (2023).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice._choice import Choice, choose
from dpwidgets.calculators.choice._goals import Goal, checked
from dpwidgets.calculators.choice._page import Table
from dpwidgets.calculators.choice._protection import RiskGoal
from dpwidgets.calculators.choice._registry import read
from dpwidgets.calculators.choice._sections import sections
from dpwidgets.calculators.choice._sheet import Sheet
from dpwidgets.calculators.choice._stress import Chosen
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import described

#: What a record says of an ε that was chosen with secret data.
NOT_FOR_PUBLISHING = "depends on your data: not for publishing"


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(Sheet):
    """A decision about ε, to take away. `record` makes one, `Record.load` reads one.

    What `record` makes or `load` reads can be written as JSON, read back the same, and shown.

    Parameters
    ----------
    case : Case
        What is published, and how.
    epsilon : float or None
        The chosen ε of one release. None where nothing is published, and in a public version.
    goals : tuple of Goal
        What it was chosen for, without their data.
    left_out : bool
        Whether it is a public version, in which ε and the goals about data are left out.
    about, use, whom, …, version : str
        What people say, and which version of dpwidgets made it: see `Sheet`.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.
    """

    case: Case
    epsilon: float | None
    goals: tuple[Goal, ...]
    left_out: bool = False

    program: ClassVar[str] = "dpwidgets decision record"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.left_out, bool):
            raise TypeError(f"left_out must be true or false; got {described(self.left_out)}")
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", EPSILON.check_one("epsilon", self.epsilon))
        goals = checked(self.case, self.goals)
        if any(isinstance(goal, RiskGoal) and goal.worlds is not None for goal in goals):
            raise ValueError("goals must be without their data")
        if self.left_out and (self.from_data or self.epsilon is not None):
            raise ValueError("a public version must hold no goal that depends on data, and no ε")

    @property
    def from_data(self) -> bool:
        """Whether a goal depends on secret data, so that the record is not for publishing."""
        return any(goal.from_data for goal in self.goals)

    @cached_property
    def chosen(self) -> Chosen:
        """What the goals allow together, and what the noise gives for each of them.

        A goal about data gives nothing, since the record does not hold its data.
        """
        choice = choose(self.case, self.goals) if self.goals else Choice(self.case, ())
        return Chosen(choice, self.epsilon)

    @property
    def met(self) -> tuple[bool, ...]:
        """Whether the noise meets each goal; nothing where there is no ε."""
        return self.chosen.met

    @property
    def title(self) -> str:
        if self.left_out:
            return "ε is not published"
        if self.epsilon is None:
            return "nothing is published"
        _, epsilon, _ = self.chosen.choice.beside(self.epsilon, 6)
        return f"ε = {epsilon} for Δf = {show(self.case.sensitivity, 4)}"

    @property
    def verdict(self) -> str:
        """Whether it may be published, and if not why: the first line of every page."""
        if self.left_out:
            return (
                "For publishing: the version without what depends on secret data. The goals about "
                "the data are left out, and so are ε and all that follows from it, whatever the "
                "data are. What people entered stands as they entered it."
            )
        refused = "" if self.epsilon is not None else "Nothing is published. "
        if self.from_data:
            return (
                f"{refused}This record {NOT_FOR_PUBLISHING}. A goal looks at the secret column. "
                "The public version leaves it out."
            )
        return (
            f"{refused}This record may be published if all that people entered is public: nothing "
            "else in it was computed from secret data."
        )

    def public(self) -> Self:
        """Return the version for publishing: without what depends on secret data.

        With a goal about data, that goal, ε and all that follows from ε are left out, always. So it
        is the same for every column: whether ε is printed tells nothing. Without such a goal it is
        the record itself.
        """
        if not self.from_data:
            return self
        goals = tuple(goal for goal in self.goals if not goal.from_data)
        return replace(self, goals=goals, epsilon=None, left_out=True)

    @property
    def tables(self) -> list[Table]:
        return sections(self.chosen, self.said, left_out=self.left_out)

    @property
    def releases(self) -> list[tuple[str, Case, float]]:
        scale = self.chosen.scale
        return [] if scale is None else [("", self.case, scale)]

    @property
    def together(self) -> tuple[Case, float | None]:
        return self.case, self.chosen.scale

    @classmethod
    def from_registry(cls, text: str | bytes) -> Self:
        """Read an entry of the registry about a count: its case, its ε, and what people said.

        Parameters
        ----------
        text : str or bytes
            The entry, as YAML.

        Returns
        -------
        Record
            A record without goals, whose releases together have the ε of the entry.

        Raises
        ------
        ValueError
            If it is no YAML, or does not say enough: which noise a curator adds to which count,
            who is a neighbour, how far neighbours lie apart (Δf), how many releases there are, and
            their ε (with a δ) or ρ.

        Examples
        --------
        >>> words = dict.fromkeys(("about", "use", "region", "curator", "names"), "said")
        >>> case = Case(published="count", releases=4)
        >>> made = record(case, [], 0.25, date="2026-11-23", **words)
        >>> back = Record.from_registry(made.registry())
        >>> (back.case, back.epsilon, back.date) == (case, 0.25, "2026-11-23")
        True
        """
        case, epsilon, said = read(text)
        return cls(case=case, epsilon=epsilon, goals=(), **said)

    def content(self) -> dict[str, Any]:
        warning = {"warning": NOT_FOR_PUBLISHING} if self.from_data else {}
        goals = [goal.to_dict() for goal in self.goals]
        return warning | super().content() | {"case": self.case.to_dict(), "goals": goals}

    @classmethod
    def from_content(cls, content: dict[str, Any]) -> Self:
        content["case"] = Case.from_dict(content["case"])
        content["goals"] = tuple(map(Goal.from_dict, content["goals"]))
        return cls(**content)


def record(case: Case, goals: Iterable[Goal], epsilon: float | None, **words: Any) -> Record:
    """Record a decision about ε, or that nothing is published.

    Parameters
    ----------
    case : Case
        What is published, and how.
    goals : iterable of Goal
        What it was chosen for.
    epsilon : float or None
        The chosen ε of one release, from 1e-8 to 1000; None where nothing is published.
    **words : str
        What only people can say: the fields `WORDS` of `Sheet`.

    Returns
    -------
    Record
        The record.

    Raises
    ------
    TypeError, ValueError
        If epsilon lies outside its domain, or something else is not what it must be.

    Examples
    --------
    >>> from dpwidgets.calculators import choice
    >>> case = choice.Case(published="count", prior=0.1)
    >>> made = record(case, [choice.BeliefGoal(0.2)], 0.5, date="1 May")
    >>> made.verdict
    'This record may be published if all that people entered is public: nothing else in it was
    computed from secret data.'
    >>> Record.load(made.json()) == made
    True
    """
    kept = tuple(goal.without_data(case) for goal in checked(case, goals))
    return Record(case=case, epsilon=epsilon, goals=kept, **words)
