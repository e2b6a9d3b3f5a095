"""What class.toml says, checked: the hub reads it, and whoever grades."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import ValidationError, validate

HERE = Path(__file__).parent.resolve()
TEXT = {"type": "string"}
LIST = {"type": "array", "items": TEXT}
TABLE = {"type": "object", "additionalProperties": TEXT}
FROM_1 = {"type": "integer", "minimum": 1}
#: What each setting may be, as a schema of JSON has it. A single name would be
#: taken for a list of its letters.
SETTINGS = {
    "graders": LIST,
    "students": LIST,
    "spawner": {"enum": ["simple", "local", "systemd"]},
    "address": TEXT,
    "port": FROM_1,
    "memory": {"type": ["string", "integer"], "minimum": 1},
    "cores": {"type": "number", "exclusiveMinimum": 0},
    "idle_server": FROM_1,
    "questions": TEXT,
    "practice": LIST,
    "grading_megabytes": FROM_1,
    "ids": TABLE,
}


def fields_in(
    path: Path,
    where: str,
    kinds: Mapping[str, Any],
    optional: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what a file of TOML says: just these fields, each as it may be.

    Parameters
    ----------
    path : Path
        The file.
    where : str
        What a message calls it.
    kinds : mapping
        What each field may be, as a schema.
    optional : mapping
        What the fields hold that may be left out.

    Raises
    ------
    ValueError
        If it says anything else.
    """
    schema = {
        "properties": kinds,
        "required": [*kinds],
        "additionalProperties": False,
    }
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        fields = {**optional, **written}
        validate(fields, schema)
    except ValidationError as error:
        # As $.port, or $ where it is no field's fault.
        says = where, error.json_path[2:], error.message
        raise ValueError(": ".join(filter(None, says))) from None
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return fields


def place() -> Path:
    """Return where class.toml is."""
    return Path(os.environ.get("DPWIDGETS_CLASS", HERE / "class.toml"))


def exchange() -> Path:
    """Return where labs are handed out and in: the hub's beside class.toml, for a shell too."""
    hubs = place().resolve().parents[1] / ".hub" / "exchange"
    return Path(os.environ.get("DPWIDGETS_EXCHANGE", hubs))


def settings() -> dict[str, Any]:
    """Read the settings of a class."""
    path = place()
    return fields_in(path, path.name, SETTINGS, {})
