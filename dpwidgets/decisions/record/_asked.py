"""What a hearing asks of every record about what is published, and what to set beside its end."""

from dataclasses import replace
from typing import NamedTuple

from dpwidgets.decisions.goals import BeliefGoal, Row, Table, together
from dpwidgets.decisions.record._record import WORDS, Record
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import several

#: It is only read what its number becomes: a limit below all of these beliefs is never written.
_BELIEF = BeliefGoal(0.01)


class Question(NamedTuple):
    """What is asked of a record.

    Attributes
    ----------
    asked : str
        The question.
    way : str
        What lets a record say it that is silent.
    """

    asked: str
    way: str


def _field(name: str) -> str:
    return f"Fill the field “{WORDS[name]}”"


#: What is asked of every record, whatever it promises. Whether a row answers
#: is for people to judge.
QUESTIONS = (
    Question(
        "What does the worst answer tell of one person?",
        "Give a belief before, and promise how high it may rise: goal “belief”.",
    ),
    Question(
        "How often is a guess right then?",
        "Give a belief before, or promise how often a guess may be right: goal “success”.",
    ),
    Question(
        "And of somebody who was half sure already?",
        "Promise something about beliefs: then other beliefs before are tried, one half too.",
    ),
    Question(
        "And of a household, where what is true of one is true of all?",
        "Promise anything: then a household of four, or of all, is tried. Or set the household.",
    ),
    Question(
        "What will it be next year, and in five years?",
        "Promise anything: then it is tried what comes of the same next year and later. If it is "
        f"published once only, say so. {_field('period')}.",
    ),
    Question(
        "What came before, and what do others publish about the same people?",
        "Count what is known of it as what came before; it takes noise. What nobody knows "
        f"can be said in words. {_field('attacker')}.",
    ),
    Question("What stands there without noise?", f"{_field('unprotected')}."),
    Question(
        "Is there an exception, and how bad is it?",
        "With a δ of 0 and Laplace noise there is none, and ε says all. Of what is known by ρ "
        "alone nobody can say how bad it may be.",
    ),
    Question(
        "Why this ε? Read your reason as a stranger does.",
        f"{_field('reasons')}. Where a goal looks at secret data, read it beside the range that "
        "everybody can compute.",
    ),
)


def for_strangers(record: Record) -> Table:
    """Return what readers of a public version know of an ε that it leaves out; else no rows.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.record import of_case
    >>> for_strangers(of_case(Case(published="count"), [], 0.2)).rows
    []
    """
    public = record.public()
    rows: list[Row] = []
    if public.left_out:
        allowed = public.choice.sentence if public.goals else "any noise"
        rows = public.rows_said("reasons", "rejected")
        rows.append(("the goals that stand there allow", allowed))
    return Table("What a reader of the public version has", (), rows)


def for_patients(record: Record) -> Table:
    """Return how far a belief about one person may rise, whatever was promised.

    Parameters
    ----------
    record : Record
        A record of a case or a plan.

    Returns
    -------
    Table
        A row for who believed 20% before, for one half, for people who live
        together, and for next year; no rows where the record has no noise.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.record import of_case
    >>> for row in for_patients(of_case(Case(published="count"), [], 0.2)).rows:
    ...     print(*row, sep=": ")
    who believes it at 20%: from 20% to at most 23.4%
    who believes it at 50%: from 50% to at most 55%
    4 people of whom the same is true: from 20% to at most 35.8%
    the same once more, next year: from 20% to at most 27.2%
    """
    title = "What follows for one person, whatever was promised"
    whole, noise = record.whole, record.noise
    if noise is None:
        return Table(title, (), [])
    members = together(whole).household
    tried = (
        ("who believes it at 20%", 0.2, 1, 1),
        ("who believes it at 50%", 0.5, 1, 1),
        (
            f"{several(members, 'person', 'people')} of whom the same is true",
            0.2,
            members,
            1,
        ),
        ("the same once more, next year", 0.2, 1, 2),
    )
    rows: list[Row] = []
    for who, prior, household, times in tried:
        try:
            changed = replace(whole, prior=prior, household=household)
            again = changed.repeated(times)
            said = _BELIEF.achieved(again, noise) + _BELIEF.condition(again)
        except DomainError as error:  # as more than any law counts
            said = f"cannot be said: {error}"
        rows.append((who, said))
    return Table(title, (), rows)


def in_words(table: Table, row: Row) -> str:
    """Return a row with the heading of its table, and with those of its columns.

    Examples
    --------
    >>> table = Table("If it turns out otherwise", ("", "belief", "budget"), [])
    >>> in_words(table, ("a prior of 50%", "✗ from 50% to at most 90%", "–"))
    'If it turns out otherwise: a prior of 50% · belief: ✗ from 50% to at most 90% · budget: –'
    """
    heads = [*table.header, *[""] * len(row)]
    cells = []
    for head, cell in zip(heads, row, strict=False):
        if cell:
            cells.append(f"{head}: {cell}" if head else cell)
    return f"{table.title}: {' · '.join(cells)}"
