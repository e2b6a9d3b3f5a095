"""What an explorer of decisions has beside its controls: a file to bring a column, and a record to take away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ipywidgets import HTML, Box, Button, Dropdown, FileUpload, Layout, Text, VBox

from dpwidgets.calculators.choice import BreachGoal, BudgetGoal, CountGoal, Record, RiskGoal
from dpwidgets.calculators.column import LIMIT, read_csv
from dpwidgets.widgets.explorer import Explorer
from dpwidgets.widgets.files import link, uploaded
from dpwidgets.widgets.typed import MANY
from dpwidgets.widgets.words import alert, place, status

_TITLE = '<b style="font-size:14px">{}</b>'
_WHERE = (
    f"A CSV file of at most {LIMIT // 10**6} MB, in UTF-8, with names in its first row. It goes to the machine that "
    "runs this notebook, and stays in its memory; on Binder that is somebody else's machine. Larger files: "
    "<code>calculators.column.read_csv(path)</code>."
)


class ColumnUpload(VBox):
    """A button that reads a CSV file, and a list of its columns.

    Parameters
    ----------
    take : callable
        Takes the numbers of the column that is chosen.
    """

    def __init__(self, take: Callable[[tuple[float, ...]], None]) -> None:
        self._take = take
        self.upload = FileUpload(
            accept=".csv,.txt", description="Bring a CSV file", layout=Layout(width="auto")
        )
        self.columns = Dropdown(
            description="Column",
            options=[],
            value=None,
            layout=Layout(display="none", width="360px"),
        )
        self.said = place()
        where = HTML(f'<div style="font-size:12px;line-height:16px">{_WHERE}</div>')
        super().__init__(
            [Box([self.upload, self.columns]), where, self.said], layout=Layout(margin="6px 0")
        )
        self.upload.observe(lambda _: self._read(), "value")
        self.columns.observe(lambda change: self._choose(change["new"]), "value")

    def _read(self) -> None:
        content = uploaded(self.upload)
        if content is None:
            return
        try:
            table = read_csv(content)
        except ValueError as error:
            self.said.value = alert(str(error))
            return
        self.columns.layout.display = None
        self.columns.options = [("choose …", None), *((one.name, one) for one in table.columns)]
        self.columns.value = None
        names = ", ".join(one.name for one in table.columns)
        self.said.value = status(
            f"The file has {len(table.columns[0].cells):,} rows and these columns: {names}."
        )

    def _choose(self, column: Any) -> None:
        if column is None:
            return
        try:
            numbers = tuple(column.numbers.tolist())
        except ValueError as error:
            self.said.value = alert(str(error))
        else:
            self.said.value = status(f"Taken: {len(numbers):,} numbers of {column.name}.")
            self._take(numbers)


class RecordBox(VBox):
    """What a record needs from people, and buttons to write one and to bring one back.

    Parameters
    ----------
    make : callable
        Makes the record of the present state from `about`, `names` and `date`.
    bring : callable
        Takes a record that was loaded, and returns what to say about it.
    """

    def __init__(self, make: Callable[..., Record], bring: Callable[[Record], str]) -> None:
        self._make, self._bring = make, bring
        look = {"layout": Layout(width="420px"), "style": {"description_width": "118px"}}
        self.fields = {
            "about": Text(description="What is released", **look),
            "names": Text(description="Who decided", **look),
            "date": Text(description="When", **look),
        }
        self.write_button = Button(description="Write the record", layout=Layout(width="auto"))
        self.upload = FileUpload(
            accept=".json", description="Bring one back", layout=Layout(width="auto")
        )
        self.links, self.said = place(), place()
        title = HTML(_TITLE.format("The decision record"))
        buttons = Box([self.write_button, self.upload])
        super().__init__([title, *self.fields.values(), buttons, self.links, self.said])
        self.write_button.on_click(lambda _: self.write())
        self.upload.observe(lambda _: self._load(), "value")
        for field in self.fields.values():
            field.observe(lambda _: self.clear(), "value")

    @property
    def words(self) -> dict[str, str]:
        """What was typed into the fields."""
        return {name: field.value for name, field in self.fields.items()}

    def clear(self) -> None:
        """Take away links to a record that is no longer the present one."""
        self.links.value = ""

    def write(self) -> None:
        """Offer the record of the present state for download."""
        record = self._make(**self.words)
        self.links.value = "Download: " + " · ".join(
            link(f"decision{suffix}", kind, text)
            for suffix, kind, text in (
                (".md", "text/markdown", record.markdown()),
                (".json", "application/json", record.json()),
            )
        )

    def _load(self) -> None:
        content = uploaded(self.upload)
        if content is None:
            return
        try:
            self.said.value = status(self._bring(Record.load(content)))
        except ValueError as error:
            self.said.value = alert(str(error))


class Deciding(Explorer):
    """An explorer whose result is a `Decision`, with a way to bring a column and a record to take away."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.column_upload = ColumnUpload(lambda numbers: self._assign("values", numbers))
        self.record_box = RecordBox(self.record, self._bring)
        self.children = [*self.children, self.column_upload, self.record_box]
        self.observe(lambda _: self.record_box.clear(), "result")

    def slow(self) -> set[str]:
        return set(self.controls) if len(self.values) > MANY else set()

    def record(self, about: str = "", names: str = "", date: str = "") -> Record:
        """Return the record of the present decision.

        Parameters
        ----------
        about, names, date : str
            What is released, who decided, and when. Nothing is filled in.

        Returns
        -------
        Record
            The record; it holds none of the column's values.
        """
        return self.result.record(about=about, names=names, date=date)

    def save(self, path: str | Path) -> None:
        """Write the record, with what its fields hold, to a file ending in .md or .json; to another, the picture."""
        if Path(path).suffix in (".md", ".json"):
            self.record(**self.record_box.words).save(path)
        else:
            super().save(path)

    def load(self, source: str | bytes | Path) -> None:
        """Take goals and ε from a record, as `calculators.choice.Record.load` reads it.

        Raises
        ------
        ValueError
            If it is no record, or one that this explorer cannot show; the explorer stays as it is.
        """
        self._bring(Record.load(source))

    def _bring(self, record: Record) -> str:
        state: dict[str, Any] = {
            f"use_{kind}": False for kind in ("count", "risk", "breach", "budget")
        }
        for goal in record.goals:
            if isinstance(goal, CountGoal) and goal.count is None:
                raise ValueError(
                    "this record keeps a count secret; the explorer needs the count itself"
                )
            if state[f"use_{goal.kind}"]:
                raise ValueError(
                    f"this record has two goals about {goal.kind}; the explorer has one of each kind"
                )
            state |= {f"use_{goal.kind}": True, **_parameters(goal)}
        if not record.goals:
            raise ValueError("this record has no goals")
        self._restore({**state, "epsilon": record.epsilon})
        for name, field in self.record_box.fields.items():
            field.value = getattr(record, name)
        needs = "; it holds no data, so bring the column again" if record.from_data else ""
        return f"The record of ε = {record.epsilon:g} is back{needs}."


def _parameters(goal: CountGoal | RiskGoal | BreachGoal | BudgetGoal) -> dict[str, Any]:
    """Return a goal as the explorer's parameters; a column is not in a record."""
    if isinstance(goal, CountGoal):
        return {"count": goal.count, "half_width": goal.half_width, "confidence": goal.confidence}
    if isinstance(goal, RiskGoal):
        return {"risk": goal.risk}
    if isinstance(goal, BreachGoal):
        return {"prior": goal.prior, "posterior": goal.posterior}
    return {
        "releases": goal.releases,
        "total": goal.epsilon,
        "delta": goal.delta,
        "mechanism": goal.mechanism,
    }
