"""A decision as a privacy label: a page for the people whom the data are about.

What it means for them stands first. The odds out of a hundred with and without
one's data follow Nanayakkara et al. (2023), whose readers understood odds best.
Last stand the nine kinds of fields that twelve experts named for such a label:
Dibia et al. (2025, arXiv:2507.15997), as notes on their Table 1 list them. What
else a record and its entry for the registry say goes into the ninth, the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from dpwidgets import __version__
from dpwidgets.decisions.case import (
    HOUSEHOLD,
    Case,
    Limits,
    guesses,
    in_all,
    told_by,
)
from dpwidgets.decisions.choice._page import OPEN, Page, Row, prefix
from dpwidgets.inputs.notation import rounded, several, up

_OPENING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Privacy label</title><style>
@page { margin: 12mm }
:root { color-scheme: light dark; --ink: #1b1b1b; --soft: #595959; --paper: #fff; --line: #999;
  --open: #b00020; --people: #00508c }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #eee; --soft: #b8b8b8;
  --paper: #161616; --line: #777; --open: #ff9a9a; --people: #8ccaff } }
body { font: 1rem/1.45 'DejaVu Sans', Verdana, Arial, sans-serif; color: var(--ink);
  background: var(--paper); max-width: 44rem; margin: 0 auto; padding: 1rem;
  overflow-wrap: anywhere }
header p, footer { color: var(--soft); margin: 0 } h1 { font-size: 1.5em; margin: 0 }
h2 { font-size: 1.15em; margin: 1.4em 0 .4em; border-bottom: .1em solid var(--line);
  break-after: avoid }
p, ul, dl { margin: .5em 0 } ul { padding-left: 1.2em }
.odds { display: flex; flex-wrap: wrap; gap: 1em 3em }
figure { flex: 0 1 15em; margin: .5em 0; break-inside: avoid }
figcaption strong { display: block; font-size: 1.3em }
svg { display: block; width: 100%; margin-bottom: .5em; color: var(--people) }
.right { fill: currentColor } .wrong { fill: none; stroke: currentColor; stroke-width: .5 }
dl div { break-inside: avoid; margin: .6em 0 }
dt { color: var(--soft) } dd { margin: 0 } em { color: var(--open) } footer { margin-top: 1.4em }
@media (min-width: 40em) { dl div { display: grid; grid-template-columns: 11em 1fr; gap: 0 1em }
  dd { grid-column: 2 } }
@media (forced-colors: active) { svg { color: CanvasText } }
@media print { body { font-size: 8.5pt; max-width: none; padding: 0 } .odds { gap: 0 1.5em }
  .odds .odds { flex-wrap: nowrap } figure { flex-basis: 13em } }
</style></head><body><main>
"""


@dataclass(frozen=True, kw_only=True)
class Label:
    """What a privacy label says, of what a record may publish.

    Its numbers are for everybody whose records depend on each other: for most
    cases that is one person.

    Parameters
    ----------
    together : Limits
        All that is published.
    noise : float or None
        What sets its noise; None where that is not published.
    refused : bool
        Whether nothing is published at all.
    words : mapping
        What people said.
    called : mapping
        How a page calls each of these words.
    unpromised : sequence of str
        What no promise takes in.
    """

    together: Limits
    noise: float | None
    refused: bool
    words: Mapping[str, str]
    called: Mapping[str, str]
    unpromised: Sequence[str]

    def html(self) -> Page:
        """Write it as a page that prints on any sheet, and needs no network."""
        about = _marked(self._word("about"))
        parts = [
            _OPENING,
            f"<header><p>Privacy label</p><h1>{about}</h1></header>\n",
            f"<h2>What it can tell about you</h2>\n{self._odds}",
            _list(self._consequences),
        ]
        if not self.refused:
            parts += ["<h2>Questions and answers</h2>\n", _rows(self._answers)]
            parts += ["<h2>What is not promised</h2>\n", self._unpromised]
        parts += ["<h2>What experts ask for</h2>\n", _rows(self._fields)]
        parts += [f"</main><footer>Made with dpwidgets {__version__}"]
        return Page("".join([*parts, "</footer></body></html>\n"]))

    @property
    def _unpromised(self) -> str:
        """What no promise takes in, each once."""
        lines: list[str] = []
        for _, case, _ in self._named:
            lines += case.warnings
        return _list(dict.fromkeys([*lines, *self.unpromised]))

    def _word(self, name: str) -> str:
        return self.words[name].strip() or OPEN

    @property
    def _named(self) -> list[tuple[str, Case, float]]:
        """Each statistic as a sentence names it, its case, and the scale of its noise."""
        noise = 1.0 if self.noise is None else self.noise
        named = []
        for name, case, scale in self.together.named(noise):
            named.append((prefix(name), case, scale))
        return named

    @property
    def _missing(self) -> str:
        """Why nothing is said of how strongly people are protected."""
        if self.refused:
            return "Nothing is published, and so it tells nothing about you."
        return (
            "How much it can tell about you is not said: it follows from a choice that was made "
            "with the secret data, and would tell of them."
        )

    @property
    def _everything(self) -> str:
        """All that is published, in words."""
        count, _ = self.together.counted(HOUSEHOLD)
        every = f"all {count:,} releases" if count > 1 else "the release"
        if used := self.together.used_up:
            every += f", with {used}"
        return every

    @property
    def _odds(self) -> str:
        """How many of 100 guesses are right, with and without one's data, as pictures."""
        if self.noise is None:
            return f"<p>{self._missing}</p>\n"
        instead = ""
        if self.together.neighbours == "replace":
            instead = ", which then are replaced by others"
        theirs = ""
        people = self.together.people(HOUSEHOLD)
        if people > 1:
            theirs = f" “Your data” are those of {people:,} people that depend on each other."
        text = (
            "Think of 100 people in your place. About each of them somebody guesses what the "
            f"data of this person say: without these data{instead}, or with them, after "
            f"{self._everything}. The pictures say how many guesses are right on average, however "
            f"clever they are, and even if all other data are known.{theirs}"
        )
        parts = [f"<p>{escape(text)}</p>\n", '<div class="odds">\n']
        for guess in guesses(self.together):
            often = guess.right(self.noise, HOUSEHOLD)
            blind = math.floor(rounded(100 * guess.blind, 9))
            right = math.ceil(rounded(100 * often, 9))
            without = _figure(blind, "Without your data", f"{blind} of 100")
            with_them = _figure(
                right, "With your data", f"at most {right} of 100"
            )
            both = f'<div class="odds">{without}{with_them}</div>'
            parts.append(f"<div><p>Of {guess.what}:</p>{both}</div>\n")
        return "".join([*parts, "</div>\n"])

    @property
    def _consequences(self) -> list[str]:
        """What else the noise means, for people and for who uses the numbers."""
        if self.noise is None:
            return []
        lines = []
        for name, case, scale in self._named:
            which = "each" if case.numbers * case.releases > 1 else "the"
            off = case.in_groups(case.error(scale))
            noisy = f"the noise changes {which} published number by {off}"
            lines.append(_begun(f"{name}{noisy} on average."))
        return lines

    @property
    def _answers(self) -> list[Row]:
        """The questions of people, each with its answers."""
        word = self._word
        people = self.together.people(HOUSEHOLD)
        known = any(case.public_n for _, case, _ in self._named)
        protected = "Whether somebody is in the data, and what they say of this person."
        if self.together.neighbours == "replace" or known:
            protected = "What the data say of one person, but not whether somebody is in the data."
        which = [case.not_which_group for _, case, _ in self._named]
        protected = " ".join(filter(None, dict.fromkeys([protected, *which])))
        if people > 1:
            protected += f" The same of {people:,} people whose data depend on each other."
        published = (f"{name}{case.what}" for name, case, _ in self._named)
        return [
            ("What is published?", *published),
            ("About whom?", word("whom"), f"Region: {word('region')}"),
            ("What for?", word("use")),
            ("What is protected?", protected),
            (
                "From whom?",
                "From everybody who sees what is published, whatever they know and whatever "
                "computers they have.",
                f"Not from those who see the data themselves: {word('trusted')}",
            ),
            (
                "Until when?",
                "For ever: what is published stays, and so does this limit. Whatever else is "
                "published about the same people may tell more.",
                f"When this is looked at again: {word('review')}",
            ),
            (
                "Who can be asked?",
                f"Who publishes: {word('curator')}",
                f"Who decided: {word('names')}",
                f"When: {word('date')}",
            ),
        ]

    @property
    def _fields(self) -> list[Row]:
        """What experts ask for, in their nine kinds and in the words of people, or open."""
        rows: list[Row] = [("Privacy parameters", self._missing)]
        if self.noise is not None:
            rows = self._measures(self.noise)
        if not self.refused:
            rows += self._making
        for key, name in self.called.items():
            if key not in _ANSWERED or self.refused:
                rows.append((_begun(name), self._word(key)))
        return rows

    def _measures(self, noise: float) -> list[Row]:
        """Return what follows from the noise: how strong it is, how much, and what it spoils."""
        together = self.together
        epsilon = in_all(together, noise, HOUSEHOLD)
        kind = "approximate" if "δ" in epsilon else "pure"
        strength = [
            f"{epsilon}, of {self._everything}: {kind} differential privacy"
        ]
        strength.append(f"ρ = {up(together.rho(noise, HOUSEHOLD))} (zCDP)")
        errors = []
        scales = []
        for name, case, scale in self._named:
            off = case.in_groups(case.error(scale))
            errors.append(f"{name}a mean absolute error of {off}")
            scales.append(f"{name}scale {case.in_groups(scale, 6)}")
        return [
            ("Privacy parameters", *strength),
            ("Its meaning", "the odds above, which no attack exceeds"),
            ("Utility", *errors),
            ("Settings of the mechanism", *scales),
        ]

    @property
    def _making(self) -> list[Row]:
        """How it is made: what the record says without people and without its noise."""
        whom = several(self.together.people(HOUSEHOLD), "person", "people")
        noises = []
        cuts = []
        steps = []
        often = []
        for name, case, _ in self._named:
            noises.append(f"{name}{case.mechanism} noise")
            cuts.append(f"{name}without {case.cut}")
            steps.append(f"{name}{case.step}")
            often.append(f"{name}{several(case.releases, 'release')}")
        used_up = [told_by(self.together, one) for one in self.together.before]
        used_up += [one.words for one in self.together.used_by_others]
        return [
            ("Mechanism", *noises),
            ("Its data", *cuts),
            ("Unit of privacy", whom, *steps),
            (
                "Deployment model",
                "central: whoever has the data adds the noise",
            ),
            ("Attacks that were tried on it", OPEN),
            ("How often", *often),
            ("Used up before", *(used_up or ["nothing is counted"])),
        ]


#: The words that the questions have answered.
_ANSWERED = (
    "about", "use", "whom", "region", "trusted", "review", "curator", "names", "date",
)  # fmt: skip


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


def _marked(text: str) -> str:
    """Escape a text, and mark what is open in it."""
    return escape(text).replace(OPEN, f"<em>{OPEN}</em>")


def _begun(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_marked(line)}</li>\n" for line in lines)
    return f"<ul>\n{items}</ul>\n" if items else ""


def _rows(rows: Iterable[Row]) -> str:
    """Write what something is called, and all that is said of it."""
    parts = []
    for name, *facts in rows:
        details = "".join(f"<dd>{_marked(fact)}</dd>" for fact in facts)
        parts.append(f"<div><dt>{_marked(name)}</dt>{details}</div>\n")
    return f"<dl>\n{''.join(parts)}</dl>\n"
