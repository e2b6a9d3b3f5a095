"""A lighter Python for the site's worker, made of Pyodide's distribution and our wheels.

No wheel has bytecode, nor has Pyodide's library: to compile them is most of
what a reader waits for. Here they have it, in one archive, with two fonts of a
hundred, and with what ipywidgets asks of IPython in IPython's place.
JupyterLite's kernel has the whole packages.
"""

import hashlib
import json
import shutil
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

STAND_IN = Path(__file__).parent / "stand_in"
COMPILE = Path(__file__).parent / "live" / "compile.mjs"
#: A library that is linked, so that it stays a package of its own.
LINKED = "openblas"
FONTS = "matplotlib/mpl-data/fonts/"
OF_FONTS = (f"{FONTS}ttf/DejaVuSans.ttf", f"{FONTS}ttf/DejaVuSans-Bold.ttf")


def write(folder: Path, ours: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Write the folder `light` of a folder `live`, and return what `pyodide.js` reads of it.

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
    packages = {**lock["packages"], **ours}
    with TemporaryDirectory() as made:
        modules = Path(made)
        for name in _needed("dpwidgets", packages, {"ipython", LINKED}):
            where = folder if name in ours else home
            with ZipFile(where / packages[name]["file_name"]) as wheel:
                wheel.extractall(modules / "site")
        shutil.copytree(STAND_IN, modules / "site", dirs_exist_ok=True)
        with ZipFile(home / "python_stdlib.zip") as library:
            library.extractall(modules / "stdlib")
        run(["node", COMPILE, home, modules], check=True)
        _pack(modules / "stdlib", light / "python_stdlib.zip")
        _pack(modules / "site", light / "dpwidgets.zip")
    library = packages[LINKED]
    with TemporaryDirectory() as made:
        with ZipFile(home / library["file_name"]) as archive:
            archive.extractall(made)
        _pack(Path(made), light / library["file_name"])
    one = {**ours["dpwidgets"], "depends": [LINKED]}
    return {
        "stdlib": "light/python_stdlib.zip",
        "packages": {
            "dpwidgets": one | _file(light / "dpwidgets.zip"),
            LINKED: library | _file(light / library["file_name"]),
        },
    }


def _needed(
    name: str, packages: dict[str, Any], without: set[str]
) -> list[str]:
    """Return a package and all that it needs, without some."""
    found = [name]
    for one in found:
        for needed in packages[one]["depends"]:
            key = needed.lower().replace("_", "-")
            if key not in without and key not in found:
                found.append(key)
    return found


def _pack(folder: Path, archive: Path) -> None:
    """Pack a folder; where there is bytecode, the source goes, but for ours, where help is read."""
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as target:
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            font = name.startswith(FONTS) and name not in OF_FONTS
            ours = name.startswith("dpwidgets/")
            replaced = path.with_suffix(".pyc").is_file() and not ours
            if path.is_dir() or font or (path.suffix == ".py" and replaced):
                continue
            if ours and path.suffix == ".pyc":
                cached = path.parent / "__pycache__" / path.name
                cached = cached.with_suffix(".cpython-312.pyc")
                name = str(cached.relative_to(folder))
            target.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)


def _file(path: Path) -> dict[str, str]:
    """Describe a file as Pyodide's list of packages does."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"file_name": f"light/{path.name}", "sha256": digest}
