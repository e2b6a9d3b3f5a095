"""What stands beside the goals: a column to bring, and a record to take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from ipywidgets import HTML, Box, Button, Dropdown, FileUpload, Layout, Text

from dpwidgets.calculators.choice import WORDS, Option, Record
from dpwidgets.calculators.column import LIMIT, Column, read_csv
from dpwidgets.notation import show
from dpwidgets.widgets.boxes import VBox
from dpwidgets.widgets.files import link, uploaded
from dpwidgets.widgets.words import alert, place, status

_TITLE = '<b style="font-size:14px">{}</b>'
_FIELDS = {
    "about": "What is published",
    "whom": "About whom",
    "attacker": "The attacker",
    "reasons": "Why this ε",
    "rejected": "Rejected, and why",
    "names": "Who decided",
    "date": "When",
    "review": "Looked at again",
}
_WHERE = (
    f"A CSV file of at most {LIMIT // 10**6} MB, in UTF-8, with names in its first row. It goes "
    "to the machine that runs this notebook, and stays in its memory; on Binder that is somebody "
    "else's machine. Larger files: <code>calculators.column.read_csv(path)</code>."
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

    def _choose(self, column: Column | None) -> None:
        if column is None:
            return
        try:
            numbers = tuple(column.numbers.tolist())
        except ValueError as error:
            self.said.value = alert(str(error))
        else:
            self.said.value = status(f"Taken: {len(numbers):,} numbers of {column.name}.")
            self._take(numbers)


class OptionsBox(VBox):
    """The ε that stand to reason inside the range, as buttons that set them, with what they buy.

    Parameters
    ----------
    take : callable
        Takes the ε of the button that is pressed.
    """

    def __init__(self, take: Callable[[float], None]) -> None:
        self._take = take
        self.title = HTML(_TITLE.format("Choose inside the range"))
        self.rows: list[Box] = []
        super().__init__([], layout=Layout(margin="6px 0"))

    def show(self, options: Sequence[Option]) -> None:
        """Show these; nothing where nothing is left to choose from."""
        for number in range(len(self.rows), len(options)):
            button = Button(layout=Layout(width="190px", flex="0 0 auto"))
            button.on_click(partial(self._press, number))
            self.rows.append(Box([button, HTML()], layout=Layout(align_items="center")))
        self._epsilons = [one.epsilon for one in options]
        for row, one in zip(self.rows, options, strict=False):
            button, words = row.children
            button.description = f"{one.name}: ε = {show(one.epsilon)}"
            words.value = f'<span style="font-size:13px">{escape(one.buys)}</span>'
        self.children = (self.title, *self.rows[: len(options)]) if options else ()

    def _press(self, number: int, _: Button) -> None:
        self._take(self._epsilons[number])


class RecordBox(VBox):
    """What a record needs from people, and buttons to write one and to bring one back.

    Parameters
    ----------
    make : callable
        Makes the record of the present state from the words that were typed.
    bring : callable
        Takes a record that was loaded, and returns what to say about it.
    """

    def __init__(self, make: Callable[..., Record], bring: Callable[[Record], str]) -> None:
        self._make, self._bring = make, bring
        look = {
            "layout": Layout(width="560px", max_width="98%"),
            "style": {"description_width": "150px"},
        }
        self.fields = {name: Text(description=_FIELDS[name], **look) for name in WORDS}
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
        try:
            record = self._make(**self.words)
        except ValueError as error:  # words that are too long, or no whole characters
            self.said.value = alert(str(error))
            return
        versions = {"decision": record}
        if record.from_data:
            versions["decision-public"] = record.public()
        self.links.value = "Download: " + " · ".join(
            link(f"{name}{suffix}", kind, text)
            for name, one in versions.items()
            for suffix, kind, text in (
                (".html", "text/html", one.html()),
                (".md", "text/markdown", one.markdown()),
                (".json", "application/json", one.json()),
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
