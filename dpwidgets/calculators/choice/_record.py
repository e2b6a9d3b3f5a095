"""The record of a decision: the case, the ε that was chosen, for which goals, and why.

A record is for the people who answer for a release, or for the refusal of one. It holds no data,
and all that it says is computed from its case, its goals and its ε. Where the choice was made with
secret data the record says so, and offers a public version that leaves out what depends on them.
What only people can say stands in fields of its own; an empty one stays visible as open.

What it asks for was chosen after NIST SP 800-226 and the Differential Privacy Deployments Registry,
and its odds out of a hundred after Nanayakkara et al. (2023).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from dpwidgets import __version__
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import _page
from dpwidgets.calculators.choice._choice import Choice, choose
from dpwidgets.calculators.choice._goals import Goal, checked
from dpwidgets.calculators.choice._protection import RiskGoal
from dpwidgets.calculators.choice._sections import WORDS, sections
from dpwidgets.calculators.choice._stress import Chosen
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import checked_text, described, load_json

PROGRAM, FORMAT = "dpwidgets decision record", 2
#: How many goals a record may have, and how many bytes the JSON that is read.
MOST_GOALS, LARGEST = 20, 1_000_000
#: What a record says of an ε that was chosen with secret data.
NOT_FOR_PUBLISHING = "depends on your data: not for publishing"


@dataclass(frozen=True, kw_only=True, repr=False)
class Record:
    """A decision about ε, to take away. `record` makes one, `Record.load` reads one.

    What `record` makes or `load` reads can be written as JSON, read back the same, and shown.

    Parameters
    ----------
    case : Case
        What is published, and how.
    epsilon : float or None
        The chosen ε of one release. None where nothing is published, and in a public version.
    goals : tuple of Goal
        What it was chosen for, without their data: at most 20 goals.
    about, whom, attacker, reasons, rejected, names, date, review : str
        What is published, about whom, who the attacker is taken to be, why this ε, what was
        rejected and why, who decided, when, and when it is looked at again: at most 10,000
        characters each. Nothing is filled in for you.
    left_out : bool
        Whether it is a public version, in which ε and the goals about data are left out.
    version : str
        The version of dpwidgets that made the record.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.
    """

    case: Case
    epsilon: float | None
    goals: tuple[Goal, ...]
    about: str = ""
    whom: str = ""
    attacker: str = ""
    reasons: str = ""
    rejected: str = ""
    names: str = ""
    date: str = ""
    review: str = ""
    left_out: bool = False
    version: str = __version__

    def __post_init__(self) -> None:
        for name in (*WORDS, "version"):
            checked_text(name, getattr(self, name))
        if not isinstance(self.left_out, bool):
            raise TypeError(f"left_out must be true or false; got {described(self.left_out)}")
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", EPSILON.check_one("epsilon", self.epsilon))
        goals = checked(self.case, self.goals)
        if len(goals) > MOST_GOALS:
            raise ValueError(f"goals must be at most {MOST_GOALS}")
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
    def _title(self) -> str:
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

    def public(self) -> Record:
        """Return the version for publishing: without what depends on secret data.

        With a goal about data, that goal, ε and all that follows from ε are left out, always. So it
        is the same for every column: whether ε is printed tells nothing. Without such a goal it is
        the record itself.
        """
        if not self.from_data:
            return self
        goals = tuple(goal for goal in self.goals if not goal.from_data)
        return replace(self, goals=goals, epsilon=None, left_out=True)

    def json(self) -> str:
        """Write the record as JSON, for `load`."""
        content: dict[str, Any] = {"program": PROGRAM, "format": FORMAT}
        content |= {"warning": NOT_FOR_PUBLISHING} if self.from_data else {}
        content |= {field.name: getattr(self, field.name) for field in fields(self)}
        content["case"] = self.case.to_dict()
        content["goals"] = [goal.to_dict() for goal in self.goals]
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)

    def markdown(self) -> str:
        """Write the record as Markdown, for people. What users typed is escaped."""
        said = {name: getattr(self, name) for name in WORDS}
        tables = sections(self.chosen, said, left_out=self.left_out)
        footer = f"Made with dpwidgets {self.version}"
        if self.version != __version__:
            footer += f"; its numbers are computed by dpwidgets {__version__}"
        title = f"Decision record: {self._title}"
        return _page.markdown(title, self.verdict, tables, footer)

    def html(self) -> str:
        """Write the same as a page that prints on A4, and needs no network."""
        return _page.html(self.markdown())

    def __repr__(self) -> str:
        return f"Decision record: {self._title}. {self.verdict}"

    def _repr_html_(self) -> str:
        """Show the printed page in a notebook, in a frame of its own."""
        sheet = escape(self.html())
        size = 'width="100%" height="1120"'
        return f'<iframe srcdoc="{sheet}" title="Decision record" {size}></iframe>'

    def save(self, path: str | Path) -> Path:
        """Write the record to a file: .md, .html or .json, as its name ends.

        Raises
        ------
        ValueError
            If it ends with none of these.
        """
        path = Path(path)
        writers = {".md": self.markdown, ".html": self.html, ".json": self.json}
        if path.suffix not in writers:
            raise ValueError(f"path must end with .md, .html or .json; got {path.name!r}")
        path.write_text(writers[path.suffix](), encoding="utf-8")
        return path

    @classmethod
    def load(cls, source: str | bytes | Path) -> Record:
        """Read a record from its JSON, or from a file of it.

        Parameters
        ----------
        source : str, bytes or Path
            The JSON as text that begins with a brace or as bytes, or a file's path.

        Returns
        -------
        Record
            The record. What its pages say is computed again.

        Raises
        ------
        ValueError
            If it is no JSON, has more than a million bytes, comes from another program or from a
            version with another format, or is damaged: it lacks something, or claims more.
        OSError
            If there is no such file.
        """
        try:
            content = load_json(_written(source), LARGEST)  # of text, so many characters at most
        except ValueError as error:
            raise ValueError(
                f"a record is JSON, as .json() or .save() wrote it; this is not: {error}"
            ) from None
        if not isinstance(content, dict) or content.get("program") != PROGRAM:
            raise ValueError(
                "this JSON comes from another program: it is no decision record of dpwidgets"
            )
        if content.get("format") != FORMAT:
            raise ValueError(
                f"this record has format {described(content.get('format'))}; "
                f"dpwidgets {__version__} reads format {FORMAT}"
            )
        try:
            return _from_json(content)
        except (TypeError, ValueError) as error:
            raise ValueError(f"the record is damaged: {error}") from None


def record(case: Case, goals: Iterable[Goal], epsilon: float | None, **words: Any) -> Record:
    """Record a decision about ε, or that nothing is published.

    Parameters
    ----------
    case : Case
        What is published, and how.
    goals : iterable of Goal
        What it was chosen for, at most 20 goals.
    epsilon : float or None
        The chosen ε of one release, from 1e-8 to 1000; None where nothing is published.
    **words : str
        What only people can say: the fields `WORDS` of `Record`.

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


def _written(source: str | bytes | Path) -> str | bytes:
    """Return the JSON itself, or a file's, and no more of it than tells that it is too large."""
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip().startswith("{")):
        return source
    with Path(source).open("rb") as file:
        return file.read(LARGEST + 1)


def _from_json(content: dict[str, Any]) -> Record:
    """Make the record that JSON holds, or raise an error that says what is wrong with it."""
    read = {name: content[name] for name in content if name not in ("program", "format", "warning")}
    names = {field.name for field in fields(Record)}
    for wrong, what in ((names - read.keys(), "missing"), (read.keys() - names, "unknown")):
        if wrong:
            raise ValueError(f"{', '.join(sorted(map(described, wrong)))} is {what}")
    if not isinstance(read["goals"], list):
        raise TypeError(f"goals must be a list; got {described(read['goals'])}")
    read["case"] = Case.from_dict(read["case"])
    read["goals"] = tuple(map(Goal.from_dict, read["goals"]))
    return Record(**read)
