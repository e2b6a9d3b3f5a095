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
    "idle_kernel": (int,),
    "idle_server": (int,),
    "questions": (str,),
    "practice": (list,),
    "sandbox": (dict,),
}
#: Of each student's kernel while it is graded; reference.md says what each
#: means.
LIMITS: dict[str, tuple[type, ...]] = {
    "megabytes": (int,),
    "threads": (int,),
    "file_megabytes": (int,),
    "files": (int,),
    "processor_seconds": (int,),
    "disk_megabytes": (int,),
}
#: How a message names what a setting may be.
WORDS = {
    str: "a text",
    int: "a whole number from 1",
    float: "a number",
    list: "a list of names",
    dict: "a table",
}


def _is(kinds: tuple[type, ...], value: object) -> bool:
    """Tell whether a value is just of one of these types, a list one of names, and no whole 0."""
    if isinstance(value, list) and {type(item) for item in value} - {str}:
        return False
    if type(value) is int and value < 1:
        return False
    return type(value) in kinds


def typed(
    where: str,
    kinds: Mapping[str, tuple[type, ...]],
    written: Mapping[str, Any],
) -> dict[str, Any]:
    """Return fields that are just these, each of a type that it may have."""
    fields = fields_of(where, kinds, written)
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


def settings(path: Path | None = None) -> dict[str, Any]:
    """Read the settings of a class; a single name would be taken for a list of its letters."""
    path = path or place()
    written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    chosen = typed(path.name, KINDS, written)
    one_of("spawner", chosen["spawner"], ("simple", "local", "systemd"))
    typed(f"{path.name}: sandbox", LIMITS, chosen["sandbox"])
    return chosen
