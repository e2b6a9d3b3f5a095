"""The pages for a lecturer, done as they are printed, on a fresh clone."""

import os
import re
import shlex
import shutil
import sys
import zipfile

import nbformat
import pytest

import sources
import tools
from released import Course
from sources import hand_in, read

LAB = "lab1"
#: Moodle's worksheet of a class of 120.
HEAD = (
    "Identifier,Full name,ID number,Status,Grade,Maximum Grade,"
    "Grade can be changed,Last modified (submission),Last modified (grade)\n"
)
#: What a hub is told by its configuration: whom it lets in, who grades and where.
HUB = """
import pwd, runpy
from pathlib import Path
from traitlets.config import Config
c = Config()
path = "/opt/dpwidgets/course/jupyterhub_config.py"
runpy.run_path(path, {"get_config": lambda: c})
print(c.JupyterHub.spawner_class, c.JupyterHub.authenticator_class)
people = sorted(c.Authenticator.allowed_users)
print(*people, all(Path(pwd.getpwnam(one).pw_dir).is_dir() for one in people))
grading = c.JupyterHub.services[1]
print(grading["user"], Path(grading["cwd"], "source", "lab1").is_dir())
"""
ROW = "Participant {0},Name {0},s{0},Submitted,,{1},Yes,-,-\n"


def blocks(page):
    """Return what stands in a page to be typed, or to be read: what is fenced."""
    text = (tools.ROOT / "course" / page).read_text(encoding="utf-8")
    return re.findall(r"^ *```\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)


def moodle(labs):
    """Put beside the release what Moodle gives of five students of a class of 120."""
    rows = [ROW.format(at, sources.points(LAB)) for at in range(1, 121)]
    (labs / "class.csv").write_text(HEAD + "".join(rows), encoding="utf-8")
    files = {"s4.ipynb": '{"cells": [', "s5.pdf": "%PDF"}
    for student, answer in (
        ("s1", sources.right),
        ("s2", sources.right),
        ("s3", None),
    ):
        notebook = read(labs / "release" / LAB / f"{LAB}.ipynb")
        hand_in(notebook, LAB, student, answer)
        files[f"{student}.ipynb"] = nbformat.writes(notebook)
    with zipfile.ZipFile(labs / "submissions.zip", "w") as archive:
        for name, content in files.items():
            number, ending = name[1:].split(".")
            file = f"{LAB}.ipynb" if ending == "ipynb" else f"essay.{ending}"
            folder = f"Name {number}_{number}_assignsubmission_file_"
            archive.writestr(f"{folder}/{file}", content)


@pytest.mark.slow
def test_with_moodle_the_page_leads_from_a_clone_to_the_marks(tmp_path):
    once, command, printed = blocks("README.md")
    origin = tools.copy_repository(tmp_path / "origin")
    who = "-c user.name=L -c user.email=l@example.org"
    tools.run(
        "bash",
        "-c",
        f"git init -q && git add . && git {who} commit -qm clone",
        cwd=origin,
    )
    once = once.replace("https://github.com/OWNER/NAME", str(origin))
    clean = tools.clean_variables(tmp_path / "settings")
    tools.run("bash", "-ec", once, cwd=tmp_path, variables=clean)
    labs = tmp_path / "dpwidgets" / "notebooks" / "labs"
    moodle(labs)
    before = (labs / "class.csv").read_bytes()
    active = f". {tmp_path}/dpwidgets/.venv/bin/activate\n"
    told = tools.run(
        "bash",
        "-c",
        f"{active}{command} test $? = 1",
        cwd=labs,
        variables=clean,
    )
    assert told == printed
    assert (labs / "class.csv").read_bytes() == before
    marks = (labs / f"marks-{LAB}.csv").read_text(encoding="utf-8")
    most = f"{sources.points(LAB):g}"
    grades = re.findall(r'"Participant (\d+)","[^"]*","(\d+)"', marks)
    assert grades == [("1", most), ("2", most), ("3", "0")]


@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("bwrap"),
    reason="only root makes users",
)
def test_for_a_class_a_hub_is_set_up_as_printed(tmp_path):
    """On a machine that ends with the test: its /etc is a copy, /home and /opt are empty.

    The last step needs a web server; here the hub is only told all that it
    reads there, and test_hub.py starts one.
    """
    origin = tools.copy_repository(tmp_path / "origin")
    shutil.copytree("/etc", tmp_path / "etc", symlinks=True)
    # The one who grades clones what is root's.
    safe = "[safe]\n\tdirectory = *\n"
    (tmp_path / "etc" / "gitconfig").write_text(safe)
    who = "-c user.name=L -c user.email=l@example.org"
    commit = f"git init -q && git add . && git {who} commit -qm clone"
    tools.run("bash", "-ec", commit, cwd=origin)
    _, users, clones, chosen, *_ = blocks("hub.md")
    steps = f"{users}{clones}{chosen}"
    steps = steps.replace("https://github.com/OWNER/NAME", "/mnt")
    look = """
    su s1 -c 'ls /home/s2' && exit 1
    cd /opt/dpwidgets
    find . -path ./notebooks/labs/source -o -name .git -o -name questions
    cd /home/grader-dpwidgets/dpwidgets
    cmp course/class.toml /opt/dpwidgets/course/class.toml
    stat --format %U notebooks/labs/source
    cd course
    python3 -c 'from pathlib import Path; print(Path("class.toml").resolve())'
    export DPWIDGETS_HUB=/opt/dpwidgets/.hub PYTHONPATH=/opt/dpwidgets
    """
    look += shlex.join([sys.executable, "-c", HUB])
    alone = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", origin, "/mnt"]
    alone += ["--bind", tmp_path / "etc", "/etc"]
    for folder in ("/home", "/opt", "/var/log", "/var/mail"):
        alone += ["--tmpfs", folder]
    for python in (sys.prefix, sys.base_prefix):
        alone += ["--ro-bind", python, python]
    told = tools.run(*alone, "bash", "-ec", f"{steps}{look}")
    assert told.split() == [
        "grader-dpwidgets",
        "/opt/dpwidgets/course/class.toml",
        *("jupyterhub.spawner.LocalProcessSpawner", "pam"),
        *("ada", "s1", "s2", "s3", "True", "grader-dpwidgets", "True"),
    ]


@pytest.mark.slow
def test_on_a_hub_a_lab_goes_out_and_comes_back_as_printed(tmp_path):
    """The branch is made in test_hub.py."""
    steps = blocks("hub.md")[-1].splitlines(keepends=True)
    course = Course(tmp_path)
    course.run("bash", "-ec", "".join(steps[:3]))
    shared = course.exchange / "outbound" / LAB / f"{LAB}.ipynb"
    notebook = read(shared)
    hand_in(notebook, LAB, "s1")
    stamp = "2026-11-30 12:00:00.000000 UTC"
    folder = course.inbound / f"s1+{LAB}+{stamp}+x"
    folder.mkdir()
    nbformat.write(notebook, folder / f"{LAB}.ipynb")
    (folder / "timestamp.txt").write_text(stamp)
    (folder / "submission_secret.txt").write_text("secret")
    told = course.run("bash", "-c", "".join(steps[3:]))
    assert "0 not handed in" in told
    assert course.scores()[LAB, "s1"] == sources.points(LAB)
    assert [*(course.exchange / "feedback").glob("*.html")]


def test_the_commands_for_a_cluster_and_a_machine_name_what_is_there(
    tmp_path,
):
    """Programs that keep what they are told stand in for those that need either."""
    for program in ("docker", "helm", "curl", "sudo"):
        stand_in = tmp_path / program
        stand_in.write_text(f'#!/bin/sh\necho {program} "$@"\n')
        stand_in.chmod(0o755)
    told = tools.run(
        *("bash", "-ec", "".join(blocks("kubernetes/README.md"))),
        cwd=tools.ROOT,
        variables=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    build, push, upgrade, *machine = told.splitlines()
    image = push.split()[-1]
    assert f"--tag {image} " in build
    for says, option in ((build, "--file"), (upgrade, "--values")):
        words = says.split()
        assert (tools.ROOT / words[words.index(option) + 1]).is_file()
    assert build.endswith(" .")
    named = set(re.findall(r"/root/dpwidgets/(\S+)/\.", " ".join(machine)))
    assert named == {"course/etc"}
    (package,) = re.findall(r"jupyter-resource-usage\S+", " ".join(machine))
    needed = (tools.ROOT / "course" / "requirements.txt").read_text("utf-8")
    assert package in needed


@pytest.mark.parametrize("page", ["README.md", "hub.md"])
def test_a_page_is_one_screen(page):
    """About as many words as fit there, without what is typed."""
    text = (tools.ROOT / "course" / page).read_text(encoding="utf-8")
    words = re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()
    assert len(words) < 450
