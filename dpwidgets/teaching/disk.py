"""A file that is written as a whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Let a file hold a text, as a whole or not at all; nothing else is left in its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise
