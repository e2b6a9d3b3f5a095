"""What every decision record has: words of people, pages, files, and an entry for the registry."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Self

from dpwidgets import __version__
from dpwidgets.decisions.case import ALL, Case, Limits
from dpwidgets.decisions.choice import _page
from dpwidgets.decisions.choice._label import Label
from dpwidgets.decisions.choice._opendp import program
from dpwidgets.decisions.choice._page import OPEN, Page, Row, Table
from dpwidgets.decisions.choice._registry import entry
from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.notation import show, up
from dpwidgets.inputs.outside import (
    begins_like_json,
    checked_text,
    described,
    fields_of,
    load_json,
)

FORMAT = 3
#: How a file's name ends: its media type, and what writes it.
SUFFIXES = {
    ".html": ("text/html", "html"),
    ".md": ("text/markdown", "markdown"),
    ".json": ("application/json", "json"),
    ".yaml": ("application/yaml", "registry"),
    ".py": ("text/x-python", "code"),
}
#: How many bytes the text may have that is read.
LARGEST = 1_000_000
_LONGEST_PATH = 1000


def _open(called: str) -> Any:
    """Declare a text that only people can say, and how a page calls it."""
    return field(default="", metadata={"called": called})


@dataclass(frozen=True, kw_only=True, repr=False)
class Sheet(ABC):
    """A decision to take away: pages for people, and JSON and YAML for programs.

    Parameters
    ----------
    about, use, whom, region, unprotected, processing : str
        What is published, what for, about whom and where; what is published
        beside it without noise, and what is done to it after the noise.
    attacker, reasons, rejected : str
        Who the attacker is taken to be, why this ε, what was rejected and why.
    curator, trusted, library, names, date, review : str
        Who publishes, who sees the data as they are, which program adds the
        noise, who decided, when, and when it is looked at again. Each of these
        texts has at most 10,000 characters. Nothing is filled in for you.
    version : str
        The version of dpwidgets that made it.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.
    """

    about: str = _open("what is published")
    use: str = _open("what it is for")
    whom: str = _open("about whom")
    region: str = _open("which region")
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

    program: ClassVar[str]
    """What its JSON says that it is."""
    computed: ClassVar[str]
    """What of it was computed from secret data, where nothing makes it a secret."""

    def __post_init__(self) -> None:
        for name in (*WORDS, "version"):
            checked_text(name, getattr(self, name))

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
        """All that its pages say, but for who answers for it."""

    @property
    @abstractmethod
    def together(self) -> tuple[Limits, float | None]:
        """All that is published, and the number that sets its noise, if any."""

    @classmethod
    @abstractmethod
    def from_content(cls, content: dict[str, Any]) -> Self:
        """Make it of the fields that JSON had, or raise an error that says what is wrong."""

    def content(self) -> dict[str, Any]:
        """Return its fields as JSON has them."""
        return {
            field.name: getattr(self, field.name) for field in fields(self)
        }

    @property
    def verdict(self) -> str:
        """Whether it may be published, and if not why: the first line of every page."""
        public = "if all that people entered is public"
        return f"{self._nothing}This record may be published {public}: {self.computed}."

    @property
    def refused(self) -> bool:
        """Whether nothing is published."""
        return self.together[1] is None

    @property
    def _nothing(self) -> str:
        return "Nothing is published. " if self.refused else ""

    def public(self) -> Self:
        """Return the version for publishing: without what depends on secret data."""
        return self

    def _rows(self, *names: str) -> list[Row]:
        """Return a row for each of these words: how it is called, and what was said."""
        return [(WORDS[name], getattr(self, name) or OPEN) for name in names]

    def _published(
        self, facts: Sequence[Row], believed: Sequence[Row]
    ) -> Table:
        rows = [
            *self._rows("about", "use", "whom", "region"),
            *facts,
            *self._rows("unprotected", "processing", "attacker"),
            *believed,
        ]
        return Table("What is published", (), rows)

    def _why(self, allowed: Sequence[Row]) -> Table:
        rows = [
            *self._rows("reasons"),
            *allowed,
            *self._rows("rejected"),
        ]
        return Table("Why", (), rows)

    def _judged(
        self,
        title: str,
        header: Row,
        rows: Sequence[Row],
        noise: Sequence[Row],
    ) -> Table:
        """Return the table of what is wanted, and where there is noise, of what that gives."""
        if noise:
            pairs = zip(rows, noise, strict=True)
            rows = [(*wanted, *given) for wanted, given in pairs]
        return Table(title, header[: len(rows[0])], rows)

    def _unpromised(self, cases: Iterable[Case], *more: str) -> Table:
        """Return the table of what no promise takes in."""
        everything, _ = self.together
        whom = "Each promise is for one person whose record does not depend on others’."
        if everything.household > 1:
            whom = (
                f"No promise is for more than {everything.household:,} people whose records "
                "depend on each other, and those without these words are for one."
            )
        sentences = [
            *more,
            whom,
            "Other publications about the same people, not counted here, may tell more.",
            "What is true of people in general is learned about everybody, in the data or not.",
            "Noise drawn naively with floating-point numbers may betray the truth in its last "
            "digits: it takes a program that is made for this.",
            "What is done after the noise may look at noisy numbers only: suppress or round a cell "
            "by its noisy count, for by its true one the promises are broken.",
        ]
        if self.unprotected.strip():
            sentences.append(
                "What is published without noise is under none of these promises, and with the "
                "noisy numbers it may tell more than they allow."
            )
        if everything.delta_of(ALL):
            sentences.append(
                f"Where δ = {up(everything.delta)} is named, a probability may exceed what ε "
                "allows by up to δ."
            )
        for case in cases:
            sentences += _left_out(case)
        rows = [(sentence,) for sentence in dict.fromkeys(sentences)]
        return Table("What is not promised", (), rows)

    def json(self) -> str:
        """Write it as JSON, for `load`."""
        content = {
            "program": self.program,
            "format": FORMAT,
            **self.content(),
        }
        return json.dumps(
            content, indent=1, ensure_ascii=False, allow_nan=False
        )

    def markdown(self) -> str:
        """Write it as Markdown, for people. What users typed is escaped."""
        answers = self._rows(
            "curator", "trusted", "library", "names", "date", "review"
        )
        tables = [*self.tables, Table("Who answers for it", (), answers)]
        footer = f"Made with dpwidgets {self.version}"
        if self.version != __version__:
            footer += f"; its numbers are computed by dpwidgets {__version__}"
        return _page.markdown(
            f"Decision record: {self.title}", self.verdict, tables, footer
        )

    def html(self) -> Page:
        """Write the same as a page that prints on A4, and needs no network."""
        return _page.html(self.markdown())

    def label(self) -> Page:
        """Write its public version as a privacy label: a page for the people in the data.

        What it means for them stands first, the odds with and without their
        data as pictures of a hundred people, and what experts ask for last;
        what nobody has said is shown as open.

        Examples
        --------
        >>> from dpwidgets.decisions import choice
        >>> made = choice.record(choice.Case(published="count"), [], 0.2)
        >>> "at most 60 of 100" in made.label()
        True
        """
        public = self.public()
        together, noise = public.together
        cases = [case for _, case, _ in together.named(noise or 1.0)]
        unpromised = [text for (text,) in public._unpromised(cases).rows]
        return Label(
            together=together,
            noise=noise,
            refused=public.refused,
            words=public.said,
            called=WORDS,
            unpromised=unpromised,
        ).html()

    def registry(self) -> str:
        """Write an entry for the Differential Privacy Deployments Registry, as YAML.

        It has what the registry's second tier asks for, and more where the
        record says it. It is a draft that people look through before they hand
        it in.

        Returns
        -------
        str
            The entry.

        Raises
        ------
        ValueError
            If nothing may be published, or people have not said what the
            registry needs: `about`, `use`, `region`, `curator`, `names`, and
            `date` as YYYY-MM-DD.
        """
        everything, noise = self.public().together
        if noise is None:
            raise ValueError(
                "an entry of the registry needs an ε that may be published"
            )
        return entry(everything, noise, self.said)

    def code(self, library: str = "opendp") -> str:
        """Write a program that publishes each statistic once.

        Parameters
        ----------
        library : {"opendp"}
            Which library draws the noise: OpenDP, so that no last digits of
            floating-point numbers betray the truth.

        Returns
        -------
        str
            Python code, into which the data are to be put. It prints the
            guarantee that OpenDP gives, which is never less than what is true.

        Raises
        ------
        ValueError
            If there is no such library, or nothing is published.
        """
        one_of("library", library, ("opendp",))
        everything, noise = self.together
        if noise is None:
            raise ValueError(
                "a program needs noise; this record publishes nothing"
            )
        return program(everything.named(noise))

    def __repr__(self) -> str:
        return f"Decision record: {self.title}. {self.verdict}"

    def _repr_html_(self) -> str:
        """Show the printed page in a notebook, in a frame of its own."""
        return self.html()._repr_html_()

    def save(self, path: str | Path) -> Path:
        """Write it to a file: .md, .html, .json, .yaml (`registry`) or .py (`code`), as it ends.

        Raises
        ------
        ValueError
            If it ends with none of these, or the registry needs more.
        """
        path = Path(path)
        if path.suffix not in SUFFIXES:
            raise ValueError(
                f"path must end with {' or '.join(SUFFIXES)}; got {path.name!r}"
            )
        _, method = SUFFIXES[path.suffix]
        path.write_text(getattr(self, method)(), encoding="utf-8")
        return path

    @classmethod
    def load(cls, source: str | bytes | Path) -> Self:
        """Read one from its JSON, or from a file of it.

        Parameters
        ----------
        source : str, bytes or Path
            The JSON as text that begins with a brace or as bytes, each behind
            a byte order mark or not, or a file's path.

        Returns
        -------
        Sheet
            The record. What its pages say is computed again.

        Raises
        ------
        ValueError
            If it is no JSON, has more than a million bytes, comes from another
            program or from a version with another format, or is damaged: it
            lacks something, or claims more; and if a text neither begins with
            a brace, nor names a file or ends with .json.
        OSError
            If there is no such file.
        """
        try:
            if isinstance(source, str) and not begins_like_json(source):
                source = _path(source)
            if isinstance(source, Path):
                source = source.read_bytes()
            # Of text, so many characters at most.
            read = load_json(source, LARGEST)
        except ValueError as error:
            wanted = "a record is JSON, as .json() or .save() wrote it"
            raise ValueError(f"{wanted}; this is not: {error}") from None
        content: dict[str, Any] = read if isinstance(read, dict) else {}
        program = content.pop("program", None)
        form = content.pop("format", None)
        warning = content.pop("warning", None)
        if program != cls.program:
            raise ValueError(
                f"this JSON comes from another program: it is no {cls.program}"
            )
        if form != FORMAT:
            ours = f"dpwidgets {__version__} reads format {FORMAT}"
            raise ValueError(
                f"this record has format {described(form)}; {ours}"
            )
        try:
            names = [field.name for field in fields(cls)]
            record = cls.from_content(fields_of("a record", names, content))
            # It is computed like all else: none is needed, no other stays.
            if warning is not None:
                one_of("warning", warning, [record.content().get("warning")])
            return record
        except (TypeError, ValueError) as error:
            raise ValueError(f"the record is damaged: {error}") from None


def _left_out(case: Case) -> list[str]:
    """Return what no promise of precision takes in: what is clipped, and what is cut."""
    sentences = []
    truth = f"“the truth” is the {case.published}"
    if not case.counts:
        low, high = case.ends
        outside = f"Values outside {show(low)} to {case.measured(high)}"
        sentences.append(
            f"{outside} count as the nearer end; {truth} of these clipped values."
        )
    if case.published == "table" or case.of_one > 1:
        cut = f"{case.cut[0].upper()}{case.cut[1:]} is left out before"
        far = "How far off that is no number here says."
        sentences.append(f"{cut}; {truth} without it. {far}")
    return sentences


def _path(text: str) -> Path:
    """Return the path that a text is, or raise an error that does not repeat the text."""
    # Too long for a path, or with signs that none has.
    with suppress(OSError, ValueError):
        named = (
            text.endswith(".json")
            and text.isprintable()
            and len(text) <= _LONGEST_PATH
        )
        if named or Path(text).is_file():
            return Path(text)
    raise ValueError(
        f"the text, of {len(text):,} characters, begins with no {{ and names no file"
    )


#: What only people can say, and how a page calls it.
WORDS: dict[str, str] = {
    field.name: field.metadata["called"]
    for field in fields(Sheet)
    if field.metadata
}
