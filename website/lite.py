"""Build JupyterLite with all notebooks: `make lite`. Whoever opens a page of it has Python in it.

It is a folder of static files. Pyodide comes from its CDN, or, with `--pyodide`, from a folder of
its distribution, which is copied into the site; then no page asks another host for anything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LIVE = Path(__file__).parent / "live"
PINS = tomllib.loads((LIVE / "pins.toml").read_text(encoding="utf-8"))
START = "00_start_here"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
#: What a kernel loads before its first cell, all at once. The first nine are JupyterLite's kernel.
FIRST = (
    *("micropip", "piplite", "ssl", "sqlite3", "ipykernel", "comm", "pyodide-kernel", "jedi"),
    *("ipython", "dpwidgets"),
)
#: Whom these wheels ask for, a page has already: they are its front ends, and no Python.
NOT_PYTHON = {"jupyterlab-widgets", "widgetsnbextension"}
#: A page that leads on, whatever folder the notebooks are in.
DOOR = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<meta http-equiv="refresh" content="0; url={door}">
<p><a href="{door}">{title}</a></p>
</html>
"""
BROWSER = default_environment() | {"sys_platform": "emscripten", "python_version": PINS["python"]}


def fetch(wheels: dict[str, str], folder: Path) -> list[Path]:
    """Download wheels without anything compiled into a folder, and return their paths.

    Parameters
    ----------
    wheels : dict of str
        The version of each, by its name.
    folder : Path
        Where they go.
    """
    pinned = [f"{name}=={version}" for name, version in wheels.items()]
    anywhere = "--no-deps --only-binary=:all: --platform any --implementation py --abi none".split()
    python = ["--python-version", PINS["python"]]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    run([*pip, *anywhere, *python, "--dest", folder, *pinned], check=True)
    return sorted(folder.glob("*.whl"))


def package(wheel: Path, address: str) -> dict[str, Any]:
    """Describe a wheel as Pyodide's list of packages does.

    Parameters
    ----------
    wheel : Path
        The wheel.
    address : str
        Where a page finds it, relative to that list.
    """
    with ZipFile(wheel) as files:
        names = files.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(files.read(about))
    modules = {name.partition("/")[0].removesuffix(".py") for name in names}
    asked = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
    needed = {canonicalize_name(one.name) for one in asked if _in_browser(one)}
    return {
        "name": canonicalize_name(metadata["Name"]),
        "version": metadata["Version"],
        "file_name": address,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(name for name in modules if name.isidentifier()),
        "depends": sorted(needed - NOT_PYTHON),
        "unvendored_tests": False,
    }


def _in_browser(asked: Requirement) -> bool:
    """Tell whether a requirement holds in Pyodide, without any extra."""
    return asked.marker is None or asked.marker.evaluate({**BROWSER, "extra": ""})


def lessons(folder: Path) -> str:
    """Write the notebooks and the labs that students get, and return the name of their folder.

    The name changes with what is in it. What a reader has run, the browser keeps; so whoever comes
    back after the notebooks have changed finds the new ones, and beside them what is theirs.
    """
    there = folder / "new"
    shutil.copytree(ROOT / "notebooks", there, ignore=shutil.ignore_patterns(".*", "labs"))
    with TemporaryDirectory() as copy:
        for part in ("course", "notebooks/labs"):
            shutil.copytree(ROOT / part, Path(copy) / part)
        labs = Path(copy) / "notebooks" / "labs"
        nbgrader = [sys.executable, "-m", "nbgrader", "generate_assignment", "lab*"]
        run([*nbgrader, "--log-level=ERROR"], cwd=labs, check=True)
        for path in sorted(labs.glob("release/*/*.ipynb")):
            shutil.copy(path, there)
    content = b"".join(path.read_bytes() for path in sorted(there.rglob("*.*")))
    name = f"lessons-{hashlib.sha256(content).hexdigest()[:8]}"
    there.rename(folder / name)
    return name


def settings(folder: Path, wheels: list[Path]) -> None:
    """Write what JupyterLite is told: which kernel, which front ends, which of its pages."""
    kernel = {
        "pyodideUrl": "./live/pyodide.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": FIRST},
    }
    page = {"appName": "dpwidgets", "litePluginSettings": {f"{KERNEL}:kernel": kernel}}
    build = {
        "apps": ["notebooks", "lab", "tree"],
        "contents": ["files"],
        "federated_extensions": [str(path) for path in wheels],
        "no_sourcemaps": True,
    }
    written = {
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": page},
        "jupyter_lite_config.json": {"LiteBuildConfig": build},
    }
    for name, content in written.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


def live(site: Path, pyodide: Path | None) -> None:
    """Write what a page loads before it has Python: our packages, and where Pyodide is."""
    folder = site / "live"
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    shutil.copy(LIVE / "pyodide.js", folder)
    run(["uv", "build", "--quiet", "--wheel", "--out-dir", wheels, ROOT], check=True)
    fetch(PINS["wheels"], wheels)
    kernel = site / "extensions" / KERNEL / "static" / "pypi"
    found = {path: f"wheels/{path.name}" for path in wheels.glob("*.whl")}
    for path in kernel.glob("*.whl"):
        found[path] = f"../{path.relative_to(site).as_posix()}"
    packages = [package(path, address) for path, address in found.items()]
    distribution = PINS["cdn"]
    if pyodide:
        distribution = "pyodide/"
        shutil.copytree(pyodide, folder / "pyodide", copy_function=shutil.copyfile)
    content = {
        "distribution": distribution,
        "packages": {one["name"]: one for one in packages if one["name"] not in NOT_PYTHON},
    }
    (folder / "packages.json").write_text(json.dumps(content, indent=1), encoding="utf-8")


def doors(site: Path, name: str) -> None:
    """Give each notebook an address that stays, and let the first page be the first notebook."""
    for path in sorted((site / "files" / name).glob("*.ipynb")):
        door = f"notebooks/index.html?path={name}/{path.name}"
        page = DOOR.format(title=path.stem, door=door)
        (site / f"{path.stem}.html").write_text(page, encoding="utf-8")
    shutil.copy(site / f"{START}.html", site / "index.html")


def main() -> None:
    """Build JupyterLite into the folder that is named, or into build/lite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "lite")
    parser.add_argument("--pyodide", type=Path, help="a folder of Pyodide's distribution")
    given = parser.parse_args()
    site = given.folder.resolve()
    shutil.rmtree(site, ignore_errors=True)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        name = lessons(work / "files")
        (work / "extensions").mkdir()
        settings(work, fetch(PINS["extensions"], work / "extensions"))
        run([sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", site], cwd=work)
    live(site, given.pyodide)
    doors(site, name)


if __name__ == "__main__":
    main()
