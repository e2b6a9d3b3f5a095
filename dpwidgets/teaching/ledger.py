"""A ledger: what a text prints, beside what it should print, each line with a verdict."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from dpwidgets.inputs import typed
from dpwidgets.inputs.domain import one_of
from dpwidgets.texts import TEXTS

_DECIMAL = re.compile(
    r"[±+\-−]?\d[\d,]*(?:\.(?P<places>\d*))?(?:[eE](?P<power>[+-]?\d+))?(?P<percent>\s*%)?"
)
_FOLD = 6  # a ledger with more lines than this is folded
#: What each verdict means, in every audit, with the mark that stands before
#: it.
VERDICTS = {
    "match": (
        "✓",
        "the statement holds in the range that the text speaks of, or the printed digits are those "
        "that we compute",
    ),
    "rounding": (
        "≈",
        "right but for rounding: the last digit is off by one, or the text went on with rounded "
        "numbers, and the line says with which. A whole number that is off by one is no rounding, "
        "unless the text says that it is rounded",
    ),
    "misprint": (
        "✎",
        "the text means the right thing, as its own words or formulas show elsewhere, and prints "
        "another; the line says what should stand there",
    ),
    "wrong": (
        "✗",
        "the whole sentence, with its conditions and in the range that it speaks of, is false in "
        "every reading that we found, and the text prints the right thing nowhere",
    ),
    "perhaps our copy's": (
        "?",
        "false as it stands, and true once a symbol, a digit or a piece of a formula is put right; "
        "our copy went through a program that loses and exchanges these. Counted apart from what "
        "is the authors' own",
    ),
    "note": (
        "…",
        "no verdict, and not counted. One reading makes the sentence true and another false, and "
        "the note says both; or the text itself limits it elsewhere, or takes it back; or it is a "
        "definition, a judgement, a report, or a choice that is the authors' own; or it is a slip "
        "that one sees by reading and on which nothing depends (a bracket, a name, the number of a "
        "figure); or it adds something to another line",
    ),
}
_ONCE = (
    "A verdict is about the whole sentence, even where a part of it is quoted. An error that the "
    "text repeats is counted once. Words in quotation marks are the text's own."
)


class Erratum(NamedTuple):
    """What is right where the text is not, and which of the `VERDICTS` that is.

    Attributes
    ----------
    verdict : str
        "rounding", "misprint", "wrong", "perhaps our copy's" or "note".
    right : str
        What was rounded on the way, what should stand there, what is true, or
        why there is no verdict.
    """

    verdict: str
    right: str


class Entry(NamedTuple):
    """One line of a ledger: what is printed where, and what is found."""

    where: str
    printed: str
    computed: str
    verdict: str
    remark: str


@dataclass
class Ledger:
    """Every number and statement that a text prints, checked against a computed one.

    A line that differs from the text without saying why is an error, so a
    notebook that ends with its ledger is a test of the text and of the
    notebook.

    Parameters
    ----------
    text : str
        The text's word, as in `dpwidgets.texts`.

    Raises
    ------
    ValueError
        If there is no such text.

    Examples
    --------
    >>> ledger = Ledger("interval")
    >>> ledger.check("Sec. 2, Eq. (3)", "0.99", math.exp(-0.01))
    >>> erratum = Erratum("wrong", "it is 1.01")
    >>> ledger.check("Sec. 2, Eq. (3)", "1.03", math.exp(0.01), erratum=erratum)
    >>> ledger.claim("Sec. 3, after Eq. (10)", "ε falls as c grows", 1 / 200 < 1 / 100)
    >>> ledger
    Ledger of interval, 3 checked: 2 match, 1 wrong
    >>> ledger.lines[1].computed
    '1.0101'
    """

    text: str
    lines: list[Entry] = field(default_factory=list, init=False)
    _parts: list[Ledger] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        one_of("text", self.text, [text.word for text in TEXTS])

    def check(
        self,
        where: str,
        printed: str,
        computed: float,
        *,
        erratum: Erratum | None = None,
    ) -> None:
        """Compare a printed number with a computed one.

        Parameters
        ----------
        where : str
            Where it is printed: the section, a comma, the place in it.
        printed : str
            The number as the text prints it. A decimal number is compared to
            as many digits as it shows, commas in it separating thousands.
            Anything else that `typed.parse` reads, like ``ln 2`` or ``1/3``,
            is compared to twelve digits.
        computed : float
            What it should be.
        erratum : Erratum, optional
            What is right. Needed when the two differ by more than one unit of
            the last printed digit, of a whole number by more than half of one,
            and refused when they agree.

        Raises
        ------
        ValueError
            If `printed` is not a number, the numbers differ and no erratum says
            why, or an erratum stands where they agree.
        """
        computed = float(computed)
        value, unit = _read(printed)
        # So that 0.125, printed 0.13, is no misprint.
        slack = 1e-9 * unit + 4 * math.ulp(computed)
        distance = abs(value - computed) - slack
        verdict = "different"
        if distance <= unit / 2:
            verdict = "match"
        elif distance <= unit != 1:  # a whole number is exact
            verdict = "rounding"
        beside = _beside(computed, printed, unit)
        self._add(where, printed, beside, verdict, erratum)

    def claim(
        self,
        where: str,
        statement: str,
        holds: bool,
        *,
        erratum: Erratum | None = None,
    ) -> None:
        """Record a statement without a number, and whether it holds.

        Parameters
        ----------
        where : str
            Where it is printed.
        statement : str
            What the text says, in your own words.
        holds : bool
            Whether it holds, computed.
        erratum : Erratum, optional
            What is right. Needed when the statement does not hold, and refused
            when it does.

        Raises
        ------
        ValueError
            If the statement does not hold and no erratum says why, or the
            other way round.
        """
        found = ("holds", "match") if holds else ("does not hold", "different")
        self._add(where, statement, *found, erratum)

    def note(self, where: str, statement: str, why: str) -> None:
        """Show a statement that gets no verdict; it is not counted.

        Parameters
        ----------
        where : str
            Where it is printed.
        statement : str
            What the text says, in your own words.
        why : str
            Why there is no verdict.
        """
        self._add(where, statement, "", "different", Erratum("note", why))

    @property
    def verdicts(self) -> Verdicts:
        """What the verdicts mean, for the head of an audit: the same in all of them."""
        return Verdicts()

    def part(self) -> Ledger:
        """Begin a part, a ledger that is shown by itself; the tally of the whole counts it too.

        Returns
        -------
        Ledger
            An empty ledger of the same text.
        """
        part = Ledger(self.text)
        self._parts.append(part)
        return part

    @property
    def tally(self) -> str:
        """How many lines were checked, and how many of them got each verdict."""
        counts: Counter[str] = Counter()
        for one in (self, *self._parts):
            counts.update(line.verdict for line in one.lines)
        notes = counts.pop("note", 0)
        if notes and not counts:
            return f"{notes} noted"
        tally = f"{counts.total()} checked"
        verdicts = [
            f"{counts[verdict]} {verdict}"
            for verdict in VERDICTS
            if counts[verdict]
        ]
        if verdicts:
            tally += f": {', '.join(verdicts)}"
        if notes:
            tally += f"; {notes} noted"
        return tally

    def _add(
        self,
        where: str,
        printed: str,
        computed: str,
        verdict: str,
        erratum: Erratum | None,
    ) -> None:
        """Add a line; one that differs needs an erratum, and no other may have one.

        Before the first comma of `where` stands its section.
        """
        if (verdict == "different") is (erratum is None):
            why = "nothing differs, so there is no erratum"
            if erratum is None:
                why = "add an erratum that says what is right"
            raise ValueError(f"{where}: “{printed}” — {computed}; {why}")
        remark = ""
        if erratum is not None:
            verdict = one_of("verdict", erratum.verdict, [*VERDICTS][1:])
            remark = erratum.right
        self.lines.append(Entry(where, printed, computed, verdict, remark))

    def __repr__(self) -> str:
        return f"Ledger of {self.text}, {self.tally}"

    def _repr_html_(self) -> str:
        head = _row("th", "text-align:left", Entry._fields[:4])
        rows = "".join(map(_cells, self.lines))
        opened = "" if len(self.lines) > _FOLD else " open"
        return (
            f"<details{opened}><summary><b>{self.tally}</b></summary><table>"
            f"<thead>{head}</thead><tbody>{rows}</tbody></table></details>"
        )


class Verdicts:
    """What the verdicts of all audits mean, as a list.

    Examples
    --------
    >>> Verdicts()
    What the verdicts of an audit mean
    """

    def __repr__(self) -> str:
        return "What the verdicts of an audit mean"

    def _repr_html_(self) -> str:
        items = "".join(
            f"<li>{mark} <b>{name}</b>: {html.escape(meaning)}.</li>"
            for name, (mark, meaning) in VERDICTS.items()
        )
        return (
            f'<ul style="list-style:none">{items}</ul>'
            f"<p>{html.escape(_ONCE)}</p>"
        )


def _row(tag: str, look: str, cells: Iterable[str]) -> str:
    row = "".join(f'<{tag} style="{look}">{cell}</{tag}>' for cell in cells)
    return f"<tr>{row}</tr>"


def _cells(line: Entry) -> str:
    """Return a line's row, as HTML."""
    words = map(html.escape, (line.where, line.printed, line.computed))
    mark, _ = VERDICTS[line.verdict]
    verdict = f"{mark} {line.verdict}"
    if line.remark:
        verdict += f"<br>{html.escape(line.remark)}"
    return _row("td", "text-align:left;vertical-align:top", [*words, verdict])


def _read(printed: str) -> tuple[float, float]:
    """Return the printed number and the size of its last digit."""
    value = typed.parse(printed.replace(",", "").replace("±", ""))
    match = _DECIMAL.fullmatch(printed.strip())
    if match is None:
        return value, 1e-12 * abs(value)
    power = int(match["power"] or 0) - len(match["places"] or "")
    if match["percent"]:
        power -= 2
    return value, 10.0**power


def _beside(computed: float, printed: str, unit: float) -> str:
    """Write the computed number with two digits more than the printed one, as a % where that is."""
    sign = ""
    if "%" in printed:
        sign = "%"
        computed *= 100
        unit *= 100
    places = max(0, round(-math.log10(unit)) + 2)
    form = f".{places}f" if places < 12 else ".12g"
    return f"{computed:{form}}{sign}"
