"""Programs of students that attack, in a sandbox: none gets what it is after."""

import contextlib
import os
import re
import resource
import runpy
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell

import sources
import tools
from hostile import ATTACKS, DOORS, LOOK, ODD_REPLIES, PROBES

pytest.importorskip(
    "nbgrader", reason="`test_sandboxed.py` runs these where nbgrader is"
)
sys.path.insert(0, str(tools.ROOT / "course"))
from examiner import Clock, Examiner, KernelError, examine
from sandbox import LIMITS, enclosed, grouped, lacking, lifetime
from settings import settings
from start import RULES
from students_kernel import StudentsKernel

pytestmark = pytest.mark.slow
TEST = "assert near(answer, 42), 'it is another number'"
SETUP = ["from dpwidgets.labs import near"]
SET = "something of the type set"


@pytest.fixture(scope="module")
def sandbox():
    """A sandbox can be had here."""
    if why := lacking():
        require = os.environ.get("DPWIDGETS_REQUIRE_SANDBOX")
        (pytest.fail if require else pytest.skip)(
            f"no sandbox for students' code: {why}"
        )


@pytest.fixture(scope="module")
def looking(sandbox):
    """A kernel that only looks around, and what it looks for in vain."""
    with socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0dpwidgets-test-{os.getpid()}")
        os.environ["A_SECRET"] = "secret"
        kernel = started()
        yield kernel
        del os.environ["A_SECRET"]
    kernel.close()


def started():
    kernel = StudentsKernel(120)
    kernel.run(f"import os{LOOK}", 10)
    return kernel


def namespace(process):
    """Return which processes are in a sandbox that a process has started, as /proc names it."""
    while (
        children := Path(f"/proc/{process}/task/{process}/children")
        .read_text()
        .split()
    ):
        process = int(children[0])
    return os.readlink(f"/proc/{process}/ns/pid")


def inside(name):
    """Return the processes in a sandbox that is named so."""
    found = []
    for path in Path("/proc").glob("[0-9]*/ns/pid"):
        with contextlib.suppress(OSError):  # it has ended since
            found += [path.parts[2]] if os.readlink(path) == name else []
    return found


def peak():
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def program(name):
    """Return a program of a student, and what every line of its output holds."""
    code, says = (PROBES | ATTACKS)[name]
    # To whose lab it is, and to what its answer is.
    replies = ", ".join(repr(one) for one in ODD_REPLIES for _ in range(2))
    filled = code.format(root=tools.ROOT, pid=os.getpid(), replies=replies)
    return filled, says


def earned(kernel):
    """Return which outputs of the tests of a wrong answer say that it is right."""
    tests = [new_code_cell(TEST) for _ in ODD_REPLIES]
    for test in tests:
        Examiner(kernel, Clock(30, 5), SETUP, ("student", "")).test([test])
    assert all(cell.outputs for cell in tests)
    return [
        one
        for cell in tests
        for one in cell.outputs
        if one.get("text") == "Right.\n"
    ]


@pytest.mark.parametrize("program", ["sleep 1000", "setsid sleep 1000 & wait"])
def test_all_that_is_enclosed_ends_with_whoever_started_it(program, sandbox):
    """Also what does not ask for that, as when a student has made it forget."""
    started = subprocess.Popen(
        [*lifetime(600), *enclosed("sh", "-c", f"echo $$; {program}")],
        stdout=subprocess.PIPE,
    )
    started.stdout.readline()
    name = namespace(started.pid)
    assert len(inside(name)) >= 2
    started.kill()
    started.communicate()
    end = time.monotonic() + 10
    while inside(name) and time.monotonic() < end:
        time.sleep(0.1)
    assert inside(name) == []


@pytest.mark.parametrize("megabytes", [4000, 9000])
def test_a_sandbox_is_found_from_any_folder_and_with_much_memory(
    megabytes, sandbox, tmp_path
):
    """Python may be named from where one stands."""
    chosen = (tools.ROOT / "course" / "class.toml").read_text("utf-8")
    chosen = chosen.replace("megabytes = 4000", f"megabytes = {megabytes}")
    (tmp_path / "class.toml").write_text(chosen, encoding="utf-8")
    python = os.path.relpath(sys.executable, tmp_path)
    look = f"import sys; sys.path.insert(0, {str(tools.ROOT / 'course')!r}); "
    look += "import sandbox; print(repr(sandbox.lacking()))"
    here = os.environ | {"DPWIDGETS_CLASS": str(tmp_path / "class.toml")}
    assert (
        tools.run(python, "-c", look, cwd=tmp_path, variables=here).strip()
        == "''"
    )


def test_where_systemd_can_a_sandbox_has_one_limit_of_memory_for_all(
    sandbox, tmp_path, monkeypatch
):
    """Here a program stands in for it that keeps what it was asked."""
    stand_in = tmp_path / "systemd-run"
    stand_in.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n'
        'while test "$1" != "--"; do shift; done\nshift\nexec "$@"\n'
    )
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    grouped.cache_clear()
    kernel = started()
    (output,) = kernel.run("print(6 * 7)", 10)
    kernel.close()
    grouped.cache_clear()
    assert output.text == "42\n"
    asked = (tmp_path / "asked").read_text()
    # Whether it can, and for the kernel.
    assert asked.count("--property=MemoryMax=4000M") == 2
    if shutil.which("systemd-analyze"):
        words = re.findall(r"--property=(\S+)", asked)
        (tmp_path / "a.slice").write_text("\n".join(["[Slice]", *words]))
        checked = ["systemd-analyze", "verify", tmp_path / "a.slice"]
        ran = subprocess.run(checked, capture_output=True, text=True)
        assert "a.slice:" not in ran.stderr


PAGE = (tools.ROOT / "course" / "reference.md").read_text(encoding="utf-8")


def test_the_cure_where_apparmor_forbids_a_sandbox_has_as_title_what_one_reads(
    tmp_path, monkeypatch
):
    find = r"#### (bwrap: [^\n]*)\n.*?```shell\n(.*?)```"
    title, cure = re.search(find, PAGE, re.DOTALL).groups()
    stand_in = tmp_path / "bwrap"
    stand_in.write_text(f'#!/bin/sh\necho "{title}" >&2\nexit 1\n')
    stand_in.chmod(0o755)
    if program := shutil.which("bwrap"):
        assert b"setting up uid map" in Path(program).read_bytes()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert lacking.__wrapped__() == title
    for old, new in (
        ("sudo ", ""),
        ("/etc/apparmor.d/bwrap", f"{tmp_path}/profile"),
        ("--replace", "--skip-kernel-load --skip-cache"),
    ):
        assert old in cure
        cure = cure.replace(old, new)
    # Those before 4 do not know what it allows.
    if Path("/etc/apparmor.d/abi/4.0").exists():
        tools.run("bash", "-ec", cure)


#: Makes a keyring with a key in it, and runs a command that looks for it.
KEYS = """
import ctypes, subprocess, sys
call = ctypes.CDLL(None).syscall
if sys.argv[1] == "look":
    print(call(250, 10, -3, b"user", b"dpwidgets-test", 0) > 0)
else:
    call(250, 1, None)
    call(248, b"user", b"dpwidgets-test", b"secret", 6, -3)
    subprocess.run(sys.argv[1:], check=True)
"""


def test_who_is_started_has_none_of_the_keys_of_whoever_starts(sandbox):
    """A session's keyring goes with a process, whatever user it becomes."""
    python = [sys.executable, "-c", KEYS]
    start = [sys.executable, tools.ROOT / "course" / "start.py"]
    for first, has_it in (([], True), (start, False)):
        program = [*python, *first, *python, "look", RULES]
        assert tools.run(*program).strip() == str(has_it)


@pytest.mark.parametrize("name", [*PROBES, *ATTACKS])
def test_a_program_gets_nothing_that_is_not_its_own(name, looking):
    code, says = program(name)
    kernel = looking if name in PROBES else started()
    there = None if name in PROBES else namespace(kernel._process.pid)
    start, most = time.monotonic(), peak()
    try:
        said = "".join(
            f"{one.get('text', one)}" for one in kernel.run(code, 3)
        )
        assert says is not None, "the kernel was not given up"
        assert said or not says
        assert all(says in line for line in said.splitlines())
        assert not earned(kernel)
    except KernelError:
        assert not says
    finally:
        if name in ATTACKS:
            kernel.close()
    assert peak() - most < 250  # of its gigabyte
    end = time.monotonic() + 5
    while there and (left := inside(there)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not there or not left
    assert time.monotonic() - start < 60  # its own limit, and not another's
    if name == "start-up files":
        fresh = started()
        found = fresh.run(
            "print(os.path.exists('ld.so.preload'), 'answer' in globals())", 5
        )
        fresh.close()
        assert found[0].text == "False False\n"


#: What honest students write beside the answers, and what it says.
HONEST = {
    "%matplotlib inline\n!pip install numpy\nprint('on')": "on",
    "import asyncio\nawait asyncio.sleep(0.1)\nprint('on')": "on",
    "import subprocess, sys\nprint(subprocess.run([sys.executable, '-V']).returncode)": "0",
    "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig('a.pdf')\nprint('on')": "on",
    "import threading\nthreading.Thread(target=print, args=['on']).start()": "on",
}


def test_labs_and_what_is_written_beside_them_run_in_a_sandbox(sandbox):
    kernel = started()
    for lab in sources.LABS:
        for cell in sources.source(lab).cells:
            if cell.cell_type == "code":
                outputs = kernel.run(cell.source, 60)
                assert "error" not in {one.output_type for one in outputs}
    for code, says in HONEST.items():
        assert kernel.run(code, 60)[0].text.split()[-1] == says
    kernel.close()


def test_a_cell_has_its_seconds_of_the_processor_and_more_of_the_wall(sandbox):
    """Who has to wait, for a busy machine or of its own, loses nothing by that."""
    kernel = started()
    clock = Clock(60, 1)
    clock.kernels.append(kernel)
    kernel.run("import time", 10)
    spent, left = kernel.spent, clock.left()
    (waited,) = kernel.run("time.sleep(1.5)\nprint('on')", clock.left())
    assert waited.text == "on\n"
    assert kernel.spent - spent < 1
    (stopped,) = kernel.run("while True: pass", clock.left())
    assert "KeyboardInterrupt" in str(stopped)
    assert kernel.spent - spent > 0.9
    (stopped,) = kernel.run("time.sleep(1000)", clock.left())
    assert "KeyboardInterrupt" in str(stopped)
    assert left == 1
    kernel.spent = 59.5
    assert 0 < clock.left() <= 0.5
    assert clock.left(0.5) == 0
    kernel.close()


def test_what_a_student_says_is_cut_in_what_a_test_says(
    sandbox,
):
    """An id, an error and texts of millions of signs; and what is odd is named by its type.

    What is too long costs none of the others.
    """
    code = (
        "def asked():\n    raise ValueError(long)\nlong = 'y' * 10**5\n"
        "odd, large = {1}, 10**5000\ndef oddly():\n    return odd\n"
        "longer = '\\0' * 10**7\ndef longest():\n    return longer\nlonger"
    )
    test = {"nbgrader": {"locked": True, "grade": True}}
    lab = [
        new_code_cell(code),
        new_code_cell("lab_seed = '<b>' * 10**4"),
        new_code_cell("print(odd, oddly(), long)\nasked()", metadata=test),
        new_code_cell("print(large, longer)\nlongest()", metadata=test),
    ]
    clock = Clock(600, 600)
    said = examine(lab, lambda: StudentsKernel(60), clock, ("s1", ""))
    assert said == [f"with the id '{'<b>' * 13}<' in it"]
    (error,) = (one for one in lab[2].outputs if one.output_type == "error")
    assert error.evalue.startswith("handed in as 's1', with the id '<b>")
    assert lab[2].outputs[0].text.startswith(f"{SET} {SET} yyy")
    says = "ValueError: it is too long to be told"
    assert lab[0].outputs[0].evalue == "it displays too much"
    assert lab[3].outputs[0].text.count("{'error': 'ValueError: ") == 2
    assert lab[3].outputs[1].evalue.endswith(f"longest stopped with {says}")
    assert len(str(lab)) < 10_000


@pytest.mark.parametrize("name", DOORS)
def test_a_program_that_gets_nothing_gets_it_where_its_door_is_open(
    name, sandbox, tmp_path, monkeypatch
):
    file, shut, opened = DOORS[name]
    course = shutil.copytree(tools.ROOT / "course", tmp_path / "course")
    text = (course / file).read_text("utf-8")
    assert text.count(shut) == 1
    (course / file).write_text(text.replace(shut, opened), encoding="utf-8")
    open_one = runpy.run_path(str(course / "sandbox.py"))
    for step in ("sandboxed", "lifetime"):
        monkeypatch.setattr(f"students_kernel.{step}", open_one[step])
    kernel = started()
    code, says = program(name)
    said = "".join(one.text for one in kernel.run(code, 10))
    kernel.close()
    assert said
    assert not all(says in line for line in said.splitlines())


def test_the_lecturers_page_names_each_program_that_is_withstood():
    text = PAGE.partition("**Withstood:**\n")[2].partition(".\n\n")[0]
    names = " ".join(text.split()).split("; ")
    assert {*names} == {*PROBES, *ATTACKS}


def test_the_lecturers_page_says_how_much_memory_one_student_can_take():
    many, each = LIMITS["NPROC"], settings()["grading_megabytes"]
    says = f"{many} processes of {each:,} MB make {many * each // 1000} GB"
    assert says in " ".join(PAGE.split())
