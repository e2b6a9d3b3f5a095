"""The record of a decision: the ε that was chosen, for which goals, and what was rejected.

A record is for the people who answer for a release. It holds no data. Where an ε was derived from
secret data the record says so: from the ε, or from the limits of the goals, something about the
data may be computed.
"""

from __future__ import annotations

import html
import json
import math
import numbers
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from dpwidgets import __version__
from dpwidgets.calculators.choice._goals import CountGoal, Goal, RiskGoal, rounded
from dpwidgets.calculators.domain import EPSILON
from dpwidgets.calculators.interpretation import Meaning
from dpwidgets.calculators.meanings import meanings
from dpwidgets.notation import show
from dpwidgets.outside import checked_text, described, load_json

PROGRAM, FORMAT = "dpwidgets decision record", 1
#: How many goals a record may have, and how many bytes its JSON.
MOST_GOALS, LARGEST = 20, 1_000_000
#: What a record says of an ε that was derived from secret data.
NOT_FOR_PUBLISHING = "depends on your data: not for publishing"

_DATA = ("values", "query")  # the assumptions that hold a column, or a function for one


@dataclass(frozen=True)
class RecordedMeaning:
    """One meaning of the chosen ε, as a record keeps it: a `Meaning`'s words, its number at this ε.

    `value` is None where the number is infinite.

    Raises
    ------
    TypeError, ValueError
        If the value is no finite number, or another field no text.
    """

    name: str
    value: float | None
    sentence: str
    text: str
    equation: str
    unit: str
    mechanism: str
    neighbours: str
    knows: str
    releases: str
    note: str

    def __post_init__(self) -> None:
        if self.value is not None:
            _number(self.value)
        for field in fields(self):
            if field.name != "value":
                checked_text(field.name, getattr(self, field.name))


@dataclass(frozen=True)
class Record:
    """A decision about ε, to take away. `record` makes one, `Record.load` reads one.

    What `record` makes or `load` reads can be written as JSON, read back the same, and shown.

    Parameters
    ----------
    epsilon : float
        The chosen ε.
    goals : tuple of Goal
        What it was chosen for, without their data: at most 20 goals.
    assumptions : tuple of (str, number or str)
        The names and values of what was assumed.
    meanings : tuple of RecordedMeaning
        Every meaning of this ε.
    rejected : tuple of (str, str)
        What was rejected, and why.
    from_data : bool
        Whether a goal or a meaning depends on secret data.
    about, names, date : str
        What is released, who decided, and when, in the user's words.
    version : str
        The version of dpwidgets that made the record.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be, or the record is too large for a file.
    """

    epsilon: float
    goals: tuple[Goal, ...]
    assumptions: tuple[tuple[str, float | str | None], ...]
    meanings: tuple[RecordedMeaning, ...]
    rejected: tuple[tuple[str, str], ...]
    from_data: bool
    about: str
    names: str
    date: str
    version: str

    def __post_init__(self) -> None:
        for name in ("about", "names", "date", "version"):
            checked_text(name, getattr(self, name))
        EPSILON.check_one("epsilon", self.epsilon)
        if not isinstance(self.from_data, bool):
            raise TypeError(f"from_data must be true or false; got {described(self.from_data)}")
        for goal in _goals(self.goals):
            if goal != goal.without_data():
                raise ValueError("goals must be without their data")
            if goal.from_data and not self.from_data:
                raise ValueError("from_data must be true where a goal depends on data")
        for name, value in self.assumptions:
            _assumption(name, value)
        for meaning in self.meanings:
            if not isinstance(meaning, RecordedMeaning):
                raise TypeError(f"meanings must be recorded ones; got {described(meaning)}")
        _pairs(self.rejected)
        if len(self.json().encode()) > LARGEST:
            raise ValueError(f"a record must have at most {LARGEST / 1e6:g} MB")

    def json(self) -> str:
        """Write the record as JSON, for `load`."""
        content: dict[str, Any] = {
            "program": PROGRAM,
            "format": FORMAT,
            "version": self.version,
        }
        content |= {"warning": NOT_FOR_PUBLISHING} if self.from_data else {}
        content |= {field.name: getattr(self, field.name) for field in fields(self)}
        content["goals"] = [goal.to_dict() for goal in self.goals]
        content["meanings"] = [asdict(meaning) for meaning in self.meanings]
        content["assumptions"] = dict(self.assumptions)
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)

    def markdown(self) -> str:
        """Write the record as Markdown, for people. What users typed is escaped."""
        lines = [f"# Decision record: ε = {show(self.epsilon, 6)}", ""]
        if self.from_data:
            lines += [f"> **This ε {NOT_FOR_PUBLISHING}.**", ""]
        typed = {"What is released": self.about, "Who decided": self.names, "When": self.date}
        lines += [f"- {label}: {_escape(said)}" for label, said in typed.items() if said]
        lines += [f"- Made with dpwidgets {_escape(self.version)}"]
        allowed = [goal.interval() for goal in self.goals]
        met = ["yes" if one.allows(self.epsilon) else "no" for one in allowed]
        goals = zip([goal.sentence for goal in self.goals], map(str, allowed), met, strict=True)
        lines += _table("Goals", ("goal", "what it allows", "met"), goals)
        lines += _table(
            "Assumptions",
            ("what", "assumed"),
            [(name, _said(value)) for name, value in self.assumptions],
        )
        lines += _table(
            f"What ε = {show(self.epsilon, 6)} means",
            ("meaning", "sentence", "holds for", "source"),
            [
                (
                    meaning.name,
                    f"{meaning.sentence} {meaning.note}",
                    _holds_for(meaning),
                    ": ".join(filter(None, (meaning.text, meaning.equation))),
                )
                for meaning in self.meanings
            ],
        )
        lines += _table("Rejected", ("what", "why"), self.rejected)
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> Path:
        """Write the record to a file: Markdown if the name ends with .md, JSON if with .json.

        Raises
        ------
        ValueError
            If it ends with neither.
        """
        path = Path(path)
        writers = {".md": self.markdown, ".json": self.json}
        if path.suffix not in writers:
            raise ValueError(f"path must end with .md or .json; got {path.name!r}")
        path.write_text(writers[path.suffix](), encoding="utf-8")
        return path

    @classmethod
    def load(cls, source: str | bytes | Path) -> Record:
        """Read a record from its JSON, or from a file of it.

        Parameters
        ----------
        source : str, bytes or Path
            The JSON as text that begins with a brace or as bytes, or a file's path.

        Returns
        -------
        Record
            The record.

        Raises
        ------
        ValueError
            If it is no JSON, has more than a million bytes, comes from another
            program or from a version with another format, or is damaged.
        OSError
            If there is no such file.
        """
        try:
            content = load_json(_written(source), LARGEST)  # of text, so many characters at most
        except ValueError as error:
            raise ValueError(
                f"a record is JSON, as .json() or .save() wrote it; this is not: {error}"
            ) from None
        if not isinstance(content, dict) or content.get("program") != PROGRAM:
            raise ValueError(
                "this JSON comes from another program: it is no decision record of dpwidgets"
            )
        if content.get("format") != FORMAT:
            found, version = described(content.get("format")), described(content.get("version"))
            raise ValueError(
                f"this record has format {found}, written by dpwidgets {version}; "
                f"dpwidgets {__version__} reads format {FORMAT}"
            )
        try:
            return _from_json(content)
        except (KeyError, TypeError, ValueError) as error:
            what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
            raise ValueError(f"the record is damaged: {what}") from None


def record(
    epsilon: float,
    goals: Iterable[Goal] = (),
    *,
    assumptions: dict[str, Any] | None = None,
    rejected: Iterable[tuple[str, str]] = (),
    about: str = "",
    names: str = "",
    date: str = "",
) -> Record:
    """Record a decision about ε.

    Parameters
    ----------
    epsilon : float
        The chosen ε, from 1e-8 to 1000.
    goals : iterable of Goal
        What it was chosen for, at most 20 goals. What they rule out is listed as rejected. A
        `RiskGoal`'s worlds serve the meanings of the worlds text too.
    assumptions : dict, optional
        The arguments of `meanings.meanings`. The record keeps nothing of a column, and no secret
        count.
    rejected : iterable of (str, str)
        What else was rejected, and why.
    about, names, date : str
        What is released, who decided, and when, in at most 10,000 characters each. Nothing is
        filled in for you.

    Returns
    -------
    Record
        The record.

    Raises
    ------
    TypeError, ValueError
        If epsilon lies outside its domain, or something else is not what it must be.

    Examples
    --------
    >>> from dpwidgets.calculators import choice
    >>> decided = record(0.5, [choice.BreachGoal(prior=0.1, posterior=0.2)], date="1 May")
    >>> decided.rejected
    (('ε above 0.81', 'A belief of 10% about anybody shall not become one above 20%.'),)
    >>> Record.load(decided.json()) == decided
    True
    """
    epsilon, goals = EPSILON.check_one("epsilon", epsilon), _goals(goals)
    if not isinstance(assumptions, Mapping | None):
        raise TypeError(f"assumptions must have names; got {described(assumptions)}")
    assumed = dict(assumptions or {})
    for goal in goals:
        if isinstance(goal, RiskGoal) and goal.worlds is not None:
            assumed.setdefault("values", goal.worlds)
        if isinstance(goal, CountGoal) and goal.secret:
            assumed.pop("count", None)
    from_data = any(goal.from_data for goal in goals) or "values" in assumed
    return Record(
        epsilon=epsilon,
        goals=tuple(goal.without_data() for goal in goals),
        assumptions=tuple(
            _assumption(name, value) for name, value in assumed.items() if name not in _DATA
        ),
        meanings=tuple(_recorded(meaning, epsilon) for meaning in meanings(**assumed)),
        rejected=(*_ruled_out(goals), *_pairs(rejected)),
        from_data=from_data,
        about=about,
        names=names,
        date=date,
        version=__version__,
    )


def _recorded(meaning: Meaning, epsilon: float) -> RecordedMeaning:
    same = {field.name for field in fields(RecordedMeaning)} & {
        field.name for field in fields(Meaning)
    }
    value = float(meaning.value(epsilon))
    return RecordedMeaning(
        value=value if math.isfinite(value) else None,
        sentence=meaning.sentence(epsilon),
        **{name: getattr(meaning, name) for name in same},
    )


def _ruled_out(goals: tuple[Goal, ...]) -> list[tuple[str, str]]:
    """Return what each goal rules out, and the goal as the reason."""
    out = []
    for goal in goals:
        allowed = goal.interval()
        if allowed.empty:
            out.append(("every ε", f"{goal.sentence} {allowed.reason}".strip()))
        elif allowed.low:
            out.append((f"ε below {show(rounded(allowed.low, up=True))}", goal.sentence))
        elif math.isfinite(allowed.high):
            out.append((f"ε above {show(rounded(allowed.high, up=False))}", goal.sentence))
    return out


def _written(source: str | bytes | Path) -> str | bytes:
    """Return the JSON itself, or a file's, and no more of it than tells that it is too large."""
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip().startswith("{")):
        return source
    with Path(source).open("rb") as file:
        return file.read(LARGEST + 1)


def _from_json(content: dict[str, Any]) -> Record:
    """Make the record that JSON holds, or raise an error that says what is wrong with it."""
    epsilon = EPSILON.check_one("epsilon", content["epsilon"])
    for name, kind in (("goals", list), ("assumptions", dict), ("meanings", list)):
        if not isinstance(content[name], kind):
            raise TypeError(f"{name} must be a {kind.__name__}; got {described(content[name])}")
    return Record(
        epsilon=epsilon,
        goals=tuple(map(_goal, content["goals"])),
        assumptions=tuple(content["assumptions"].items()),
        meanings=tuple(map(_meaning, content["meanings"])),
        rejected=_pairs(content["rejected"]),
        from_data=content["from_data"],
        about=content["about"],
        names=content["names"],
        date=content["date"],
        version=content["version"],
    )


def _goal(data: Any) -> Goal:
    """Make a goal from its JSON: of single values, and truth values where they belong alone."""
    for name, value in data.items() if isinstance(data, dict) else ():
        if len(name) > 40 or not name.isprintable():
            raise ValueError(f"a goal has no {described(name)}")
        if isinstance(value, list | dict) or isinstance(value, bool) != (name == "secret"):
            raise TypeError(f"{described(name)} of a goal cannot be {described(value)}")
    return Goal.from_dict(data).without_data()


def _meaning(data: object) -> RecordedMeaning:
    names = [field.name for field in fields(RecordedMeaning)]
    if not isinstance(data, dict) or data.keys() != set(names):
        raise ValueError(f"a meaning must have {', '.join(names)}; got {described(data)}")
    return RecordedMeaning(**data)


def _goals(goals: Iterable[Goal]) -> tuple[Goal, ...]:
    checked = tuple(islice(goals, MOST_GOALS + 1))
    if len(checked) > MOST_GOALS:
        raise ValueError(f"goals must be at most {MOST_GOALS}")
    for goal in checked:
        if not isinstance(goal, Goal):
            raise TypeError(f"goals must be made of goals; got {described(goal)}")
    return checked


def _assumption(name: object, value: object) -> tuple[str, float | str | None]:
    """Check that an assumption is a single number or a word, so that no column hides in it."""
    name = checked_text("assumptions", name)
    if name in _DATA:
        raise ValueError(f"assumptions must hold no data; got {name}")
    if value is None:
        return name, None
    return name, checked_text(name, value) if isinstance(value, str) else _number(value)


def _number(value: object) -> float:
    number = math.nan
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        with suppress(OverflowError, TypeError):
            number = value if isinstance(value, int) and float(value) else float(value)
    if not math.isfinite(number):
        raise TypeError(f"a value must be a finite number; got {described(value)}")
    return number


def _pairs(rejected: Iterable[object]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for pair in rejected:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise TypeError(f"rejected must be pairs of texts; got {described(pair)}")
        what, why = (checked_text("rejected", said) for said in pair)
        pairs.append((what, why))
    return tuple(pairs)


def _said(value: float | str | None) -> str:
    return value if isinstance(value, str) else "not given" if value is None else show(value, 6)


def _holds_for(meaning: RecordedMeaning) -> str:
    mechanism = "any mechanism" if meaning.mechanism == "any" else f"{meaning.mechanism} noise"
    neighbours = "any" if meaning.neighbours == "either" else meaning.neighbours
    releases = "one release" if meaning.releases == "one" else "many releases"
    return "; ".join(
        [mechanism, f"{neighbours} neighbours", releases]
        + ([f"for whoever knows {meaning.knows}"] if meaning.knows else [])
    )


def _table(title: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    top, *others = (f"| {' | '.join(map(_escape, row))} |" for row in (header, *rows))
    if not others:
        return []
    return ["", f"## {title}", "", top, "|---" * len(header) + "|", *others]


def _escape(text: str) -> str:
    """Escape HTML and Markdown, and put everything on one line."""
    return re.sub(r"([\\`*_\[\]|~$#])", r"\\\1", html.escape(" ".join(text.split()), quote=False))
