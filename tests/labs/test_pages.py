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
from odd import STAMP, inbound
from released import Course
from sources import answered, hand_in, read

LAB = "lab1"
#: Moodle's worksheet of a class of 120.
HEAD = (
    "Identifier,Full name,ID number,Status,Grade,Maximum Grade,"
    "Grade can be changed,Last modified (submission),Last modified (grade)\n"
)
COMMIT = """git init -q && git add .
git -c user.name=L -c user.email=l@example.org commit -qm clone"""
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


def pack(labs, name, files):
    """Put an archive beside the release as Moodle gives it; each file with its student's number."""
    with zipfile.ZipFile(labs / name, "w") as archive:
        for file, content in files.items():
            number, _, called = file.partition("/")
            folder = f"Name {number}_{number}_assignsubmission_file_"
            archive.writestr(f"{folder}/{called}", content)


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The labs' folder of a clone, made as the page says, and what runs a command in it."""
    folder = tmp_path_factory.mktemp("clone")
    once, *_ = blocks("README.md")
    origin = tools.copy_repository(folder / "origin")
    tools.run("bash", "-ec", COMMIT, cwd=origin)
    once = once.replace("https://github.com/OWNER/NAME", str(origin))
    # Links to what uv keeps; pip would write twenty thousand files.
    once = once.replace("pip install", f"{tools.UV} pip install")
    clean = tools.clean_variables(folder / "settings")
    tools.run("bash", "-ec", once, cwd=folder, variables=clean)
    labs = folder / "dpwidgets" / "notebooks" / "labs"
    active = f". {folder}/dpwidgets/.venv/bin/activate\n"

    def tell(command):
        """Return what a command prints that says that somebody needs a look."""
        command = f"{active}{command} 2>&1; test $? = 1"
        return tools.run("bash", "-c", command, cwd=labs, variables=clean)

    yield labs, tell
    # At the end of all tests nobody else would work meanwhile.
    shutil.rmtree(folder)


@pytest.mark.slow
def test_with_moodle_the_page_leads_from_a_clone_to_the_marks(clone):
    labs, tell = clone
    _, command, printed = blocks("README.md")
    page, reference = (
        (tools.ROOT / "course" / name).read_text(encoding="utf-8")
        for name in ("README.md", "reference.md")
    )
    assert f"a *Maximum grade* of {sources.points(LAB)}, " in page
    says = f"| its maximum is 100 and the lab's {sources.points(LAB)} |"
    assert says in reference
    rows = [ROW.format(at, sources.points(LAB)) for at in range(1, 121)]
    (labs / "class.csv").write_text(HEAD + "".join(rows), encoding="utf-8")
    files = {
        "1/lab1.ipynb": nbformat.writes(answered(labs, LAB, "s1")),
        "2/lab1.ipynb": nbformat.writes(answered(labs, LAB, "s2")),
        "3/lab1.ipynb": nbformat.writes(answered(labs, LAB, "s3", None)),
        "4/lab1.ipynb": '{"cells": [',
        "5/essay.pdf": "%PDF",
    }
    pack(labs, "submissions.zip", files)
    before = (labs / "class.csv").read_bytes()
    assert tell(command.rstrip()) == printed
    assert (labs / "class.csv").read_bytes() == before
    marks = (labs / f"marks-{LAB}.csv").read_text(encoding="utf-8")
    most = f"{sources.points(LAB):g}"
    grades = re.findall(r'"Participant (\d+)","[^"]*","(\d+)"', marks)
    assert grades == [("1", most), ("2", most), ("3", "0")]
    with zipfile.ZipFile(labs / f"feedback-{LAB}.zip") as archive:
        names = archive.namelist()
        assert "lab1 of s2" in archive.read(names[1]).decode()
    assert names == [
        f"Participant_{number}_assignsubmission_file_/{LAB}.html"
        for number in (1, 2, 3)
    ]
    # Of another archive only what is new is graded, and of the first all is known.
    files = {
        "1/lab1.ipynb": files["1/lab1.ipynb"],
        "2/lab1.ipynb": files["3/lab1.ipynb"],
        "6/a.ipynb": files["1/lab1.ipynb"],
        "6/b.ipynb": files["2/lab1.ipynb"],
        "999/lab1.ipynb": files["1/lab1.ipynb"],
    }
    pack(labs, "again.zip", files)
    table = tell(
        command.replace("submissions.zip", "again.zip").rstrip() + " --all"
    )
    for says in (
        "notebooks: 2, ",
        f"s1                   {most:>5}  fine\n",
        "s2                       0  with the id 's3' in it; no test finds an answer\n",
        "s5                       –  not collected, essay.pdf: ",
        "s6                       –  not collected: of these notebooks leave one: a.ipynb, b",
        f"{LAB}.ipynb     –  not collected: by its name, Moodle's, it is of nobody",
        "1 fine, 6 to look at, 114 not handed in\n",
    ):
        assert says in table
    (labs / "other.csv").write_text("Student,ID\n", encoding="utf-8")
    told = tell(f"python ../../course/grade.py {LAB} --list other.csv")
    assert told.startswith("other.csv is no list of a class")


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
    tools.run("bash", "-ec", COMMIT, cwd=origin)
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
    notebook = read(course.exchange / "outbound" / LAB / f"{LAB}.ipynb")
    hand_in(notebook, LAB, "s1")
    inbound(
        course,
        "s1",
        LAB,
        lab1_ipynb=nbformat.writes(notebook),
        timestamp_txt=STAMP,
        submission_secret_txt="secret",
    )
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
