"""The record of a decision: which ε was chosen, for which goals, what it means and what was rejected.

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
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from dpwidgets import __version__
from dpwidgets.calculators.choice._goals import CountGoal, Goal, RiskGoal, rounded
from dpwidgets.calculators.domain import POSITIVE
from dpwidgets.calculators.interpretation import Meaning
from dpwidgets.calculators.meanings import meanings
from dpwidgets.notation import show

EPSILON = POSITIVE
PROGRAM, FORMAT = "dpwidgets decision record", 1
#: What a record says of an ε that was derived from secret data.
NOT_FOR_PUBLISHING = "depends on your data: not for publishing"

_DATA = ("values", "query")  # the assumptions that hold a column, or a function for one


@dataclass(frozen=True)
class RecordedMeaning:
    """One meaning of the chosen ε, as a record keeps it: a `Meaning`'s words and its number at this ε.

    `value` is None where the number is infinite.
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


@dataclass(frozen=True)
class Record:
    """A decision about ε, to take away. `record` makes one, `Record.load` reads one.

    Parameters
    ----------
    epsilon : float
        The chosen ε.
    goals : tuple of Goal
        What it was chosen for, without their data.
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

    def json(self) -> str:
        """Write the record as JSON, for `load`."""
        content = {"program": PROGRAM, "format": FORMAT, "version": self.version}
        content |= {"warning": NOT_FOR_PUBLISHING} if self.from_data else {}
        content |= {field.name: getattr(self, field.name) for field in fields(self)}
        content["goals"] = [goal.to_dict() for goal in self.goals]
        content["meanings"] = [asdict(told) for told in self.meanings]
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
            [(name, _plain(value)) for name, value in self.assumptions],
        )
        lines += _table(
            f"What ε = {show(self.epsilon, 6)} means",
            ("meaning", "sentence", "holds for", "source"),
            [
                (
                    told.name,
                    f"{told.sentence} {told.note}",
                    _holds_for(told),
                    ": ".join(filter(None, (told.text, told.equation))),
                )
                for told in self.meanings
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
            If it is no JSON, comes from another program or from a version with another format, or
            is damaged.
        OSError
            If there is no such file.
        """
        try:
            if isinstance(source, str) and source.lstrip().startswith("{"):
                content = json.loads(source)
            else:
                data = source if isinstance(source, bytes) else Path(source).read_bytes()
                content = json.loads(data.decode("utf-8-sig"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise ValueError(
                f"a record is JSON, as .json() or .save() wrote it; this is not: {error}"
            ) from None
        if not isinstance(content, dict) or content.get("program") != PROGRAM:
            raise ValueError(
                "this JSON comes from another program: it is no decision record of dpwidgets"
            )
        version = content.get("version")
        if content.get("format") != FORMAT:
            raise ValueError(
                f"this record has format {content.get('format')!r}, written by dpwidgets {version}; "
                f"dpwidgets {__version__} reads format {FORMAT}"
            )
        try:
            return cls._from(content)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
            raise ValueError(f"the record is damaged: {what}") from None

    @classmethod
    def _from(cls, content: dict[str, Any]) -> Record:
        epsilon, from_data = EPSILON.check_one("epsilon", content["epsilon"]), content["from_data"]
        if not isinstance(from_data, bool):
            raise TypeError(f"from_data must be true or false; got {from_data!r}")
        told = tuple(
            RecordedMeaning(**{**one, "value": _number(one["value"])})
            for one in content["meanings"]
        )
        for one in told:
            _texts(**{name: said for name, said in asdict(one).items() if name != "value"})
        rejected = tuple((what, why) for what, why in content["rejected"])
        for what, why in rejected:
            _texts(rejected=what, why=why)
        typed = _texts(**{name: content[name] for name in ("about", "names", "date", "version")})
        goals = tuple(Goal.from_dict(goal) for goal in content["goals"])
        return cls(
            epsilon, goals, _kept(content["assumptions"]), told, rejected, from_data, **typed
        )


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
        The chosen ε > 0.
    goals : iterable of Goal
        What it was chosen for. What they rule out is listed as rejected. A `RiskGoal`'s worlds
        serve the meanings of the worlds text too.
    assumptions : dict, optional
        The arguments of `meanings.meanings`. The record keeps nothing of a column, and no secret
        count.
    rejected : iterable of (str, str)
        What else was rejected, and why.
    about, names, date : str
        What is released, who decided, and when. Nothing is filled in for you.

    Returns
    -------
    Record
        The record.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not a finite number above 0, or something else is not what it must be.

    Examples
    --------
    >>> from dpwidgets.calculators.choice import BreachGoal
    >>> decided = record(0.5, [BreachGoal(prior=0.1, posterior=0.2)], date="1 May")
    >>> decided.rejected
    (('ε above 0.81', 'A belief of 10% about anybody shall not become one above 20%.'),)
    >>> Record.load(decided.json()) == decided
    True
    """
    epsilon, goals = EPSILON.check_one("epsilon", epsilon), tuple(goals)
    assumptions = dict(assumptions or {})
    for goal in goals:
        if isinstance(goal, RiskGoal) and goal.worlds is not None:
            assumptions.setdefault("values", goal.worlds)
        if isinstance(goal, CountGoal) and goal.secret:
            assumptions.pop("count", None)
    from_data = any(goal.from_data for goal in goals) or "values" in assumptions
    rejected = tuple((what, why) for what, why in rejected)
    for what, why in rejected:
        _texts(rejected=what, why=why)
    return Record(
        epsilon,
        tuple(goal.without_data() for goal in goals),
        _kept({name: value for name, value in assumptions.items() if name not in _DATA}),
        tuple(_tell(meaning, epsilon) for meaning in meanings(**assumptions)),
        (*_ruled_out(goals), *rejected),
        from_data,
        **_texts(about=about, names=names, date=date, version=__version__),
    )


def _tell(meaning: Meaning, epsilon: float) -> RecordedMeaning:
    same = {field.name for field in fields(RecordedMeaning)} & {
        field.name for field in fields(Meaning)
    }
    value = meaning.value(epsilon)
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


def _kept(assumptions: dict[str, Any]) -> tuple[tuple[str, float | str | None], ...]:
    """Check that the assumptions are single numbers or words, so that no column hides among them."""
    return tuple(
        (name, value if value is None or isinstance(value, str) else _number(value))
        for name, value in assumptions.items()
    )


def _number(value: Any) -> float | None:
    if value is None:
        return None
    number = (
        float(value)
        if isinstance(value, numbers.Real) and not isinstance(value, bool)
        else math.nan
    )
    if not math.isfinite(number):
        raise TypeError(f"a value must be a finite number; got {value!r}")
    return value if isinstance(value, int) else number


def _texts(**typed: Any) -> dict[str, str]:
    for name, said in typed.items():
        if not isinstance(said, str):
            raise TypeError(f"{name} must be text; got {said!r}")
    return typed


def _plain(value: float | str | None) -> str:
    return value if isinstance(value, str) else "not given" if value is None else show(value, 6)


def _holds_for(told: RecordedMeaning) -> str:
    mechanism = "any mechanism" if told.mechanism == "any" else f"{told.mechanism} noise"
    neighbours = (
        "any neighbours" if told.neighbours == "either" else f"{told.neighbours} neighbours"
    )
    releases = "one release" if told.releases == "one" else "many releases"
    return "; ".join(
        [mechanism, neighbours, releases]
        + ([f"for whoever knows {told.knows}"] if told.knows else [])
    )


def _table(title: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    rows = [" | ".join(map(_escape, row)) for row in (header, *rows)]
    if len(rows) == 1:
        return []
    top, *others = (f"| {row} |" for row in rows)
    return ["", f"## {title}", "", top, "|---" * len(header) + "|", *others]


def _escape(text: str) -> str:
    """Escape HTML and Markdown, and put everything on one line."""
    return re.sub(r"([\\`*_\[\]|~$#])", r"\\\1", html.escape(" ".join(text.split()), quote=False))
