"""What every decision record has: words of people, pages, files, and an entry for the registry."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Self

from dpwidgets import __version__
from dpwidgets.calculators.case import Case, Limits
from dpwidgets.calculators.choice import _page
from dpwidgets.calculators.choice._opendp import program
from dpwidgets.calculators.choice._registry import written
from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import checked_text, described, load_json

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


def _open(called: str) -> Any:
    """Declare a text that only people can say, and how a page calls it."""
    return field(default="", metadata={"called": called})


@dataclass(frozen=True, kw_only=True, repr=False)
class Sheet:
    """A decision to take away: pages for people, and JSON and YAML for programs.

    Parameters
    ----------
    about, use, whom, region, unprotected, processing : str
        What is published, what for, about whom and where; what is published beside it without
        noise, and what is done to it after the noise.
    attacker, reasons, rejected : str
        Who the attacker is taken to be, why this ε, what was rejected and why.
    curator, trusted, library, names, date, review : str
        Who publishes, who sees the data as they are, which program adds the noise, who decided,
        when, and when it is looked at again. Each of these texts has at most 10,000 characters.
        Nothing is filled in for you.
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

    def __post_init__(self) -> None:
        for name in (*WORDS, "version"):
            checked_text(name, getattr(self, name))

    @property
    def said(self) -> dict[str, Any]:
        """What people said, under each of `WORDS`."""
        return {name: getattr(self, name) for name in WORDS}

    @property
    def title(self) -> str:
        """The decision in a few words."""
        raise NotImplementedError

    @property
    def verdict(self) -> str:
        """Whether it may be published, and if not why: the first line of every page."""
        raise NotImplementedError

    @property
    def tables(self) -> list[_page.Table]:
        """All that its pages say."""
        raise NotImplementedError

    def public(self) -> Self:
        """Return the version for publishing: without what depends on secret data."""
        return self

    def content(self) -> dict[str, Any]:
        """Return its fields as JSON has them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_content(cls, content: dict[str, Any]) -> Self:
        """Make it of the fields that JSON had, or raise an error that says what is wrong."""
        raise NotImplementedError

    def json(self) -> str:
        """Write it as JSON, for `load`."""
        content = {"program": self.program, "format": FORMAT} | self.content()
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)

    def markdown(self) -> str:
        """Write it as Markdown, for people. What users typed is escaped."""
        footer = f"Made with dpwidgets {self.version}"
        if self.version != __version__:
            footer += f"; its numbers are computed by dpwidgets {__version__}"
        title = f"Decision record: {self.title}"
        return _page.markdown(title, self.verdict, self.tables, footer)

    def html(self) -> str:
        """Write the same as a page that prints on A4, and needs no network."""
        return _page.html(self.markdown())

    def registry(self) -> str:
        """Write an entry for the Differential Privacy Deployments Registry, as YAML.

        It has what the registry's second tier asks for, and more where the record says it. It is a
        draft that people look through before they hand it in.

        Returns
        -------
        str
            The entry.

        Raises
        ------
        ValueError
            If nothing may be published, or people have not said what the registry needs: `about`,
            `use`, `region`, `curator`, `names`, and `date` as YYYY-MM-DD.
        """
        together, noise = self.public().together
        if noise is None:
            raise ValueError("an entry of the registry needs an ε that may be published")
        own = replace(together, used=0.0, used_delta=0.0)
        return written(self.releases, own, noise, self.said)

    @property
    def releases(self) -> list[tuple[str, Case, float]]:
        """The name, the case and the scale of the noise of each statistic that is published."""
        raise NotImplementedError

    @property
    def together(self) -> tuple[Limits, float | None]:
        """All that is published, and the number that sets its noise, if any."""
        raise NotImplementedError

    def code(self, library: str = "opendp") -> str:
        """Write a program that publishes each statistic once.

        Parameters
        ----------
        library : {"opendp"}
            Which library draws the noise: OpenDP, so that no last digits of floating-point numbers
            betray the truth.

        Returns
        -------
        str
            Python code, into which the data are to be put. It prints the guarantee that OpenDP
            gives, which is never less than what is true.

        Raises
        ------
        ValueError
            If there is no such library, or nothing is published.
        """
        one_of("library", library, ("opendp",))
        if not self.releases:
            raise ValueError("a program needs noise; this record publishes nothing")
        return program(self.releases)

    def __repr__(self) -> str:
        return f"Decision record: {self.title}. {self.verdict}"

    def _repr_html_(self) -> str:
        """Show the printed page in a notebook, in a frame of its own."""
        sheet = escape(self.html())
        size = 'width="100%" height="1120"'
        return f'<iframe srcdoc="{sheet}" title="Decision record" {size}></iframe>'

    def save(self, path: str | Path) -> Path:
        """Write it to a file: .md, .html, .json, .yaml (`registry`) or .py (`code`), as it ends.

        Raises
        ------
        ValueError
            If it ends with none of these, or the registry needs more.
        """
        path = Path(path)
        if path.suffix not in SUFFIXES:
            raise ValueError(f"path must end with {' or '.join(SUFFIXES)}; got {path.name!r}")
        path.write_text(getattr(self, SUFFIXES[path.suffix][1])(), encoding="utf-8")
        return path

    @classmethod
    def load(cls, source: str | bytes | Path) -> Self:
        """Read one from its JSON, or from a file of it.

        Parameters
        ----------
        source : str, bytes or Path
            The JSON as text that begins with a brace or as bytes, or a file's path.

        Returns
        -------
        Sheet
            The record. What its pages say is computed again.

        Raises
        ------
        ValueError
            If it is no JSON, has more than a million bytes, comes from another program or from a
            version with another format, or is damaged: it lacks something, or claims more.
        OSError
            If there is no such file.
        """
        try:
            if isinstance(source, str) and not source.lstrip().startswith("{"):
                source = Path(source)
            if isinstance(source, Path):
                source = source.read_bytes()
            content = load_json(source, LARGEST)  # of text, so many characters at most
        except ValueError as error:
            raise ValueError(
                f"a record is JSON, as .json() or .save() wrote it; this is not: {error}"
            ) from None
        if not isinstance(content, dict) or content.get("program") != cls.program:
            raise ValueError(f"this JSON comes from another program: it is no {cls.program}")
        if content.get("format") != FORMAT:
            raise ValueError(
                f"this record has format {described(content.get('format'))}; "
                f"dpwidgets {__version__} reads format {FORMAT}"
            )
        apart = ("program", "format", "warning")
        read = {name: value for name, value in content.items() if name not in apart}
        try:
            names = {field.name for field in fields(cls)}
            for wrong, what in ((names - read.keys(), "missing"), (read.keys() - names, "unknown")):
                if wrong:
                    raise ValueError(f"{', '.join(sorted(map(described, wrong)))} is {what}")
            return cls.from_content(read)
        except (TypeError, ValueError) as error:
            raise ValueError(f"the record is damaged: {error}") from None


#: What only people can say, and how a page calls it.
WORDS: dict[str, str] = {one.name: one.metadata["called"] for one in fields(Sheet) if one.metadata}
