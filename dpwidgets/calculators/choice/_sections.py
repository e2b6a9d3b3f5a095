"""What a decision record says, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dpwidgets.calculators.case import ALL, ONE, Case, Limits
from dpwidgets.calculators.choice._choice import Choice
from dpwidgets.calculators.choice._page import OPEN, Table
from dpwidgets.calculators.choice._protection import Promise
from dpwidgets.calculators.choice._sheet import WORDS
from dpwidgets.calculators.choice._stress import Chosen, Stress
from dpwidgets.calculators.meanings import GETS, portrait
from dpwidgets.inputs.notation import percent, show


def sections(chosen: Chosen, said: Mapping[str, str], *, left_out: bool) -> list[Table]:
    """Return all that a page says, as tables.

    Parameters
    ----------
    chosen : Chosen
        The case, its goals and the ε, or none where nothing is published.
    said : mapping
        What people said, under each name of `WORDS`.
    left_out : bool
        Whether what follows from ε is left out.
    """
    published = people_said(said, "about", "use", "whom", "region")
    published += _facts(chosen) + people_said(said, "unprotected", "processing", "attacker")
    if chosen.case.prior is not None:
        published.append(("believed before", percent(chosen.case.prior)))
    made = [Table("What is published", (), published), _goals(chosen)]
    if chosen.epsilon is not None:
        meanings = portrait(chosen.epsilon, **chosen.case.to_dict()).rows
        for who in GETS:
            rows = [
                (one.meaning.name, one.meaning.sentence_with(one.value))
                for one in meanings
                if one.meaning.gets == who
            ]
            made.append(Table(f"What the noise means: {who}", (), rows))
    made.append(Table("Why", (), _reasons(chosen, said, left_out=left_out)))
    title = "If it turns out otherwise, with the same noise (✗: the goal is not met)"
    header = ("", *(goal.kind for goal in chosen.goals))
    made.append(Table(title, header, [_otherwise(row) for row in chosen.stress[1:]]))
    made.append(Table("What is not promised", (), [(one,) for one in _not_promised(chosen)]))
    made.append(answers(said))
    return [table for table in made if table.rows]


def people_said(said: Mapping[str, str], *names: str) -> list[tuple[str, str]]:
    """Return a row for each of these words: how it is called, and what was said."""
    return [(WORDS[name], said[name] or OPEN) for name in names]


def answers(said: Mapping[str, str]) -> Table:
    """Return the table of who answers for a decision."""
    names = ("curator", "trusted", "library", "names", "date", "review")
    return Table("Who answers for it", (), people_said(said, *names))


def _goals(chosen: Chosen) -> Table:
    title, header = "What shall be true", ("", "goal", "what this noise gives", "met")
    rows = []
    for place, goal in enumerate(chosen.goals):
        row = ["promise" if goal.promise else "precision", goal.sentence(chosen.case)]
        if chosen.epsilon is not None:
            alone = Choice(chosen.case, (goal,))
            row += [alone.buys(chosen.epsilon), "yes" if chosen.met[place] else "NO"]
        rows.append(tuple(row))
    rows = rows or [("", "none was set")]
    return Table(title, header[: len(rows[0])], rows)


def _otherwise(row: Stress) -> tuple[str, ...]:
    marks = [("" if one.kept else "✗ ") + (one.said or "–") for one in row.outcomes]
    return (row.name, *marks)


def _facts(chosen: Chosen) -> list[tuple[str, str]]:
    case = chosen.case
    facts = [("in numbers", case.what), ("neighbours", case.step)]
    if chosen.epsilon is not None:
        facts += _noise(chosen.choice, chosen.epsilon)
    return facts + [("a warning", warning) for warning in case.warnings]


def _noise(choice: Choice, epsilon: float) -> list[tuple[str, str]]:
    case = choice.case
    scale = case.scale(epsilon)
    off = case.measured(case.error(scale), up=True)
    _, one, noise = choice.beside(epsilon, 6)
    delta = f", δ = {show(case.delta)}" if case.delta_of(ONE) else ""
    several = f"{case.releases:,} release{'s' if case.releases > 1 else ''} about the same people"
    total = f"ε = {show(case.total(scale), 4, up=True)}{case.at(ALL).replace('and', 'at')}"
    if case.used or case.used_delta:
        named = f" and δ = {show(case.used_delta)}" if case.used_delta else ""
        total += f"; others have used up ε = {show(case.used)}{named} of it"
    return [
        (
            "noise",
            f"{case.mechanism} noise of scale {noise} in each release: off by {off} on average",
        ),
        ("ε of one release", f"{one} for Δf = {show(case.sensitivity, 4)}{delta}"),
        ("in all", f"{several}: {total}"),
    ]


def _reasons(chosen: Chosen, said: Mapping[str, str], *, left_out: bool) -> list[tuple[str, str]]:
    choice, epsilon = chosen.choice, chosen.epsilon
    rows = people_said(said, "reasons")
    if choice.goals and not left_out:
        if choice.feasible.empty:
            rows.append(("the goals allow", "nothing: no noise meets them all"))
            rows += [("what stands against it", one) for one in dict.fromkeys(choice.obstacles)]
        else:
            allowed = choice.sentence if epsilon is None else choice.beside(epsilon, 6)[0]
            rows.append(("the goals allow", allowed))
        rows += [
            (f"{one.name}, ε = {show(one.epsilon)}", one.buys) for one in choice.options if one.buys
        ]
    return rows + people_said(said, "rejected")


def unpromised(people: Limits) -> Iterable[str]:
    """Yield what no promise to these people takes in."""
    if people.household == 1:
        yield "Each promise is for one person whose record does not depend on others’."
    else:
        yield (
            f"No promise is for more than {people.household:,} people whose records depend on each "
            "other, and those without these words are for one."
        )
    yield "Other publications about the same people, not counted here, may tell more."
    yield "What is true of people in general is learned about everybody, in the data or not."
    yield (
        "Noise drawn naively with floating-point numbers may betray the truth in its last digits: "
        "it takes a program that is made for this."
    )
    if people.delta_of(ALL):
        yield (
            f"Where δ = {show(people.delta)} is named, a probability may exceed what ε allows by "
            "up to δ."
        )


def clipped(case: Case) -> Iterable[str]:
    """Yield that values of a sum or a mean are clipped."""
    if not case.counts:
        low, high = map(show, case.ends)
        yield (
            f"Values outside {low} to {high} {case.unit} count as the nearer end; “the truth” is "
            f"the {case.published} of these clipped values."
        )


def _not_promised(chosen: Chosen) -> Iterable[str]:
    if any(isinstance(goal, Promise) and goal.reach == ONE for goal in chosen.goals):
        yield "A promise that begins “After one release” says nothing of several together."
    yield from (*unpromised(chosen.case), *clipped(chosen.case))
