"""What somebody meets who tries the hub out: the lessons in every home, and a lab that is released.

`make hub` runs it before the hub starts.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from settings import HERE, settings

LAB = "lab1"
NOTEBOOKS = HERE.parent / "notebooks"
WELCOME = """
*** FOR TRYING OUT ONLY: any name of the class gets in with any password, and all servers
*** run as you. See course/hub.md before a class uses it.
***
*** A student:  {hub} as {student}: the first lesson opens. For the lab choose
***             Nbgrader, Assignment List, and fetch {lab}.
*** A lecturer: {hub}/services/dpwidgets/formgrader as {lecturer}, and press
***             the number below Submissions when somebody has handed in.
"""


def lessons(home: Path) -> None:
    """Make a home with the notebooks for reading, if it is not there; what lies there stays."""
    if not home.exists():
        shutil.copytree(NOTEBOOKS, home, ignore=shutil.ignore_patterns("labs"))


def release(exchange: Path) -> None:
    """Hand the first lab out, if it is not."""
    if (exchange / "dpwidgets" / "outbound" / LAB).exists():
        return
    here = os.environ | {"DPWIDGETS_EXCHANGE": str(exchange)}
    for step in ("generate_assignment", "release_assignment"):
        command = [sys.executable, "-m", "nbgrader", step, LAB, "--force"]
        labs = os.environ.get("DPWIDGETS_LABS", NOTEBOOKS / "labs")
        subprocess.run(command, cwd=labs, env=here, check=True)


def main() -> None:
    """Prepare the folder of a hub, if it is for trying out."""
    chosen = settings()
    if chosen["spawner"] != "simple":
        return
    state = Path(os.environ["DPWIDGETS_HUB"]).resolve()
    for name in (*chosen["graders"], *chosen["students"]):
        lessons(state / "homes" / name)
    release(state / "exchange")
    welcome = WELCOME.format(
        hub=f"http://127.0.0.1:{chosen['port']}",
        student=chosen["students"][0],
        lecturer=chosen["graders"][0],
        lab=LAB,
    )
    print(welcome, file=sys.stderr)


if __name__ == "__main__":
    main()
