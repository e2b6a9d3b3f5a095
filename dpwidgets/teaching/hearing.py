"""A hearing: a record lies open, its reader is asked, and points to the rows that speak of it."""

from collections.abc import Iterable, Mapping
from html import escape
from itertools import count
from typing import Any

from dpwidgets.decisions.goals import Row, Table
from dpwidgets.decisions.record import (
    PAGES,
    QUESTIONS,
    SUFFIXES,
    Record,
    for_patients,
    for_strangers,
    html_row,
    in_words,
)
from dpwidgets.inputs.outside import described
from dpwidgets.page.page import About, box, button
from dpwidgets.teaching.asking import folded_page
from dpwidgets.teaching.base import Teaching, paragraph

SILENT = "The record does not say"
_HINT = (
    "Choose a question, and press the row of the record that you would read to whoever asks it. "
    "Nobody here says whether that is an answer: you do."
)
_SENTENCE = "At the end: what do you say to a patient, in a sentence or two?"


class Hearing(Teaching):
    """A record at its hearing: it lies open, and beside it stand the questions.

    To answer, a reader presses a row of the record. It is set under its
    question, with the headings that it had. That the record does not say is an
    answer, too, and then stands there what would let it. Nothing is judged. To
    what the reader says to a patient at the end the page adds what the record
    says of one person, and all of it can be taken away.

    Parameters
    ----------
    record : Record
        The record of a case or of a plan, as `of_case` or an explorer's
        `record` returns it.

    Attributes
    ----------
    record : Record
        The record.
    rows : list of str
        Its rows, each with its headings.
    answers : dict
        What was answered, under the place of each question.
    sentence : str
        What the reader says to a patient.

    Raises
    ------
    TypeError
        If it is no record.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.record import of_case
    >>> hearing = Hearing(of_case(Case(published="count", prior=0.2), [], 0.1))
    >>> hearing
    Hearing: 9 questions about a record
    >>> hearing.answer(0, None)
    >>> hearing.answers[0]
    'The record does not say. Give a belief before, and promise how high it may rise: goal
    “belief”.'
    """

    def __init__(self, record: Record) -> None:
        if not isinstance(record, Record):
            raise TypeError(
                f"record must be a record of a decision; got {described(record)}"
            )
        self.record = record
        self.tables = [*record.all_tables, for_strangers(record)]
        self.rows = [
            in_words(table, row) for table in self.tables for row in table.rows
        ]
        self.answers: dict[int, str] = {}
        self.sentence = ""
        self._place = 0
        lies: About = {"kind": "html", "name": "row", "html": self._open()}
        asked: About = {"kind": "presses", "name": "question", "label": _HINT}
        said: About = {"kind": "text", "name": "sentence", "label": _SENTENCE}
        parts = [
            box("record", lies, label="The record"),
            box(
                "heard",
                asked,
                button("silent", SILENT),
                said | {"rows": 3},
                {"kind": "html", "name": "told"},
                {"kind": "links", "name": "files", "label": "Download:"},
            ),
        ]
        super().__init__("hearing", parts, label="A hearing")
        self._tell_all()

    def answer(self, question: int, row: int | None) -> None:
        """Answer a question by a row, each by its place; None where the record does not say."""
        said = f"{SILENT}. {QUESTIONS[question].way}"
        self.answers[question] = said if row is None else self.rows[row]

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take the question that a reader chooses, the row, or the sentence for a patient."""
        if name == "question":
            self._place = event["place"]
        elif name == "sentence":
            self.sentence = event["text"]
        else:
            self.answer(self._place, event.get("place"))
            # On to the next without an answer, if there is one.
            open_ = {*range(len(QUESTIONS))} - self.answers.keys()
            self._place = min(open_, default=self._place)
        self._tell_all()

    @property
    def protocol(self) -> list[Table]:
        """What was asked and answered, and what is said to a patient, as tables of a page."""
        return [
            Table("What was asked at the hearing", (), self._answered("–")),
            Table("What is said to a patient", (), [(self.sentence,)]),
            for_patients(self.record),
        ]

    def _answered(self, nothing: str) -> list[Row]:
        """Return each question with its answer, or with this."""
        return [
            (question.asked, self.answers.get(place, nothing))
            for place, question in enumerate(QUESTIONS)
        ]

    def __repr__(self) -> str:
        return f"Hearing: {len(QUESTIONS)} questions about a record"

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel: the record's page, and all questions."""
        page = self.record._repr_html_() + paragraph(_HINT)
        for question in QUESTIONS:
            page += folded_page(question.asked, question.way, "")
        return page

    def _open(self) -> str:
        """Write the record as HTML: tables, each row of which can be pressed."""
        page = f'<p class="dpw-prompt">{escape(self.record.title)}</p>'
        page += f"<p>{escape(self.record.verdict)}</p>"
        places = count()
        for table in self.tables:
            page += _written(table, map(_pressed, table.rows, places))
        return page

    def _tell_all(self) -> None:
        told, files = "", []
        if self.sentence.strip():
            table = for_patients(self.record)
            told = _written(table, map(html_row, table.rows))
            files = [
                (
                    f"hearing{suffix}",
                    SUFFIXES[suffix][0],
                    self.record.as_file(suffix, *self.protocol),
                )
                for suffix in PAGES
            ]
        self.tell(
            question={"options": self._answered(""), "place": self._place},
            sentence={"text": self.sentence},
            told={"html": told},
            files={"files": files},
        )


def _written(table: Table, rows: Iterable[str]) -> str:
    """Write a table of these rows, below its headings; nothing without any."""
    if not table.rows:
        return ""
    caption = f"<caption>{escape(table.title)}</caption>"
    head = html_row(table.header, "th") if table.header else ""
    return f"<table>{caption}{head}{''.join(rows)}</table>"


def _pressed(row: Row, place: int) -> str:
    """Write a row: a click anywhere on it presses it, and keys press what stands first in it."""
    first = escape(next(filter(None, row)))
    press = (
        f'<button type="button" data-lm-suppress-shortcuts="">{first}</button>'
    )
    cells = html_row(row).replace(f"<td>{first}<", f"<td>{press}<", 1)
    return cells.replace("<tr", f'<tr data-place="{place}"', 1)
