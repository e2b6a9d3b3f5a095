"""What a page loads before it has Python in it: Pyodide, and our packages beside its own.

JupyterLite (`make lite`) and the site's explorers (`make site`) both stand on
it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import light

ROOT = Path(__file__).parents[1]
LIVE = Path(__file__).parent / "live"
LEFT_OUT = Path(__file__).parent / "left_out.py"
PINS = tomllib.loads((LIVE / "pins.toml").read_text(encoding="utf-8"))
#: Whom these wheels ask for, a page has already: they are its front ends, and
#: no Python.
NOT_PYTHON = {"jupyterlab-widgets", "widgetsnbextension"}
BROWSER = default_environment() | {
    "sys_platform": "emscripten",
    "python_version": PINS["python"],
}


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
    anywhere = [
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary=:all:",
        "--platform",
        "any",
        "--implementation",
        "py",
        "--abi",
        "none",
        "--python-version",
        PINS["python"],
    ]
    pip = [sys.executable, "-m", "pip", "download", "--quiet"]
    run([*pip, *anywhere, "--dest", folder, *pinned], check=True)
    return sorted(folder.glob("*.whl"))


def package(wheel: Path) -> dict[str, Any]:
    """Describe a wheel as Pyodide's list of packages does."""
    (about,) = distributions(path=[str(wheel)])
    asked = [Requirement(text) for text in about.requires or ()]
    needed = {canonicalize_name(one.name) for one in asked if _in_browser(one)}
    modules = {file.parts[0].removesuffix(".py") for file in about.files}
    return {
        "name": canonicalize_name(about.name),
        "version": about.version,
        "file_name": f"wheels/{wheel.name}",
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(name for name in modules if name.isidentifier()),
        "depends": sorted(needed - NOT_PYTHON),
        "unvendored_tests": False,
    }


def _in_browser(asked: Requirement) -> bool:
    """Tell whether a requirement holds in Pyodide, without any extra."""
    return asked.marker is None or asked.marker.evaluate(
        {**BROWSER, "extra": ""}
    )


def write(
    site: Path,
    pyodide: Path | None,
    pinned: dict[str, str],
    more: Iterable[Path] = (),
) -> None:
    """Write the folder `live` of a site: where Pyodide is, and our packages.

    Parameters
    ----------
    site : Path
        The site's folder.
    pyodide : Path or None
        A folder of Pyodide's distribution, which is copied; else a page takes
        it from its CDN.
    pinned : dict of str
        The wheels to fetch, as `fetch` has them.
    more : iterable of Path
        Other wheels.
    """
    folder = site / "live"
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    for path in (*LIVE.glob("*.js"), LIVE / "end.py", LEFT_OUT):
        shutil.copy(path, folder)
    # A page has the notebooks beside it.
    with TemporaryDirectory() as source:
        shutil.copytree(
            ROOT / "dpwidgets",
            Path(source) / "dpwidgets",
            ignore=shutil.ignore_patterns(".*"),
        )
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source)
        build = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel"]
        run([*build, "--out-dir", wheels, source], check=True)
    fetch(pinned, wheels)
    for path in more:
        shutil.copy(path, wheels)
    packages = {
        one["name"]: one for one in map(package, sorted(wheels.glob("*.whl")))
    }
    content = {"distribution": PINS["cdn"], "packages": packages}
    if pyodide:
        shutil.copytree(
            pyodide, folder / "pyodide", copy_function=shutil.copyfile
        )
        lighter = light.write(folder, packages)
        content = {
            "distribution": "pyodide/",
            "packages": lighter.pop("packages"),
            "light": lighter,
        }
    (folder / "packages.json").write_text(
        json.dumps(content, indent=1), encoding="utf-8"
    )


def take_in(lite: Path, run: Path) -> None:
    """Put JupyterLite into a folder of a site. Both then have one Pyodide, beside that folder."""
    shutil.copytree(lite, run)
    (run / "live").rename(run.parent / "live")
    settings = run / "jupyter-lite.json"
    text = settings.read_text(encoding="utf-8").replace(
        '"./live/', '"./../live/'
    )
    settings.write_text(text, encoding="utf-8")
