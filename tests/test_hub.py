"""The hub of `course/`: a class from the first login to the feedback, with real processes."""

import os
import shutil
import socket
import subprocess
import time

import nbformat
import pytest

import hub
import tools
from sources import hand_in, points, right, ten_percent_more

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        "DPWIDGETS_HUB" not in os.environ,
        reason="a hub with a class takes two minutes or more: ask with DPWIDGETS_HUB=1",
    ),
    pytest.mark.skipif(
        not shutil.which("npm"),
        reason="configurable-http-proxy comes from npm",
    ),
]
LAB, STUDENTS = "lab1", ("s1", "s2", "s3")
FORMGRADER = "services/dpwidgets/formgrader"


def students_branch(folder):
    """Make a local repository with the branch that the README tells how to make."""
    tools.copy_repository(folder)
    page = (folder / "course" / "hub.md").read_text(encoding="utf-8")
    (lines,) = [
        block for block in page.split("```") if "--orphan students" in block
    ]
    who = "git config user.name Lecturer\ngit config user.email lecturer@example.org\n"
    begin = f"set -e\ngit init -q -b main .\n{who}git add .\ngit commit -qm course\n"
    tools.run("bash", "-c", begin + lines.partition("\n")[2], cwd=folder)
    return folder


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An environment with what a hub needs, and a copy of the repository."""
    proxy = "configurable-http-proxy"
    view = ["npm", "view", proxy, "version"]
    if subprocess.run(view, capture_output=True).returncode:
        pytest.skip(
            f"npm's registry, from which {proxy} comes, cannot be reached"
        )
    return hub.environment(tmp_path_factory.mktemp("hub"))


def test_a_hub_that_cannot_start_leaves_no_process(installed, tmp_path):
    """Where another program has the port at which the proxy asks the hub."""
    one = hub.Hub(*installed, tmp_path, 18650)
    with socket.create_server(("127.0.0.1", 18651)):
        ended = subprocess.run(
            one.command, env=one.variables, capture_output=True, text=True
        )
    assert "Failed to bind hub" in ended.stderr
    time.sleep(1)
    assert one.processes() == []


def test_a_class_from_the_first_login_to_the_feedback(installed, tmp_path):
    environment, repository = installed
    with hub.Hub(environment, repository, tmp_path, 18600) as running:
        a_class(
            environment,
            repository,
            running,
            students_branch(tmp_path / "course"),
        )
    assert running.left == []


def a_class(environment, repository, running, branch):
    """Release, hand in, grade and return a lab; nbgrader knows where the students hand in."""
    environment.variables |= {
        "DPWIDGETS_EXCHANGE": str(running.state / "exchange"),
        "JUPYTER_CONFIG_PATH": str(repository / "course" / "etc"),
    }
    lecturer, *students = people = [
        hub.Person(running, name) for name in ("lecturer", *STUDENTS)
    ]
    for person in students:
        person.start()
    assert [person.welcome for person in people] == [302] * 4
    assert hub.Person(running, "mallory").welcome == 403
    labs = repository / "notebooks" / "labs"
    for step in ("assign", "release"):
        lecturer.grade(f"assignment/{LAB}/{step}")
    for person in students:
        # Before anybody has done anything.
        lessons = {one["name"] for one in person.read("")}
        assert {"00_start_here.ipynb", "images"} <= lessons
        assert "labs" not in lessons
        person.pull(branch, "students")
        person.labs("fetch", LAB)
        notebook = nbformat.from_dict(person.read(f"{LAB}/{LAB}.ipynb"))
        hand_in(
            notebook,
            LAB,
            person.name,
            ten_percent_more if person.name == "s2" else right,
        )
        person.save(f"{LAB}/{LAB}.ipynb", notebook)
        person.labs("submit", LAB)
    pulled = {one["name"] for one in students[0].read("course/notebooks")}
    assert "00_start_here.ipynb" in pulled
    assert "labs" not in pulled
    # What a student keeps is theirs alone.
    students[0].save("mine.ipynb", nbformat.v4.new_notebook())
    kept = [person.read("mine.ipynb") is not None for person in students]
    assert kept == [True, False, False]
    for forbidden in (FORMGRADER, "user/s2/api/contents/"):
        assert students[0].ask("GET", forbidden).status_code == 403
    lecturer.grade(f"assignment/{LAB}/collect")
    for name in STUDENTS[:2]:
        lecturer.grade(f"submission/{LAB}/{name}/autograde")
    grade = f"python {repository / 'course' / 'grade.py'} {LAB}; test $? = 1"
    table = environment.run("bash", "-c", grade, cwd=labs)
    look, last = table.splitlines()
    assert " ".join(look.split()) == "s2 0 no answer is right"
    assert last == "2 fine, 1 to look at, 0 not handed in"
    lecturer.grade(f"assignment/{LAB}/generate_feedback")
    lecturer.grade(f"assignment/{LAB}/release_feedback")
    students[0].labs("fetch_feedback", LAB)
    stamp = students[0].read(f"{LAB}/feedback")[0]
    feedback = students[0].read(f"{stamp['path']}/{LAB}.html")
    assert f"{points(LAB)} of {points(LAB)} points" in feedback
    # What a browser refuses under this policy, tests/labs/test_course.py
    # shows.
    (one, *_) = lecturer.ask(
        "GET", f"{FORMGRADER}/api/submitted_notebooks/{LAB}/{LAB}"
    ).json()
    for path, policy in (
        ("", "script-src 'nonce-"),
        ("timestamp.txt", "; sandbox"),
    ):
        page = lecturer.ask(
            "GET", f"{FORMGRADER}/submissions/{one['id']}/{path}"
        )
        assert policy in page.headers["Content-Security-Policy"]
