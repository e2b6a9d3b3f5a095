"""A decision record as pages for people: Markdown, and HTML that prints on one A4 sheet."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from dpwidgets import __version__
from dpwidgets.calculators.case import ALL, ONE
from dpwidgets.calculators.choice._choice import Choice
from dpwidgets.calculators.choice._goals import Feasible
from dpwidgets.calculators.meanings import GETS, portrait
from dpwidgets.notation import percent, show

if TYPE_CHECKING:
    from dpwidgets.calculators.choice._record import Record

#: What only people can say, and what stands where nobody has.
WORDS = ("about", "whom", "attacker", "reasons", "rejected", "names", "date", "review")
OPEN = "open: nobody has said it"
_NOISE = "What the noise means"
_MET = "What shall be true"
_OTHERWISE = "If it turns out otherwise, with the same noise (✗: the goal is not met)"
_LONGEST, _MOST_GOALS = 160, 6  # of what people typed, and of the goals, on the sheet of paper
_ANY = Feasible(0, math.inf)
_MOST_OBSTACLES = 3
_AGAINST = "what stands against it"


class _Table(NamedTuple):
    """A table of a page: a first row of names only where it has one, labels only where any is."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    @property
    def is_list(self) -> bool:
        """Whether it has neither names nor labels."""
        return not self.header and not any(row[0] for row in self.rows)


def title(record: Record) -> str:
    """Say in a few words what was decided."""
    if record.left_out:
        return "ε is not published"
    if record.epsilon is None:
        return "nothing is published"
    return f"ε = {_beside(record)[1]} for Δf = {show(record.case.sensitivity, 4)}"


def _beside(record: Record) -> tuple[str, str, str]:
    """Say what the goals allow, and beside it the ε and the scale of the noise."""
    assert record.epsilon is not None
    chosen = record.choice or Choice(record.case, (), _ANY, (), ())
    return chosen.beside(record.epsilon, 6)


def _sections(record: Record) -> list[_Table]:
    """Return all that a page says, as tables."""
    case, goals, epsilon = record.case, record.goals, record.epsilon
    made = [_Table("What is published", (), _facts(record))]
    kinds = ["promise" if goal.promise else "precision" for goal in goals]
    sentences = [goal.sentence(case) for goal in goals]
    header: tuple[str, ...] = ("", "goal")
    columns: list[list[str]] = [kinds, sentences]
    if epsilon is not None:
        header += ("what this noise gives", "met")
        given = [Choice(case, (goal,), _ANY, (), ()).buys(epsilon) for goal in goals]
        columns += [given, ["yes" if met else "NO" for met in record.met]]
    none = ("", "none was set", "", "")[: len(header)]
    made.append(_Table(_MET, header, list(zip(*columns, strict=True)) or [none]))
    if epsilon is not None:
        rows = portrait(epsilon, **case.to_dict()).rows
        made += [
            _Table(
                f"{_NOISE}: {who}",
                (),
                [
                    (row.meaning.name, row.meaning.sentence_with(row.value))
                    for row in rows
                    if row.meaning.gets == who
                ],
            )
            for who in GETS
        ]
    made.append(_Table("Why", (), _reasons(record)))
    if len(record.outcomes) > 1 and goals:
        made.append(
            _Table(
                _OTHERWISE,
                ("", *(goal.kind for goal in goals)),
                [
                    (
                        row.name,
                        *(
                            f"{'✗ ' if not one.kept else ''}{one.said}" if one.said else "–"
                            for one in row.outcomes
                        ),
                    )
                    for row in record.outcomes[1:]
                ],
            )
        )
    made.append(_Table("What is not promised", (), [("", one) for one in _not_promised(record)]))
    people = [
        ("who decided", record.names or OPEN),
        ("when", record.date or OPEN),
        ("looked at again", record.review or OPEN),
    ]
    made.append(_Table("Who answers for it", (), people))
    return [table for table in made if table.rows]


def _facts(record: Record) -> list[tuple[str, str]]:
    case = record.case
    facts = [
        ("what", record.about or OPEN),
        ("about whom", record.whom or OPEN),
        ("in numbers", case.what),
        ("neighbours", case.step),
    ]
    if record.epsilon is not None:
        scale = case.scale(record.epsilon)
        off = case.measured(case.error(scale), up=True)
        _, epsilon, noise = _beside(record)
        delta = "" if case.mechanism == "Laplace" else f", δ = {show(case.delta)}"
        facts += [
            (
                "noise",
                f"{case.mechanism} noise of scale {noise} in each release: off by {off} on average",
            ),
            (
                "ε of one release",
                f"{epsilon} for Δf = {show(case.sensitivity, 4)}{delta}",
            ),
        ]
        at = case.at(ALL).replace("and", "at")
        others = ""
        if case.used or case.used_delta:
            named = f" and δ = {show(case.used_delta)}" if case.used_delta else ""
            others = f"; others have used up ε = {show(case.used)}{named} of it"
        facts.append(
            (
                "in all",
                f"{case.releases:,} release{'s' if case.releases > 1 else ''} about the same "
                f"people: ε = {show(case.total(scale), 4, up=True)}{at}{others}",
            )
        )
    facts += [("a warning", words) for words in case.warnings]
    facts.append(("the attacker", record.attacker or OPEN))
    if case.prior is not None:
        facts.append(("believed before", percent(case.prior)))
    return facts


def _reasons(record: Record) -> list[tuple[str, str]]:
    rows = [("why this ε", record.reasons or OPEN)]
    if record.choice is not None and not record.left_out:
        if record.choice.feasible.empty:
            rows.append(("the goals allow", "nothing: no noise meets them all"))
            rows += [(_AGAINST, words) for words in dict.fromkeys(record.choice.obstacles)]
        elif record.epsilon is not None:
            rows.append(("the goals allow", _beside(record)[0]))
        else:
            rows.append(("the goals allow", record.choice.sentence))
        rows += [
            (f"{one.name}, ε = {show(one.epsilon)}", one.buys)
            for one in record.choice.options
            if one.buys
        ]
    rows.append(("what was rejected, and why", record.rejected or OPEN))
    return rows


def _not_promised(record: Record) -> Iterable[str]:
    case = record.case
    if any(goal.promise and getattr(goal, "reach", ONE) == ONE for goal in record.goals):
        yield "A promise that begins “After one release” says nothing of several together."
    if case.household == 1:
        yield "Each promise is for one person whose record does not depend on others’."
    else:
        yield (
            f"No promise is for more than {case.household:,} people whose records depend on each "
            "other, and those without these words are for one."
        )
    yield "Other publications about the same people, not counted here, may tell more."
    yield "What is true of people in general is learned about everybody, in the data or not."
    if case.published != "count":
        yield (
            f"Values outside {show(case.low or 0)} to {show(case.high or 0)} {case.unit} count as "
            f"the nearer end; “the truth” is the {case.published} of these clipped values."
        )
    if case.delta and (case.mechanism == "Gaussian" or case.releases > 1):
        yield (
            f"Where δ = {show(case.delta)} is named, a probability may exceed what ε allows by up "
            "to δ."
        )


def markdown_page(record: Record) -> str:
    """Write the record as Markdown. Everything that is not ours is escaped."""
    lines = [f"# Decision record: {_escape(title(record))}", "", f"> **{_escape(record.verdict)}**"]
    for table in _sections(record):
        lines += ["", f"## {_escape(table.title)}", ""]
        if table.is_list:
            lines += [f"- {_escape(said)}" for _, said in table.rows]
            continue
        header, *rows = (
            f"| {' | '.join(map(_escape, row))} |"
            for row in (table.header or ("",) * len(table.rows[0]), *table.rows)
        )
        lines += [header, "|---" * len(table.rows[0]) + "|", *rows]
    return "\n".join([*lines, "", _escape(_made(record)), ""])


def _made(record: Record) -> str:
    computed = f"; its numbers are computed by dpwidgets {__version__}"
    return (
        f"Made with dpwidgets {record.version}{computed if record.version != __version__ else ''}"
    )


def _escape(text: str) -> str:
    """Put everything on one line, and no sign of HTML, Markdown or mathematics in it.

    JupyterLab looks for mathematics before it reads Markdown and once more on the page, where it
    finds none that a tag divides.
    """
    entities = re.sub(
        r"[`*_^\[\]|~#<>&@]|:(?=//)|(?<=www)\.",
        lambda found: f"&#{ord(found[0])};",
        " ".join(text.split()),
    )
    return re.sub(r"[\\$]", lambda found: f"<span>&#{ord(found[0])};</span>", entities)


_STYLE = (
    "@page{{size:A4;margin:9mm 11mm}}*{{box-sizing:border-box}}"
    "body{{font:{size}pt/1.22 'DejaVu Sans',Verdana,Arial,sans-serif;color:#222;background:#fff;"
    "max-width:188mm;margin:0 auto;overflow-wrap:anywhere}}"
    "h1{{font-size:1.5em;margin:0 0 1mm}}h2{{font-size:1.06em;margin:.75em 0 .15em;"
    "border-bottom:.3mm solid #999}}p{{margin:0}}.verdict{{font-weight:700;padding:1mm 2mm;"
    "border-left:1mm solid #d55e00}}.may{{border-color:#009e73}}"
    "table{{border-collapse:collapse;width:100%}}td,th{{text-align:left;vertical-align:top;"
    "padding:.2mm 1.5mm .2mm 0}}th{{font-weight:400;color:#595959}}"
    "tr+tr td{{border-top:.1mm solid #ddd}}.label{{color:#595959;width:34mm}}"
    ".two{{columns:2;column-gap:6mm}}.two tr{{break-inside:avoid}}"
    ".two .label{{width:50mm}}th{{white-space:nowrap}}"
    ".narrow td:first-child,.narrow td:last-child{{white-space:nowrap}}"
    "ul{{margin:0;padding-left:4mm}}.open{{color:#b00020;font-style:italic}}"
    "footer{{margin-top:1em;color:#595959}}"
)
#: Letters on the sheet, and the size in points at which so many have room.
_SIZES = ((3_600, 7.8), (4_700, 7.2), (5_900, 6.2), (7_000, 5.2), (10**9, 4.6))


def html_page(record: Record) -> str:
    """Write the record as HTML that prints on one A4 sheet. Everything typed is escaped."""
    typed: dict[str, Any] = {name: _cut(getattr(record, name)) for name in (*WORDS, "version")}
    record = replace(record, **typed)
    body = [
        f"<h1>Decision record: {_line(title(record))}</h1>",
        f'<p class="verdict{"" if record.from_data else " may"}">{_line(record.verdict)}</p>',
    ]
    against = 0
    for table in _sections(record):
        kept = [row for row in table.rows if row[0] != _AGAINST]
        rows = [row for row in table.rows if row[0] == _AGAINST]
        against += len(rows[_MOST_OBSTACLES:])
        if rows:  # before what was rejected, which stands last
            table = table._replace(rows=[*kept[:-1], *rows[:_MOST_OBSTACLES], kept[-1]])
        body += [f"<h2>{_line(table.title)}</h2>", _html_table(table)]
    if (more := len(record.goals) - _MOST_GOALS) > 0:
        body.append(f"<p>{more} more goals stand in the Markdown and in the JSON.</p>")
    if against:
        body.append(f"<p>{against} more contradictions stand in the Markdown.</p>")
    body.append(f"<footer>{_line(_made(record))}</footer>")
    letters = sum(
        1.7 if letter.isupper() or ord(letter) > 0x1100 else 1.0  # these are wide
        for letter in re.sub("<[^>]*>", "", "".join(body))
    )
    size = next(size for room, size in _SIZES if letters <= room)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>Decision record</title><style>{_STYLE.format(size=size)}</style></head><body>",
            *body,
            "</body></html>",
        ]
    )


def _html_table(table: _Table) -> str:
    """Write a table, a list, or labels with what belongs to them."""
    if table.is_list:
        items = "".join(f"<li>{_line(said)}</li>" for _, said in table.rows)
        return f'<ul class="two">{items}</ul>'
    if not table.header:
        labelled = (
            f'<tr><td class="label">{_line(row[0])}</td><td>{_cell(row[1])}</td></tr>'
            for row in table.rows
        )
        table_ = f"<table>{''.join(labelled)}</table>"
        return f'<div class="two">{table_}</div>' if table.title.startswith(_NOISE) else table_
    rows = [table.header, *table.rows]
    if table.title == _MET:
        rows = rows[: _MOST_GOALS + 1]
    elif table.title == _OTHERWISE:
        rows = [row[: _MOST_GOALS + 1] for row in rows]
    lines = (
        "".join(f"<{kind}>{_cell(said)}</{kind}>" for said in row)
        for row, kind in zip(rows, ["th", *["td"] * (len(rows) - 1)], strict=True)
    )
    return f'<table class="narrow">{"".join(f"<tr>{line}</tr>" for line in lines)}</table>'


def _cell(text: str) -> str:
    return f'<span class="open">{OPEN}</span>' if text == OPEN else _line(text)


def _line(text: str) -> str:
    """Escape a text for HTML, on one line."""
    return html.escape(" ".join(text.split()))


def _cut(text: str) -> str:
    """Cut what people typed to what the sheet has room for."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… (shortened)"
