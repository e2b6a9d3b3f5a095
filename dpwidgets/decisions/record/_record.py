"""What every decision record has: words of people, pages, and files."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from secrets import token_hex
from typing import Any, Self

from dpwidgets import __version__
from dpwidgets.calculators.noise import DIGITS
from dpwidgets.decisions.case import (
    Earlier,
    Limits,
    checked_id,
    of_neighbours,
)
from dpwidgets.decisions.goals import (
    NOT_FOR_PUBLISHING,
    Decision,
    Goal,
    Promise,
    Row,
    Table,
    otherwise,
)
from dpwidgets.decisions.record import _page
from dpwidgets.decisions.record._facts import facts, unpromised
from dpwidgets.decisions.record._file import Filed, Place, unread
from dpwidgets.decisions.record._label import Label
from dpwidgets.decisions.record._opendp import program
from dpwidgets.decisions.record._page import UNSAID, Page
from dpwidgets.inputs.domain import DomainError, must_be, one_of
from dpwidgets.inputs.outside import check_keywords, checked_text

#: What to know when writing `reasons` for a number that depends on secret
#: data.
NO_PLACE = (
    "The public version prints why this ε was chosen, in these words, and leaves ε out: do not "
    "say where in the range it lies."
)
#: Of the words of people, those that stand beside what they are about.
_ELSEWHERE = ("unprotected", "reasons", "rejected")


def _open(called: str) -> Any:
    """Declare a text that only people can say, and how a page calls it."""
    return field(default="", metadata={"called": called})


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(Filed, Decision[Any, Any]):
    """A decision to take away: pages for people, and JSON for programs.

    Parameters
    ----------
    left_out : bool
        Whether it is a public version, in which the number and the goals about
        data are left out.
    about, use, whom, region, period, unprotected, processing : str
        What is published, what for, about whom, where and for which period,
        such as a year; what is published
        beside it without noise, and what is done to it after the noise.
    attacker, reasons, rejected : str
        Who the attacker is taken to be, why this ε, what was rejected and why.
    curator, trusted, library, names, date, review : str
        Who publishes, who sees the data as they are, which program adds the
        noise, who decided, when, and when it is looked at again. Each of these
        texts has at most 10,000 characters. Nothing is filled in for you.
    version : str
        The version of dpwidgets that made it.
    id : str
        Which record it is. A copy of it has the same id, and the same decision
        recorded twice has two. Records are equal where they say the same.
    as_read : str
        What to know of how its file was read, where that said something
        otherwise than this version does.
    unknown : tuple of (tuple, str)
        What the file that it was read from says and this version does not
        know: where it stood, and its JSON.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.
    """

    about: str = _open("what is published")
    use: str = _open("what it is for")
    whom: str = _open("about whom")
    region: str = _open("which region")
    period: str = _open("for which period")
    unprotected: str = _open("published without noise")
    processing: str = _open("done to it after the noise")
    attacker: str = _open("the attacker")
    reasons: str = _open("why this ε")
    rejected: str = _open("what was rejected, and why")
    curator: str = _open("who publishes")
    trusted: str = _open("who sees the data")
    library: str = _open("which program adds the noise")
    names: str = _open("who decided")
    date: str = _open("when")
    review: str = _open("looked at again")
    version: str = __version__
    id: str = field(default_factory=partial(token_hex, 5), compare=False)
    left_out: bool = False
    as_read: str = ""
    unknown: tuple[tuple[Place, str], ...] = field(
        default=(), metadata={"elsewhere": True}
    )

    def __post_init__(self) -> None:
        for name in (*WORDS, "version", "as_read"):
            checked_text(name, getattr(self, name))
        checked_id(self.id)
        if self.id in {earlier.id for earlier in self.whole.before}:
            raise must_be("id", "another than those of the records before it")
        one_of("left_out", self.left_out, (True, False))
        super().__post_init__()
        if any(getattr(goal, "worlds", None) for goal in self.goals):
            raise ValueError("goals must be without their data")
        if self.left_out and (self.from_data or self.number is not None):
            raise ValueError(
                "a public version must hold no goal that depends on data, and no ε"
            )

    @classmethod
    def of(cls, decision: Decision[Any, Any], **words: Any) -> Self:
        """Record a decision, without any data."""
        check_keywords("record", words, (*WORDS, "version"))
        whole = decision.whole
        kept = [
            goal.without_data(whole, decision.noise) for goal in decision.goals
        ]
        return cls(whole, tuple(kept), decision.number, **words)

    @property
    def said(self) -> dict[str, str]:
        """What people said, under each of `WORDS`."""
        return {name: getattr(self, name) for name in WORDS}

    @property
    @abstractmethod
    def title(self) -> str:
        """The decision in a few words."""

    @property
    @abstractmethod
    def tables(self) -> list[Table]:
        """What its pages say between what people said and what becomes of it otherwise."""

    @property
    def verdict(self) -> str:
        """Whether it may be published, and if not why: the first line of every page."""
        if self.left_out:
            return (
                "For publishing: the version without what depends on secret data. The goals about "
                "the data are left out, and so are ε and all that follows from it, whatever the "
                "data are. What people entered stands as they entered it."
            )
        refused = "Nothing is published. " if self.refused else ""
        if self.from_data:
            secret = "A goal looks at the secret column. The public version leaves it out."
            return f"{refused}This record {NOT_FOR_PUBLISHING}. {secret}"
        public = "if all that people entered is public"
        nothing = "nothing else in it was computed from secret data"
        return f"{refused}This record may be published {public}: {nothing}."

    @property
    def refused(self) -> bool:
        """Whether nothing is published; a public version does not say it."""
        return self.number is None and not self.left_out

    def public(self) -> Self:
        """Return the version for publishing: without what depends on secret data.

        With a goal about data, that goal, ε and all that follows from ε are
        left out, always. So it is the same for every column: whether ε is
        printed tells nothing. Without such a goal it is the record itself.
        """
        if not self.from_data:
            return self
        goals = tuple(goal for goal in self.goals if not goal.from_data)
        return replace(
            self,
            goals=goals,
            number=None,
            left_out=True,
            as_read="",
            unknown=(),
        )

    def earlier(self) -> tuple[Earlier, ...]:
        """Return what it counts as before another decision: what it publishes, behind its own.

        Raises
        ------
        ValueError
            If its ε depends on secret data, or is left out.
        """
        if self.from_data or self.left_out:
            raise must_be(
                "before",
                f"records with an ε for everybody; this one {NOT_FOR_PUBLISHING}",
            )
        whole: Limits = self.whole
        before = [of_neighbours(one, whole.neighbours) for one in whole.before]
        if self.noise is not None:
            before.append(self.itself())
        return tuple(before)

    def itself(self) -> Earlier:
        """Return what it counts as, without what counts before it."""
        # What earlier versions drew had not been rounded.
        scales = self._scales(17 if self.as_read else DIGITS)
        cases = [case.by_itself() for case in self.whole.cases]
        return Earlier(
            id=self.id,
            about=self.about,
            period=self.period,
            date=self.date,
            published=tuple(zip(cases, scales, strict=True)),
        )

    @abstractmethod
    def _scales(self, digits: int) -> Sequence[float]:
        """Return the scale of each statistic's noise, rounded to so many digits.

        Where the number is left out, it is that of 1: then it only makes an id.
        """

    def rows_said(self, *names: str) -> list[Row]:
        """Return a row for each of these words that people said, and how it is called."""
        said = self.said
        return [
            (WORDS[name], said[name]) for name in names if said[name].strip()
        ]

    @property
    def unsaid(self) -> list[str]:
        """How a page calls what nobody has said."""
        said = self.said
        return [WORDS[name] for name in WORDS if not said[name].strip()]

    @cached_property
    def facts(self) -> Mapping[str, Sequence[str]]:
        """What there is to know of each statistic, under each name of a fact."""
        return facts(self.whole, self.noise)

    @property
    def unhidden(self) -> str:
        """What stands there without noise: what follows from the case, and what people said."""
        known = "; ".join(self.facts["known"])
        said = self.unprotected.strip()
        if known and said:
            return f"{known}; besides: {said}"
        return known or said

    def _published(self, *first: Row) -> Table:
        """Return the table of what is published, with what stands beside it and before it."""
        rows = list(first)
        for name in ("by size", "added up"):
            if self.facts[name]:
                rows.append((name, *self.facts[name]))
        if self.whole.before:
            before = self.whole.past.rows(self.whole.delta)
            rows.append(("used up before, about each person", *before))
        if self.unhidden:
            rows.append((WORDS["unprotected"], self.unhidden))
        return Table("What is published", (), rows)

    def _why(self, allowed: Sequence[Row]) -> Table:
        rows = self.rows_said("reasons")
        if self.from_data:
            rows.append(("before you publish", NO_PLACE))
        rows += [*allowed, *self.rows_said("rejected")]
        if self.unsaid:
            rows.append((UNSAID, "; ".join(self.unsaid)))
        return Table("Why", (), rows)

    @property
    def _goals(self) -> Table:
        """What shall be true, and where there is noise, what that gives."""
        rows: list[Row] = []
        for place, goal in enumerate(self.goals):
            kind = "promise" if isinstance(goal, Promise) else "precision"
            row: Row = (kind, goal.sentence(self.whole))
            if self.noise is not None:
                met = "yes" if self.met[place] else "NO"
                row += (self._given(goal, self.noise), met)
            rows.append(row)
        header = ("", "goal", "what this noise gives", "met")
        rows = rows or [("", "none was set")]
        return Table("What shall be true", header[: len(rows[0])], rows)

    def _given(self, goal: Goal[Any], noise: float) -> str:
        """Say what the noise makes of a goal's number, or why that cannot be said."""
        try:
            return goal.achieved(self.whole, noise)
        except DomainError as error:  # as a belief without a prior
            return f"cannot be said: {error}"

    @property
    def all_tables(self) -> list[Table]:
        """All that the record says, in its order; last, what becomes of it, and what it is not."""
        others = [name for name in WORDS if name not in _ELSEWHERE]
        said = Table("What people say", (), self.rows_said(*others))
        tried = otherwise(self.stress, self.goals, self.lasting)
        return [said, *self.tables, tried, self.unpromised]

    @property
    def unpromised(self) -> Table:
        file = unread(self.as_read, self.unknown)
        return unpromised(self.whole, self.noise, self.unprotected, *file)

    @property
    def _first(self) -> str:
        """What stands first on each page: whether goals are met, and may this be published."""
        return f"{self.outcome} {self.verdict}".strip()

    def _foot(self, named: bool) -> str:
        """By which version it was made, and its numbers computed; and which record it is."""
        made = f"Made with dpwidgets {self.version}"
        if self.version != __version__:
            made += f"; its numbers are computed by dpwidgets {__version__}"
        return f"{made}. This is record {self.id}" if named else made

    def markdown(self, *more: Table, named: bool = False) -> str:
        """Write it as Markdown, for people. What users typed is escaped.

        Parameters
        ----------
        *more : Table
            What stands before its own tables.
        named : bool
            Whether its foot says which record it is.
        """
        title = f"Decision record: {self.title}"
        tables = [*more, *self.all_tables]
        return _page.markdown(title, self._first, tables, self._foot(named))

    def html(self, *more: Table, named: bool = False) -> Page:
        """Write the same as a page that prints on A4, and needs no network."""
        sections = map(_page.section, [*more, *self.all_tables])
        kind, foot = "Decision record", self._foot(named)
        return _page.html(kind, self.title, self._first, sections, foot)

    def label(self) -> Page:
        """Write its public version as a privacy label: a page for the people in the data.

        What it means for them stands first, the odds with and without their
        data as pictures of a hundred people, and what experts ask for last;
        what nobody has said stands in one row.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> from dpwidgets.decisions.record import of_case
        >>> made = of_case(Case(published="count"), [], 0.2)
        >>> "at most 55 of 100" in made.label()
        True
        """
        return Label(record=self.public(), called=WORDS).html()

    def code(self) -> str:
        """Write a program that publishes each statistic once, with OpenDP.

        Returns
        -------
        str
            Python code, into which the data are to be put. It prints the
            guarantee that OpenDP gives, which is never less than what is true.

        Raises
        ------
        ValueError
            If nothing is published.
        """
        if self.noise is None:
            raise ValueError(
                "a program needs noise; this record publishes nothing"
            )
        return program(self.whole.named(self.noise))

    def __repr__(self) -> str:
        return f"Decision record: {self.title}. {self.verdict}"

    def _repr_html_(self) -> str:
        """Show the printed page in a notebook, in a frame of its own."""
        return self.html()._repr_html_()


#: What only people can say, and how a page calls it.
WORDS: dict[str, str] = {
    field.name: field.metadata["called"]
    for field in fields(Record)
    if "called" in field.metadata
}
