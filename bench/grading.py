"""Measure how long a lab of many students takes to grade: `make grading`.

Each has numbers of their own and right answers. Some are graded alone as well, in a second course:
their points must be the same.
"""

import argparse
import copy
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[1] / "tests" / folder) for folder in ("", "labs"))

import nbformat

import tools
from sources import hand_in, points, read, read_scores


def course(folder, lab, students):
    """Return a course in which all have handed in; every third has left the last half empty."""
    labs = tools.copy_repository(folder) / "notebooks" / "labs"
    nbgrader("generate_assignment", lab, cwd=labs)
    released = read(labs / "release" / lab / f"{lab}.ipynb")
    for number in range(students):
        notebook, asked = copy.deepcopy(released), []

        def change(code, _, number=number, asked=asked):
            asked.append(code)
            return code if number % 3 or len(asked) < 7 else "pass"

        hand_in(notebook, lab, f"s{number}", change)
        path = labs / "submitted" / f"s{number}" / lab / f"{lab}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    return labs


def nbgrader(*command, cwd):
    """Run nbgrader."""
    tools.run(sys.executable, "-m", "nbgrader", *command, cwd=cwd)


def main():
    """Grade, and print how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--alone", type=int, default=6, help="how many are graded alone as well")
    parser.add_argument("--lab", default="lab1")
    chosen = parser.parse_args()
    # As in an active environment: nbgrader calls alembic by its name.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as kept:
        labs = course(Path(kept) / "all", chosen.lab, chosen.students)
        program = [sys.executable, labs.parents[1] / "course" / "grade.py", "grade", chosen.lab]
        start, before = time.perf_counter(), os.times()
        tools.run("bash", "-c", '"$@" || true', "-", *program, cwd=labs)
        minutes, after = (time.perf_counter() - start) / 60, os.times()
        busy = sum(after[2:4]) - sum(before[2:4])  # of the processes that it started
        nbgrader("export", cwd=labs)
        together = read_scores(labs / "grades.csv")
        for student in range(chosen.alone):
            shutil.rmtree(labs / "autograded" / f"s{student}" / chosen.lab)
            nbgrader("autograde", chosen.lab, "--student", f"s{student}", cwd=labs)
        nbgrader("export", "--to", "alone.csv", cwd=labs)
        assert read_scores(labs / "alone.csv") == together
        right = sum(score == points(chosen.lab) for score in together.values())
    cores = os.cpu_count()
    print(f"{len(together)} submissions of {chosen.lab} in {minutes:.1f} min on {cores} cores,")
    print(f"{busy / len(together):.1f} s of one core for each;")
    print(f"{right} with all points; {chosen.alone} graded alone got the same points")


if __name__ == "__main__":
    main()
