"""How long a lab of a large class takes to grade, with three submissions that are trouble.

Each student has numbers of their own, and right answers; every third has left
the last half empty. When a third is graded, all that grades is killed, and the
same command is given again.
"""

import argparse
import copy
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path += [
    str(Path(__file__).parents[1] / folder)
    for folder in ("tests", "tests/labs", "course")
]

import nbformat

import tools
from sources import hand_in, points, read, read_scores

LAB = "lab1"
#: What comes before each answer of two of the three, and how the third is
#: handed in: cut in half.
TROUBLE = {
    "slow": "import time\ntime.sleep(20)\n",
    "hostile": "import os\nwhile True:\n    os.fork()  # until it may start no more\n",
    "broken": "",
}


class Graded(NamedTuple):
    """What it took, and what the lecturer reads of the three."""

    minutes: float
    begun_with: int  # how many were graded when it was begun again
    told: list[str]


def nbgrader(*command: str, cwd: Path) -> None:
    tools.run(sys.executable, "-m", "nbgrader", *command, cwd=cwd)


def handed_in(
    labs: Path, student: str, released: nbformat.NotebookNode, *, half: bool
) -> None:
    """Write a student's submission."""
    notebook, asked = copy.deepcopy(released), []

    def answer(code: str) -> str:
        asked.append(code)
        if half and len(asked) > 6:
            return "pass"
        return TROUBLE.get(student, "") + code

    hand_in(notebook, LAB, student, answer)
    path = labs / "submitted" / student / LAB / f"{LAB}.ipynb"
    path.parent.mkdir(parents=True)
    text = nbformat.writes(notebook)
    path.write_text(
        text[: len(text) // 2] if student == "broken" else text,
        encoding="utf-8",
    )


def measure(submissions: int) -> Graded:
    """Grade so many submissions, the three among them; nobody's points are wrong."""
    # As in an active environment: nbgrader calls alembic by its name.
    os.environ["PATH"] = (
        f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    )
    with tempfile.TemporaryDirectory() as folder:
        labs = tools.copy_repository(Path(folder)) / "notebooks" / "labs"
        nbgrader("generate_assignment", LAB, cwd=labs)
        released = read(labs / "release" / LAB / f"{LAB}.ipynb")
        students = [
            f"s{number}" for number in range(submissions - len(TROUBLE))
        ]
        for number, student in enumerate([*students, *TROUBLE]):
            handed_in(
                labs,
                student,
                released,
                half=number % 3 == 2 and student in students,
            )
        program = [
            sys.executable,
            labs.parents[1] / "course" / "grade.py",
            LAB,
        ]
        start = time.perf_counter()
        begun_with = killed(program, labs, submissions // 3)
        done = subprocess.run(
            program, cwd=labs, stdout=subprocess.PIPE, text=True, check=False
        )
        minutes = (time.perf_counter() - start) / 60
        told = [
            line
            for line in done.stdout.splitlines()
            if line.split()[0] in TROUBLE
        ]
        nbgrader("export", cwd=labs)
        scores = {
            name: score
            for (_, name), score in read_scores(labs / "grades.csv").items()
        }
        right = [
            scores[student]
            for at, student in enumerate(students)
            if at % 3 != 2
        ]
        assert {*right, scores["slow"]} == {points(LAB)}
        assert len({scores[student] for student in students[2::3]}) == 1
        return Graded(minutes, begun_with, told)


def killed(program: list, labs: Path, graded_by_then: int) -> int:
    """Begin to grade, and kill all that does when so many are graded; return how many they are."""
    grading = subprocess.Popen(
        program, cwd=labs, stdout=subprocess.DEVNULL, start_new_session=True
    )
    while (
        many := len([*labs.glob(f"autograded/*/{LAB}/{LAB}.ipynb")])
    ) < graded_by_then:
        assert grading.poll() is None, "it ended before it could be killed"
        time.sleep(1)
    os.killpg(grading.pid, signal.SIGKILL)
    grading.wait()
    return many


def main() -> None:
    """Print how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=300)
    many = parser.parse_args().submissions
    found = measure(many)
    print(
        f"{many} submissions of {LAB} on {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}: {found.minutes:.1f} minutes; killed after "
        f"{found.begun_with}. Of the three the lecturer reads:"
    )
    print(*found.told, sep="\n")


if __name__ == "__main__":
    main()
