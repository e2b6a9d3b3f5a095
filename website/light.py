"""Python for the pages, made of Pyodide's distribution and our wheels so that a reader waits less.

No wheel has bytecode, nor has Pyodide's library: to compile them is most of
what a reader waits for. Here each package has it, and what no explorer imports
waits until it is imported. The site's worker also does without further fonts,
and has in IPython's place what ipywidgets asks of it.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from packaging.utils import canonicalize_name

from left_out import MODULES

STAND_IN = Path(__file__).parent / "stand_in"
COMPILE = Path(__file__).parent / "live" / "compile.mjs"
LEFT_OUT = tuple(
    f"{one.replace('.', '/')}{end}" for one in MODULES for end in "/."
)
FURTHER = ("matplotlib/mpl-data/sample_data/", "matplotlib/mpl-data/fonts/")
FONTS = "matplotlib/mpl-data/fonts/ttf/DejaVuSans"
OF_FONTS = (f"{FONTS}.ttf", f"{FONTS}-Bold.ttf")
#: The archives of what comes later, or to other pages alone.
APART = ("left-out", "fonts")
#: What a compiler of C reads.
FOR_COMPILERS = (".pyx", ".pxd", ".pxi", ".h", ".c", ".lib", ".a")


def write(folder: Path, ours: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Write the folder `light` of a folder `live`, and return what `packages.json` says of it.

    Parameters
    ----------
    folder : Path
        The folder `live`, with Pyodide's distribution in it.
    ours : dict
        Our packages, as `live.package` describes them.
    """
    home, light = folder / "pyodide", folder / "light"
    light.mkdir()
    lock = json.loads((home / "pyodide-lock.json").read_text("utf-8"))
    packages = lock["packages"] | ours
    names = _needed(ours, packages)
    with TemporaryDirectory() as made:
        work = Path(made)
        for name in names:
            where = folder if name in ours else home
            with ZipFile(where / packages[name]["file_name"]) as archive:
                archive.extractall(work / name)
        with ZipFile(home / "python_stdlib.zip") as library:
            library.extractall(work / "python_stdlib")
        shutil.copytree(STAND_IN, work, dirs_exist_ok=True)
        run(["node", COMPILE, home, work], check=True)
        _pack_all(work, light)
    return _described(light, {name: packages[name] for name in names})


def _pack_all(work: Path, light: Path) -> None:
    """Pack each package that is compiled, and apart from them what few need."""
    apart: dict[str, dict[str, Path]] = {name: {} for name in APART}
    for part in work.iterdir():
        files = _files(part)
        for name in [*files]:
            if where := _apart(name):
                apart[where][name] = files.pop(name)
        _pack(files, light / f"{part.name}.zip")
    for name, files in apart.items():
        _pack(files, light / f"{name}.zip")


def _described(light: Path, packages: dict[str, Any]) -> dict[str, Any]:
    """Describe what was packed, as `packages.json` says it.

    The site's worker has no fonts, and a stand-in for IPython; all others have
    both.
    """
    made_anew = {
        name: about | _file(light, name) for name, about in packages.items()
    }
    one = made_anew["dpwidgets"]
    widgets = made_anew["ipywidgets"]
    others = {
        name: {**made_anew["comm"], "depends": []} | _file(light, name)
        for name in (*APART, "stand-in")
    }
    alone = [name for name in widgets["depends"] if name != "ipython"]
    return {
        "stdlib": "light/python_stdlib.zip",
        "left_out": others["left-out"]["file_name"],
        "packages": {
            **made_anew,
            **others,
            "dpwidgets": {**one, "depends": [*one["depends"], "fonts"]},
        },
        "lighter": {
            "dpwidgets": one,
            "ipywidgets": {**widgets, "depends": [*alone, "stand-in"]},
        },
    }


def _needed(first: Iterable[str], packages: dict[str, Any]) -> list[str]:
    """Return packages and all that they need."""
    found = list(first)
    for one in found:
        for needed in packages[one]["depends"]:
            key = canonicalize_name(needed)
            if key not in found:
                found.append(key)
    return found


def _files(folder: Path) -> dict[str, Path]:
    """Return the files of a package by their names.

    Where there is bytecode, the source goes, but for ours, where help is read.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        ours = path.is_relative_to(folder / "dpwidgets")
        replaced = path.suffix == ".py" and path.with_suffix(".pyc").is_file()
        # The page has its front ends itself.
        useless = path.suffix in FOR_COMPILERS or "labextension" in path.parts
        if path.is_dir() or useless:
            continue
        if ours and path.suffix == ".pyc":
            cached = path.with_suffix(".cpython-312.pyc").name
            found[
                str(path.parent.relative_to(folder) / "__pycache__" / cached)
            ] = path
        elif ours or not replaced:
            found[str(path.relative_to(folder))] = path
    return found


def _apart(name: str) -> str:
    """Return in which other archive a file comes, if it is not in its package's."""
    if name.startswith(LEFT_OUT):
        return "left-out"
    is_further = name.startswith(FURTHER) and name not in OF_FONTS
    return "fonts" if is_further else ""


def _pack(files: dict[str, Path], archive: Path) -> None:
    """Pack files, the same whenever and wherever they were made."""
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as target:
        for name in sorted(files):
            content = files[name].read_bytes()
            target.writestr(ZipInfo(name), content, ZIP_DEFLATED)


def _file(light: Path, name: str) -> dict[str, str]:
    """Describe a package's file as Pyodide's list of packages does."""
    path = light / f"{name}.zip"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"file_name": f"light/{path.name}", "sha256": digest}
