"""Copy the notebooks to a folder of the reader's, and open them: ``python -m dpwidgets``."""

import argparse
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

#: A wheel carries the notebooks in the package. In a clone they lie beside it.
PLACES = [folder / "notebooks" for folder in Path(__file__).parents[:2]]
CARRIED = next(place for place in PLACES if place.is_dir())
FIRST = "00_start_here.ipynb"


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
    patterns = ("*.ipynb", "audits/*.ipynb", "images/*")
    sources = [path for one in patterns for path in CARRIED.glob(one)]
    for source in sorted(sources):
        target = folder / source.relative_to(CARRIED)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_bytes(source.read_bytes())
        elif target.read_bytes() != source.read_bytes():
            kept.append(source.relative_to(CARRIED).as_posix())
    return kept


def main() -> None:
    """Do what the command line says; what it says beyond our own option goes to JupyterLab."""
    parser = argparse.ArgumentParser(
        prog="dpwidgets",
        description="Copy the notebooks to a folder, never over what you changed, and open them.",
        epilog="Further options are JupyterLab's: dpwidgets --no-browser",
        # What only begins like ours is JupyterLab's.
        allow_abbrev=False,
    )
    folder = Path("dpwidgets-notebooks")
    parser.add_argument("--to", type=Path, default=folder, metavar="FOLDER")
    chosen, further = parser.parse_known_args()
    if find_spec("jupyterlab") is None:
        parser.exit(
            1,
            'jupyterlab is not installed here: pip install "dpwidgets[lab]"\n',
        )
    try:
        kept = copy(chosen.to)
    except OSError as error:
        parser.error(f"--to {chosen.to}: {error.strerror}")
    print(f"The notebooks are in {chosen.to.resolve()}.")
    if kept:
        print(
            f"Left as they were, since you may have changed them: {', '.join(kept)}."
        )
        print("Rename one, and the next start brings a fresh copy.")
    sys.argv = ["jupyterlab", str(chosen.to / FIRST), *further]
    runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
