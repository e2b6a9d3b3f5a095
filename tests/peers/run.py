"""Runs each program of a list of sources, in this process, and prints the lines of each."""

import contextlib
import io
import json
import sys
from pathlib import Path

printed = []
for source in json.loads(Path(sys.argv[1]).read_text()):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(source, "program", "exec"), {})
    printed.append(said.getvalue().splitlines())
print(json.dumps(printed))
