"""How long a lab of a large class takes to grade, with three submissions that are trouble.

Everybody has numbers of their own, and is right.
"""

import copy
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from operator import add
from pathlib import Path

sys.path += [
    str(Path(__file__).parents[1] / folder)
    for folder in ("tests/labs", "course")
]

import nbformat

import tools
from sources import hand_in, points, read, read_scores

LAB = "lab1"
#: What comes before each answer of two of the three; of the third half is
#: handed in.
TROUBLE = {
    "slow": "import time\ntime.sleep(20)\n",
    "hostile": "import os\nwhile True:\n    os.fork()\n",
    "broken": "",
}


def minutes(submissions: int) -> float:
    """Grade so many submissions, the three among them; nobody's points are wrong."""
    students = [
        *TROUBLE,
        *(f"s{at}" for at in range(len(TROUBLE), submissions)),
    ]
    program = Path(sys.executable)
    # As in an active environment: nbgrader calls alembic by its name.
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        labs = tools.copy_repository(Path(folder)) / "notebooks" / "labs"
        nbgrader = (program, "-m", "nbgrader")
        tools.run(*nbgrader, "generate_assignment", LAB, cwd=labs)
        released = read(labs / "release" / LAB / f"{LAB}.ipynb")
        for student in students:
            notebook = copy.deepcopy(released)
            trouble = TROUBLE.get(student, "")
            hand_in(notebook, LAB, student, partial(add, trouble))
            text = nbformat.writes(notebook)
            if student == "broken":
                text = text[: len(text) // 2]
            path = labs / "submitted" / student / LAB / f"{LAB}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
        start = time.perf_counter()
        grade = (program, labs.parents[1] / "course" / "grade.py", LAB)
        subprocess.run(grade, cwd=labs, check=False)
        taken = (time.perf_counter() - start) / 60
        tools.run(*nbgrader, "export", cwd=labs)
        scores = {
            name: of
            for (_, name), of in read_scores(labs / "grades.csv").items()
        }
        honest = [
            scores[student]
            for student in students
            if student not in ("hostile", "broken")
        ]
        assert honest == [points(LAB)] * len(honest)
        return taken
