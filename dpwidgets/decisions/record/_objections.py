"""What a hearing asks of a record, by its own numbers, and which of its rows answer."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from dpwidgets.decisions.case import failing
from dpwidgets.decisions.goals import MEMBERS, UNTOLD, BeliefGoal, Promise, Row
from dpwidgets.decisions.record._accuracy import left_out
from dpwidgets.decisions.record._record import WORDS, Record
from dpwidgets.inputs.domain import DomainError

#: The ρ of a partner's releases, of which nobody may have thought.
PARTNER = 0.01
#: The δ at which their ε is read where the record has none.
_DELTA = 1e-6
#: Words that say where in a range a number lies. What only may be such a word
#: counts as one.
_PLACE = re.compile(
    r"middle|half-?way|\bnear|close to|most (private|precise)|upper|lower|range|ε|epsilon"
    r"|largest|smallest|least|maxim|minim|\bends? of",
    re.IGNORECASE,
)
#: A number with its sign for hundredths, and what stands between thousands.
_NUMBER = re.compile(r"([\d.,]*\d(?:[eE][-+]?\d+)?)\s?(%?)")
_BETWEEN = re.compile(r"(?<=\d)[\s'’](?=\d{3}(?!\d))")


class Objection(NamedTuple):
    """What is asked of a record at a hearing.

    Attributes
    ----------
    asked : str
        The question.
    row : str
        The row of the record that speaks of it, in words; nothing where none
        does.
    holds : bool
        Whether what was promised holds by what that row says.
    way : str
        What else meets the objection.
    """

    asked: str
    row: str
    holds: bool
    way: str

    @property
    def answer(self) -> str:
        """The row that answers it, or nothing."""
        return self.row if self.holds else ""


def objections(record: Record) -> tuple[Objection, ...]:
    """Raise the objections to a record that can be computed from it.

    What becomes of a promise next year, for who is half sure already, for a
    household, and beside a partner's releases; what stands there without noise;
    what was cut off before it; how bad it may be where δ is used up; and
    whether words give an ε away that depends on data. Of each kind one is
    raised: about the first promise that does not hold then, if there is any.

    Parameters
    ----------
    record : Record
        A record of a case or a plan.

    Returns
    -------
    tuple of Objection
        The objections; none where nothing is published, or ε is left out.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.goals import BeliefGoal
    >>> from dpwidgets.decisions.record import of_case
    >>> case = Case(published="count", releases=4, prior=0.2)
    >>> goal = BeliefGoal(0.5)
    >>> next_year, *_ = objections(of_case(case, [goal], 0.1))
    >>> next_year.answer
    'belief · 2 more · from 20% to at most 35.8% · from 20% to at most 45.4% · from 20% to at most
    64.9%'
    >>> next_year, *_ = objections(of_case(case, [goal], 0.2))
    >>> next_year.answer
    ''
    """
    if record.noise is None:
        return ()
    read = _Read(record, record.noise)
    raised: list[Objection] = []
    for kind in (
        read.next_year(),
        read.half_sure(),
        read.household(),
        read.beside_others(),
        read.without_noise(),
        read.cut_off(),
        read.without_delta(),
        read.given_away(),
    ):
        # What does not hold comes first.
        raised += sorted(kind, key=lambda objection: objection.holds)[:1]
    return tuple(raised)


def in_words(row: Row) -> str:
    """Return a row of a record as a text.

    Examples
    --------
    >>> in_words(("a prior of 50%", "–", "✗ from 50% to at most 90%"))
    'a prior of 50% · ✗ from 50% to at most 90%'
    """
    return " · ".join(cell for cell in row if cell not in ("", "–"))


class _Read:
    """A record as a hearing reads it: each method yields the objections of one kind."""

    def __init__(self, record: Record, noise: float) -> None:
        self.record = record
        self.whole = record.whole
        self.noise = noise
        self.tables = record.all_tables
        self.promises: list[Promise[Any]] = [
            goal for goal in record.goals if isinstance(goal, Promise)
        ]

    def row(self, title: str, words: str) -> Row:
        """Return the first row with these words in a table whose title begins so; else none."""
        for table in self.tables:
            for row in table.rows:
                if table.title.startswith(title) and words in in_words(row):
                    return row
        return ()

    def next_year(self) -> Iterator[Objection]:
        for one in self.record.lasting:
            yield Objection(
                "Next year the same is published again. Does it hold for all of it: "
                f"“{one.goal.sentence(self.whole)}”",
                in_words(one.row),
                one.more > 0,
                "more noise, a promise with another number, or none",
            )

    def half_sure(self) -> Iterator[Objection]:
        if (self.whole.prior or 1.0) < 0.5:
            yield from self.otherwise(
                "a prior of 50%",
                BeliefGoal,
                "Somebody takes it to be as likely as not already. How sure do they become, and "
                "does it hold for them: ",
                "a prior of 50% in the decision, or no such promise",
            )

    def household(self) -> Iterator[Objection]:
        members = max(MEMBERS, self.whole.household)
        if members == self.whole.household:
            return
        try:
            replace(self.whole, household=members)
        except DomainError:  # so many there are not
            return
        yield from self.otherwise(
            f"{members:,} people with dependent records",
            Promise,
            f"{members:,} people live together, and what is true of one is true of all. Does it "
            "hold for them: ",
            f"a promise for a household of {members:,}, or none",
        )

    def otherwise(
        self, name: str, kind: Any, asked: str, way: str
    ) -> Iterator[Objection]:
        """Yield what becomes of promises where something turns out otherwise."""
        row = in_words(self.row("If it turns out otherwise", name))
        outcomes = (UNTOLD,) * len(self.record.goals)
        for one in self.record.stress:
            if one.name == name:
                outcomes = one.outcomes
        for goal, outcome in zip(self.record.goals, outcomes, strict=True):
            if isinstance(goal, kind) and outcome.said:
                yield Objection(
                    f"{asked}“{goal.sentence(self.whole)}”",
                    row,
                    outcome.met,
                    way,
                )

    def beside_others(self) -> Iterator[Objection]:
        # Earlier records may be its own.
        if self.whole.used_by_others:
            yield Objection(
                "Others publish about the same people. Where is that counted?",
                in_words(self.row("", self.whole.used_up)),
                True,
                "",
            )
            return
        with_partner = replace(
            self.whole,
            delta=self.whole.delta or _DELTA,
            used_rho=PARTNER,
            used_by="a partner",
        )
        for goal in self.promises:
            if not goal.from_data:
                # Of a ρ no ε follows that is never exceeded.
                same = goal.excepting(with_partner) == goal.excepting(
                    self.whole
                )
                yield Objection(
                    f"A partner publishes about the same people, with ρ = {PARTNER}. Does it hold "
                    f"for all of it: “{goal.sentence(self.whole)}”",
                    in_words(
                        self.row("What is not promised", "Other publications")
                    ),
                    same and goal.met(with_partner, self.noise),
                    "their ρ counted in the decision, or none",
                )

    def without_noise(self) -> Iterator[Objection]:
        called = WORDS["unprotected"]
        yield Objection(
            "What is published beside these numbers without any noise?",
            in_words(self.row("What is published", f"{called} · ")),
            bool(self.record.unprotected.strip()),
            f"words in the field “{called}”",
        )

    def cut_off(self) -> Iterator[Objection]:
        for case in self.whole.cases:
            for sentence in left_out(case):
                yield Objection(
                    "Something was cut off before there was any noise, and readers take the "
                    "numbers for the truth. Where is it said?",
                    sentence,
                    True,
                    "",
                )

    def without_delta(self) -> Iterator[Objection]:
        sentence = failing(self.whole, self.noise)
        excepted = [goal.excepting(self.whole) for goal in self.promises]
        if sentence and any(excepted):
            yield Objection(
                "It is promised but for a small probability. How bad may it be then?",
                sentence,
                "never above" in sentence,
                "releases with a worst case, or a promise of ρ alone",
            )

    def given_away(self) -> Iterator[Objection]:
        if not self.record.from_data:
            return
        telling = []
        for name, said in self.record.said.items():
            if self.tells(said):
                telling.append(f"“{WORDS[name]}”")
        yield Objection(
            "This ε depends on secret data, and the public version leaves it out. Do words that "
            "people entered say where it lies?",
            in_words(self.row("Why", "before you publish · ")),
            not telling,
            f"other words in the field {' and '.join(telling)}",
        )

    def tells(self, said: str) -> bool:
        """Tell whether words may say where ε lies: by a word for a place, or by its number."""
        numbers = [*_numbers(said)]
        near = False
        for secret in (self.record.number or 0.0, self.noise):
            near |= any(abs(one - secret) <= secret / 20 for one in numbers)
        return near or bool(_PLACE.search(said))


def _numbers(said: str) -> Iterator[float]:
    """Yield all that the numbers in a text may mean: 1,400 is a thousand and more, or 1.4.

    Examples
    --------
    >>> [*_numbers("1,400, or .5 for 140 %")]
    [1400.0, 1.4, 0.5, 5.0, 140.0, 1.4, 140.0, 1.4]
    """
    for written, percent in _NUMBER.findall(_BETWEEN.sub("", said)):
        for thousands, point in (",.", ".,"):
            plain = written.replace(thousands, "").replace(point, ".")
            with suppress(ValueError):  # as in 1.2.3
                yield float(plain)
                if percent:
                    yield float(plain) / 100
