"""A decision as a privacy label: a page for the people whom the data are about.

What it means for them stands first. The odds out of a hundred with and without
one's data follow Nanayakkara et al. (2023), whose readers understood odds best.
Last stand the nine kinds of fields that twelve experts named for such a label:
Dibia et al. (2025, arXiv:2507.15997), as notes on their Table 1 list them. What
else a record says goes into the ninth, the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from dpwidgets import __version__
from dpwidgets.decisions.case import guesses, in_all, stated
from dpwidgets.decisions.goals import Row, Table
from dpwidgets.decisions.record._page import UNSAID, Page, begun, html, section
from dpwidgets.inputs.notation import rounded, several, up

#: The words that the questions have answered.
_ANSWERED = (
    "about", "use", "whom", "region", "trusted", "review", "curator", "names", "date",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Label:
    """What a privacy label says, of what a record may publish.

    Its numbers are for everybody whose records depend on each other: for most
    cases that is one person.

    Parameters
    ----------
    record : Record
        The record, without what depends on secret data.
    called : mapping
        How a page calls each of the words of people.
    """

    record: Any
    called: Mapping[str, str]

    def html(self) -> Page:
        """Write it as a page that prints on any sheet, and needs no network."""
        changes = [(begun(line),) for line in self.record.facts["changes"]]
        tell = Table("What it can tell about you", (), changes)
        tables = []
        if not self.record.refused:
            tables.append(Table("Questions and answers", (), self._answers))
            tables.append(self.record.unpromised)
        tables.append(Table("What experts ask for", (), self._fields))
        return html(
            "Privacy label",
            self.record.about.strip() or self._called,
            "",
            [section(tell, self._odds), *map(section, tables)],
            f"Made with dpwidgets {__version__}",
        )

    @property
    def _called(self) -> str:
        """What is published, in a few words, where nobody said it."""
        names = [
            name or f"A {case.published} of {case.unit}"
            for name, case, _ in self.record.whole.named(1.0)
        ]
        return begun(", ".join(names))

    def _said(self, name: str, before: str = "") -> Row:
        """Return what people said under one of the words, if they did."""
        words = self.record.said | {"unprotected": self.record.unhidden}
        text = words[name].strip()
        return (f"{before}{text}",) if text else ()

    @property
    def _missing(self) -> str:
        """Why nothing is said of how strongly people are protected."""
        if self.record.refused:
            return "Nothing is published, and so it tells nothing about you."
        return (
            "How much it can tell about you is not said: it follows from a choice that was made "
            "with the secret data, and would tell of them."
        )

    @property
    def _everything(self) -> str:
        """All that is published, in words."""
        whole = self.record.whole
        return f"{whole.every_release}{whole.beside_clause}"

    @property
    def _odds(self) -> str:
        """How many of 100 guesses are right, with and without one's data, as pictures."""
        if self.record.noise is None:
            return f"<p>{self._missing}</p>\n"
        instead = ""
        if self.record.whole.neighbours == "replace":
            instead = ", which then are replaced by others"
        theirs = ""
        people = self.record.whole.household
        if people > 1:
            theirs = f" “Your data” are those of {people:,} people that depend on each other."
        text = (
            "Think of 100 people in your place. About each of them somebody guesses what the "
            f"data of this person say: without these data{instead}, or with them, after "
            f"{self._everything}. The pictures say how many guesses are right on average, however "
            f"clever they are, and even if all other data are known.{theirs} {self._not_which}"
        )
        parts = [f"<p>{escape(text.strip())}</p>\n", '<div class="odds">\n']
        for guess in guesses(self.record.whole):
            often = guess.right(self.record.noise)
            blind = math.floor(rounded(100 * guess.blind, 12))
            right = math.ceil(rounded(100 * often, 12))
            without = _figure(blind, "Without your data", f"{blind} of 100")
            with_them = _figure(
                right, "With your data", f"at most {right} of 100"
            )
            both = f'<div class="odds">{without}{with_them}</div>'
            says = f"Of {guess.what}:"
            if right == blind:
                says += " no guess gets better."
            parts.append(f"<div><p>{says}</p>{both}</div>\n")
        return "".join([*parts, "</div>\n"])

    @property
    def _answers(self) -> list[Row]:
        """The questions of people, each with its answers; none that nobody has answered."""
        said = self._said
        asked = [
            ("What is published?", *self.record.facts["what"]),
            ("About whom?", *said("whom"), *said("region", "Region: ")),
            ("What for?", *said("use")),
            ("What is protected?", self._protected),
            (
                "From whom?",
                "From everybody who sees what is published, whatever they know and whatever "
                "computers they have.",
                "Not from those who see the data themselves.",
                *said("trusted", "Who sees them: "),
            ),
            (
                "Until when?",
                "For ever: what is published stays, and so does this limit. Whatever else is "
                "published about the same people may tell more.",
                *said("review", "When this is looked at again: "),
            ),
            (
                "Who can be asked?",
                *said("curator", "Who publishes: "),
                *said("names", "Who decided: "),
                *said("date", "When: "),
            ),
        ]
        return [row for row in asked if len(row) > 1]

    @property
    def _protected(self) -> str:
        """What the noise hides."""
        cases = self.record.whole.cases
        protected = "Whether somebody is in the data, and what they say of this person."
        known = any(case.public_n for case in cases)
        if self.record.whole.neighbours == "replace" or known:
            protected = "What the data say of one person, but not whether somebody is in the data."
        protected = f"{protected} {self._not_which}".strip()
        people = self.record.whole.household
        if people > 1:
            protected += f" The same of {people:,} people whose data depend on each other."
        return protected

    @property
    def _not_which(self) -> str:
        """What means of groups do not protect, if there are any."""
        said = {case.not_which_group for case in self.record.whole.cases}
        return "".join(said)

    @property
    def _fields(self) -> list[Row]:
        """What experts ask for, in their nine kinds and in the words of people."""
        rows: list[Row] = [("Privacy parameters", self._missing)]
        if self.record.noise is not None:
            rows = self._measures(self.record.noise)
        if not self.record.refused:
            rows += self._making
        for key, name in self.called.items():
            said = self._said(key)
            if said and (key not in _ANSWERED or self.record.refused):
                rows.append((begun(name), *said))
        # No record says which attacks were tried.
        open_ones = [*self.record.unsaid, "attacks that were tried on it"]
        return [*rows, (begun(UNSAID), "; ".join(open_ones))]

    def _measures(self, noise: float) -> list[Row]:
        """Return what follows from the noise: how strong it is, how much, and what it spoils."""
        together = self.record.whole
        _, delta = stated(together, noise)
        kind = "approximate" if delta else "pure"
        return [
            (
                "Privacy parameters",
                f"{in_all(together, noise)}, of {self._everything}: {kind} differential privacy",
                f"ρ = {up(together.rho(noise))} (zCDP)",
            ),
            (
                "Its meaning",
                "the odds above, which no attack on what is protected exceeds",
            ),
            ("Utility", *self.record.facts["error"]),
            ("Settings of the mechanism", *self.record.facts["noise"]),
        ]

    @property
    def _making(self) -> list[Row]:
        """How it is made: what the record says without people and without its noise."""
        of = self.record.facts
        whom = several(self.record.whole.household, "person", "people")
        before = self.record.whole.past.rows(self.record.whole.delta)
        return [
            ("Mechanism", *of["mechanism"]),
            ("Its data", *of["cut"]),
            ("Unit of privacy", whom, *of["unit"]),
            (
                "Deployment model",
                "central: whoever has the data adds the noise",
            ),
            ("How often", *of["releases"]),
            (
                "Used up before, about each person",
                *(before or ["nothing is counted"]),
            ),
        ]


def _figure(right: int, whose: str, odds: str) -> str:
    """Draw 100 people, of whom so many are filled, and say below it what that means."""
    filled = "".join(map(_person, range(right)))
    empty = "".join(map(_person, range(right, 100)))
    people = (
        f'<path class="right" d="{filled}"/><path class="wrong" d="{empty}"/>'
    )
    spoken = f"{whose}: 100 people, of whom {right} are filled in."
    return (
        f'<figure><svg role="img" aria-label="{spoken}" viewBox="0 0 100 120">{people}</svg>'
        f"<figcaption>{whose} <strong>{odds}</strong> guesses are right</figcaption></figure>"
    )


def _person(place: int) -> str:
    """Draw one of 100 people, in rows of ten."""
    row, column = divmod(place, 10)
    x = 10 * column
    y = 12 * row
    return f"M{x + 5} {y + 1}{_HEAD}M{x + 2} {y + 11}{_BODY}"


#: The outlines of a person, from the top of the head and from the left foot.
_HEAD = "a2 2 0 1 0 .01 0z"
_BODY = "v-2a3 3 0 0 1 6 0v2z"
