"""Build JupyterLite with all notebooks: `make lite`. Whoever opens a page of it has Python in it.

It is a folder of static files. Pyodide comes from its CDN, or, with
`--pyodide`, from a folder of its distribution, which is copied into the site;
then no page asks another host for anything.

Its settings stand in the folder `lite`: which of its pages there are, whatever
the server here has; light or dark, as the reader's machine is; and what a
kernel loads before its first cell, all at once: JupyterLite's kernel, IPython
and our package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from pathlib import Path
from string import Template
from subprocess import run
from tempfile import TemporaryDirectory

import live

ROOT = Path(__file__).parents[1]
START = "00_start_here"
SETTINGS = Path(__file__).parent / "lite"
INSTALLED = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
PYODIDE = {
    "name": "python",
    "display_name": "Python (Pyodide)",
    "language": "python",
}
#: A page that leads on, whatever folder the notebooks are in, or says where
#: one's own earlier copy is. JupyterLite's other pages look for the element of a
#: script in the first one.
DOOR = Template((Path(__file__).parent / "door.html").read_text("utf-8"))


def lessons(folder: Path) -> str:
    """Write the notebooks and the labs that students get, and return the name of their folder.

    The name changes with what is in it. What a reader has run, the browser
    keeps; so whoever comes back after the notebooks have changed finds the new
    ones, and beside them what is theirs.
    """
    there = folder / "new"
    shutil.copytree(
        ROOT / "notebooks", there, ignore=shutil.ignore_patterns(".*", "labs")
    )
    with TemporaryDirectory() as copy:
        for part in ("course", "notebooks/labs"):
            shutil.copytree(ROOT / part, Path(copy) / part)
        labs = Path(copy) / "notebooks" / "labs"
        nbgrader = [
            sys.executable,
            "-m",
            "nbgrader",
            "generate_assignment",
            "lab*",
        ]
        run([*nbgrader, "--log-level=ERROR"], cwd=labs, check=True)
        for path in sorted(labs.glob("release/*/*.ipynb")):
            shutil.copy(path, there)
    for path in there.rglob("*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        # The one kernel that there is; else *Run* asks for one.
        notebook["metadata"]["kernelspec"] = PYODIDE
        path.write_text(json.dumps(notebook, indent=1), encoding="utf-8")
    content = b"".join(
        path.read_bytes() for path in sorted(there.rglob("*.*"))
    )
    name = f"lessons-{hashlib.sha256(content).hexdigest()[:8]}"
    there.rename(folder / name)
    return name


def doors(site: Path, name: str) -> None:
    """Give each notebook an address that stays, and let the first page be the first notebook."""
    there = site / "files" / name
    for path in sorted(there.rglob("*.ipynb")):
        notebook = path.relative_to(there)
        page = DOOR.substitute(
            title=path.stem,
            name=notebook,
            path=f"{name}/{notebook}",
            opens=f"{'../' * len(notebook.parts[1:])}notebooks/index.html?path=",
        )
        target = site / notebook.with_suffix(".html")
        target.parent.mkdir(exist_ok=True)
        target.write_text(page, encoding="utf-8")
    shutil.copy(site / f"{START}.html", site / "index.html")


def main() -> None:
    """Build JupyterLite into the folder that is named, or into build/lite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "build" / "lite"
    )
    parser.add_argument(
        "--pyodide", type=Path, help="a folder of Pyodide's distribution"
    )
    given = parser.parse_args()
    site = given.folder.resolve()
    shutil.rmtree(site, ignore_errors=True)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        name = lessons(work / "files")
        shutil.copytree(SETTINGS, work, dirs_exist_ok=True)
        (work / "extensions").mkdir()
        wheels = live.fetch(live.PINS["extensions"], work / "extensions")
        build = [sys.executable, "-m", "jupyterlite_core", "build"]
        extensions = [
            f"--LiteBuildConfig.federated_extensions={path}"
            for path in (*wheels, INSTALLED / KERNEL)
        ]
        run([*build, "--output-dir", site, *extensions], cwd=work, check=True)
    kernel = (site / "extensions" / KERNEL).glob("static/pypi/*.whl")
    wanted = [
        path
        for path in kernel
        if not path.name.startswith("widgetsnbextension")
    ]
    pinned = live.PINS["wheels"] | live.PINS["kernel"]
    live.write(site, given.pyodide, pinned, wanted)
    doors(site, name)


if __name__ == "__main__":
    main()
