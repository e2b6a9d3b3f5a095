"""Copy the notebooks to a folder of the reader's, and open them: ``python -m dpwidgets``."""

import argparse
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

#: A wheel carries the notebooks in the package. In a clone they lie beside it.
PLACES = [folder / "notebooks" for folder in Path(__file__).parents[:2]]
CARRIED = next(place for place in PLACES if place.is_dir())
FIRST = "00_start_here"


def copy(folder: Path) -> list[str]:
    """Copy what a folder does not have yet, which is made if it is not there.

    Parameters
    ----------
    folder : Path
        Where to.

    Returns
    -------
    list of str
        The notebooks that were there and differ, by name: what a reader did in
        them stays.

    Raises
    ------
    OSError
        If the folder cannot be made or written.
    """
    kept: list[str] = []
    sources = [*CARRIED.glob("*.ipynb"), *CARRIED.glob("images/*")]
    for source in sorted(sources):
        target = folder / source.relative_to(CARRIED)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_bytes(source.read_bytes())
        elif target.read_bytes() != source.read_bytes():
            kept.append(target.name)
    return kept


def convert(folder: Path) -> list[str]:
    """Write each notebook that a folder does not have yet as one of marimo's; else like `copy`."""
    folder.mkdir(parents=True, exist_ok=True)
    kept: list[str] = []
    for source in sorted(CARRIED.glob("*.ipynb")):
        target = folder / f"{source.stem}.py"
        if target.exists():
            kept.append(target.name)
            continue
        command = [sys.executable, "-m", "marimo", "-y", "convert"]
        command += [str(source), "-o", str(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return kept


def command_line() -> argparse.ArgumentParser:
    """Return what reads our own options."""
    parser = argparse.ArgumentParser(
        prog="dpwidgets",
        description="Copy the notebooks to a folder, never over what you changed, and open them.",
        epilog="Further options are JupyterLab's, or marimo's: dpwidgets --no-browser",
        # What only begins like one of ours is the program's.
        allow_abbrev=False,
    )
    parser.add_argument("--to", type=Path, action="append", metavar="FOLDER")
    parser.add_argument(
        "--marimo", action="store_true", help="open them in marimo"
    )
    return parser


def main() -> None:
    """Do what the command line says; what it says beyond our own options goes to the program."""
    parser = command_line()
    chosen, further = parser.parse_known_args()
    folder, *others = chosen.to or [Path("dpwidgets-notebooks")]
    if others:
        parser.error(
            f"--to must stand there once; got {folder} and {others[0]}"
        )
    if chosen.marimo:
        program, package, fill = "marimo", "marimo>=0.25", convert
        command = ["edit", *further, str(folder / f"{FIRST}.py")]
    else:
        program, package, fill = "jupyterlab", "dpwidgets[lab]", copy
        command = [str(folder / f"{FIRST}.ipynb"), *further]
    if find_spec(program) is None:
        parser.exit(
            1, f'{program} is not installed here: pip install "{package}"\n'
        )
    try:
        kept = fill(folder)
    except OSError as error:
        parser.error(f"--to {folder}: {error.strerror}")
    print(f"The notebooks are in {folder.resolve()}.")
    if kept:
        print(
            f"Left as they were, since you may have changed them: {', '.join(kept)}."
        )
        print("Rename one, and the next start brings a fresh copy.")
    sys.argv = [program, *command]
    runpy.run_module(program, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
