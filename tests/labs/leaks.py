"""Do the labs' solutions, hidden tests or schemes for marks stand in what students get?"""

import html
import json
import zipfile
from pathlib import Path

import sources

#: Fewer signs than that are what anybody may write.
SHORTEST = 26
#: Lab 2 draws its numbers so that two answers together tell who is missing.
#: For that it multiplies beliefs, as its hidden test does; so this one line
#: stands in the package.
DRAWN = {"both = one * two / (one @ two)"}


def secrets():
    """Return the lines that no student gets, without those that the lab itself shows."""
    held, shown = set(), ""
    for lab in sources.LABS:
        for cell in sources.source(lab).cells:
            rest = cell.source
            for pattern in (sources.SOLUTION, sources.HIDDEN, sources.SCHEME):
                held |= {*"\n".join(pattern.findall(rest)).splitlines()}
                rest = pattern.sub("", rest)
            shown += f"{rest}\n"
        arguments = sources.answers(lab, read_by="a person").values()
        held |= {*"\n".join(arguments).splitlines()}
    lines = {line.strip() for line in held} - DRAWN
    return {
        line for line in lines if len(line) >= SHORTEST and line not in shown
    }


def texts(path):
    """Yield the name and the content of a file, or of those in it where it is an archive."""
    if not zipfile.is_zipfile(path):
        yield str(path), path.read_bytes()
        return
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield f"{path}: {name}", archive.read(name)


def leaks(folder):
    """Return which secret stands in which file below a folder, or in an archive there.

    As it is, or as JSON, HTML or JavaScript write it.
    """
    ways = {}
    for line in secrets():
        quoted = json.dumps(line)[1:-1]
        plain = json.dumps(line, ensure_ascii=False)[1:-1]
        twice = json.dumps(quoted)[1:-1]
        marked = html.escape(line, quote=False)
        for way in {line, quoted, plain, twice, marked}:
            ways.setdefault(way.encode()[:SHORTEST], []).append(
                (way.encode(), line)
            )
    return {
        (name, line)
        for path in Path(folder).rglob("*")
        if path.is_file()
        for name, content in texts(path)
        for line in _found(content, ways)
    }


def _found(content, ways):
    """Yield the secrets in a file; `ways` has them by how they begin: no regex is as fast."""
    for at in range(len(content) - SHORTEST + 1):
        if (start := content[at : at + SHORTEST]) in ways:
            yield from (
                line
                for way, line in ways[start]
                if content.startswith(way, at)
            )
