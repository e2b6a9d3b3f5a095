"""What class.toml says, checked: the hub reads it, and whoever grades."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.outside import described, fields_of

HERE = Path(__file__).parent.resolve()
#: The types that each setting may have.
KINDS: dict[str, tuple[type, ...]] = {
    "graders": (list,),
    "students": (list,),
    "spawner": (str,),
    "address": (str,),
    "port": (int,),
    "memory": (str, int),
    "cores": (int, float),
    "idle_server": (int,),
    "questions": (str,),
    "practice": (list,),
    "grading_megabytes": (int,),
    "ids": (dict,),
}
#: How a message names what a setting may be.
WORDS = {
    str: "a text",
    int: "a whole number from 1",
    float: "a number",
    list: "a list of names",
    dict: "a table of texts",
}


def _is(kinds: tuple[type, ...], value: object) -> bool:
    """Tell whether a value is just of one of these types, of nothing but texts, and no whole 0."""
    parts = [*value.values()] if isinstance(value, dict) else value
    if isinstance(parts, list) and {type(item) for item in parts} - {str}:
        return False
    if type(value) is int and value < 1:
        return False
    return type(value) in kinds


def fields_in(
    path: Path,
    where: str,
    kinds: Mapping[str, tuple[type, ...]],
    optional: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what a file of TOML says: just these fields, each of a type that it may have.

    Parameters
    ----------
    path : Path
        The file.
    where : str
        What a message calls it.
    kinds : mapping
        The types that each field may have.
    optional : mapping
        What the fields hold that may be left out.

    Raises
    ------
    ValueError
        If it says anything else.
    """
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    fields = fields_of(where, kinds, {**optional, **written})
    for name, allowed in kinds.items():
        if not _is(allowed, fields[name]):
            wanted = " or ".join(WORDS[kind] for kind in allowed)
            raise ValueError(
                f"{where}: {name} must be {wanted}; got {described(fields[name])}"
            )
    return fields


def place() -> Path:
    """Return where class.toml is."""
    return Path(os.environ.get("DPWIDGETS_CLASS", HERE / "class.toml"))


def exchange() -> Path:
    """Return where labs are handed out and in: the hub's beside class.toml, for a shell too."""
    hubs = place().resolve().parents[1] / ".hub" / "exchange"
    return Path(os.environ.get("DPWIDGETS_EXCHANGE", hubs))


def settings() -> dict[str, Any]:
    """Read the settings of a class; a single name would be taken for a list of its letters."""
    path = place()
    chosen = fields_in(path, path.name, KINDS, {})
    ways = ("simple", "local", "systemd")
    one_of(f"{path.name}: spawner", chosen["spawner"], ways)
    return chosen
