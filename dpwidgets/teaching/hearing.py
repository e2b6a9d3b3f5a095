"""A hearing: a record of a decision meets objections, and its reader shows what answers them."""

from collections.abc import Mapping
from typing import Any

from dpwidgets.decisions.goals import Table
from dpwidgets.decisions.record import Objection, Record, objections
from dpwidgets.inputs.outside import described
from dpwidgets.page.page import About, fold, words
from dpwidgets.teaching.asking import folded_page
from dpwidgets.teaching.base import Teaching, paragraph

#: What is chosen where no row of the record answers an objection.
NONE = "no row: the decision has to change, or the promise goes"
_ASKED = "Which row of the record answers it?"
_HINT = (
    "Which row speaks of it? Then read whether the promise holds by what it says. A row that says "
    "how a promise breaks, or that nobody has said it, is no answer."
)


class Hearing(Teaching):
    """A record at its hearing: objections that follow from its own numbers.

    To each the reader points to the row of the record that answers it: it is
    there, and what was promised holds by what it says. Where no row does, the
    decision has to change, or the promise goes, and the new record is heard.
    Below stands what was asked, with the record, once all is answered.

    Parameters
    ----------
    record : Record
        The record of a case or of a plan, as `of_case` or an explorer's
        `record` returns it.

    Attributes
    ----------
    record : Record
        The record.
    objections : tuple of Objection
        What is asked of it (`dpwidgets.decisions.record.objections`).
    choices : tuple of str
        The rows among which the reader chooses, and `NONE`.
    met : set of int
        The places of the objections that the reader has met.

    Raises
    ------
    TypeError
        If it is no record.
    ValueError
        If it publishes nothing, or leaves its ε out: then nothing is asked.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.goals import BeliefGoal
    >>> from dpwidgets.decisions.record import of_case
    >>> case = Case(published="count", releases=4, prior=0.2)
    >>> goals = [BeliefGoal(0.6, reach="all releases")]
    >>> hearing = Hearing(of_case(case, goals, 0.1))
    >>> hearing
    Hearing: 5 objections to a record; it answers 3
    >>> hearing.judge(0, hearing.objections[0].row)
    (True, 'Right.')
    """

    def __init__(self, record: Record) -> None:
        if not isinstance(record, Record):
            raise TypeError(
                f"record must be a record of a decision; got {described(record)}"
            )
        self.record = record
        self.objections = objections(record)
        if not self.objections:
            raise ValueError(
                f"record must publish something; got {record.title}"
            )
        rows = [one.row for one in self.objections if one.row]
        self.choices = (*dict.fromkeys(rows), NONE)
        self.met: set[int] = set()
        parts: list[About] = [words("heading", text=_HINT)]
        for place, objection in enumerate(self.objections):
            field: About = {"kind": "choice", "name": f"{place}"}
            field |= {"label": _ASKED, "look": "dpw-answers"}
            field["options"] = list(self.choices)
            said = words(f"said {place}", live=True)
            parts.append(fold(objection.asked, field, said))
        parts.append({"kind": "html", "name": "held"})
        super().__init__("hearing", parts, label="A hearing")

    def judge(self, place: int, given: str) -> tuple[bool, str]:
        """Judge a row as the answer to the objection at a place, and say why."""
        objection = self.objections[place]
        if given == (objection.answer or NONE):
            return True, f"Right. {_way(objection)}".strip()
        if given == objection.row:
            return False, "Not yet: that row speaks of it. Does it hold, then?"
        return False, "Not yet: is there a row that speaks of this?"

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take the row to which the reader points, for the objection at the place so named."""
        right, said = self.judge(int(name), self.choices[event["place"]])
        if right:
            self.met.add(int(name))
        field = {name: {"place": event["place"]}}
        self.tell(**field, **{f"said {name}": {"text": said}})
        if len(self.met) == len(self.objections):
            page = self.record.html(self.protocol)
            self.tell(held={"html": page._repr_html_()})

    @property
    def protocol(self) -> Table:
        """What was asked, and what answers it, as a table of the record's page."""
        rows = [
            (one.asked, one.answer or f"OPEN. {_way(one)}")
            for one in self.objections
        ]
        return Table("What was asked at the hearing", (), rows)

    def __repr__(self) -> str:
        answers = sum(bool(one.answer) for one in self.objections)
        return f"Hearing: {len(self.objections)} objections to a record; it answers {answers}"

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel: all objections, what answers them folded."""
        page = paragraph(_HINT)
        for one in self.objections:
            answer = one.answer or f"{NONE}. {_way(one)}"
            page += folded_page(one.asked, "", answer, self.choices)
        return page


def _way(objection: Objection) -> str:
    """Say what meets an objection that no row answers, or nothing."""
    return "" if objection.answer else f"What meets it: {objection.way}."
