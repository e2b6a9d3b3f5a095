"""The parameter that is what came before: a line for each entry, which may be deleted."""

import json
from contextlib import suppress
from typing import Any

from dpwidgets.decisions.case import (
    Earlier,
    counted,
    others,
    read_before,
    said_before,
)
from dpwidgets.decisions.record import LARGEST
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import several
from dpwidgets.inputs.outside import begins_like_json, load_json, quoted
from dpwidgets.inputs.typed import parse
from dpwidgets.page.parameters import Parameter

_NUMBERS = ("epsilon", "rho")
_WORDS = (*_NUMBERS, "neighbours")


class Before(Parameter["tuple[Earlier, ...]", Any]):
    """What came before: for each record its JSON, and for others ``the census: epsilon=1``."""

    rows = 2

    def checked(self, value: Any) -> tuple[Earlier, ...]:
        return counted(value)

    def says(
        self, value: tuple[Earlier, ...], grid: FloatArray, origin: str
    ) -> dict[str, Any]:
        names = ", ".join(one.name for one in value)
        return {
            "text": self.written(value),
            "remark": f"{len(value):,}: {names}" if value else "",
        }

    def typed(self, text: str) -> tuple[Earlier, ...]:
        return _read(text)

    def written(self, value: tuple[Earlier, ...]) -> str:
        return "\n".join(map(_line, value))

    def brief(self, value: tuple[Earlier, ...]) -> str:
        many = len(value)
        return f"[{several(many, 'entry', 'entries')}]" if many else "()"

    def code(self, value: tuple[Earlier, ...]) -> str:
        """Write it as Python that makes it without an import: its JSON, which `decide` reads."""
        return repr([said_before(one) for one in value])


def _read(text: str) -> tuple[Earlier, ...]:
    """Read what `_line` writes, a line for each entry."""
    found: list[Earlier] = []
    for line in filter(str.strip, text.splitlines()):
        if begins_like_json(line):
            found += read_before([load_json(line, LARGEST)])
        else:
            found.append(_others(line))
    return tuple(found)


def _others(line: str) -> Earlier:
    """Read a line such as ``the census: epsilon=1, rho=0.1, neighbours=replace``."""
    name, _, rest = line.rpartition(":")
    given: dict[str, Any] = {}
    for part in filter(str.strip, rest.split(", ")):
        word, equals, value = map(str.strip, part.partition("="))
        if not equals or not name or word not in _WORDS or word in given:
            wanted = (
                "a record's JSON, or a name, a colon and epsilon=1 or rho=0.1"
            )
            raise ValueError(f"{quoted(line)} must be {wanted}")
        given[word] = parse(value) if word in _NUMBERS else value
    return others(name.strip(), **given)


def _line(one: Earlier) -> str:
    """Write an entry's JSON, or of others the line that `_others` reads, if one says the same."""
    said = {word: getattr(one, word) for word in _WORDS}
    words = [f"{word}={value}" for word, value in said.items() if value]
    line = f"{one.about}: {', '.join(words)}"
    with suppress(ValueError):
        if _read(line) == (one,):
            return line
    return json.dumps(said_before(one), ensure_ascii=False)
