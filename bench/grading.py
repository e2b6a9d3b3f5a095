"""How long a lab of a large class takes to grade; everybody has numbers of their own, and is right.

What slow, broken and hostile submissions do is tested in `tests/labs`.
"""

import copy
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path += [
    str(Path(__file__).parents[1] / folder)
    for folder in ("tests/labs", "course")
]

import nbformat

import tools
from sources import hand_in, points, read, read_scores

LAB = "lab1"


def minutes(submissions: int) -> float:
    """Grade so many submissions; nobody's points are wrong."""
    program = Path(sys.executable)
    # As in an active environment: nbgrader calls alembic by its name.
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        labs = tools.copy_repository(Path(folder)) / "notebooks" / "labs"
        nbgrader = (program, "-m", "nbgrader")
        tools.run(*nbgrader, "generate_assignment", LAB, cwd=labs)
        released = read(labs / "release" / LAB / f"{LAB}.ipynb")
        for number in range(submissions):
            notebook = copy.deepcopy(released)
            hand_in(notebook, LAB, f"s{number}")
            path = labs / "submitted" / f"s{number}" / LAB / f"{LAB}.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)
        start = time.perf_counter()
        tools.run(
            program, labs.parents[1] / "course" / "grade.py", LAB, cwd=labs
        )
        taken = (time.perf_counter() - start) / 60
        tools.run(*nbgrader, "export", cwd=labs)
        scores = read_scores(labs / "grades.csv")
        assert [*scores.values()] == [points(LAB)] * submissions
        return taken
