"""A student's kernel in a room of its own, by bubblewrap: https://github.com/containers/bubblewrap.

Of the machine there is nothing in it but Python, what dpwidgets and IPython
need of what is installed, and the libraries of these; nobody in there can
write any of it. It reaches no network and sees no other program. Of the
system's calls it may make those that `start` names. It is given an open socket, so no folder
is shared, and when the first process of `enclosed` ends the system ends all others in it.
"""

import contextlib
import functools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import matplotlib.font_manager
from settings import settings
from start import RULES

import dpwidgets

#: What the programs around a student's sandbox need, where a system has it.
AROUND = [
    *map(Path, ("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64")),
    *map(Path, ("/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives")),
]
#: What Python and its packages read of the machine.
DATA = ("/etc/ld.so.cache", "/usr/lib/locale", "/usr/share/fonts")
HOME = "/home/student"
#: Under each folder in which a student can write, what lies there.
ROOMS = {"/tmp": "/rooms/tmp", HOME: "/rooms/home"}
#: How many bytes and files such a folder may hold; all of it is in memory, and a
#: file takes some of the system's own, however short it is.
DISK, FILES = 100_000_000, 10_000
#: What a kernel may have beside memory: threads of all its processes; and of
#: each the bytes of a file, open files, seconds of the processor's time.
LIMITS = {
    "NPROC": 64,
    "FSIZE": 50_000_000,
    "NOFILE": 256,
    "CPU": 600,
    "CORE": 0,
}
NOBODY = "65534"
#: Of each line the package that it says is needed, or the library that is
#: loaded.
NEEDED = re.compile(r"^[\w.-]+", re.MULTILINE)
LOADED = re.compile(r"^\t(?:.* => )?(/.+) \(0x", re.MULTILINE)
#: Python by a path that holds in any folder.
PROGRAM = os.path.abspath(sys.executable)
STANDARD = Path(sysconfig.get_path("stdlib"))
#: What runs where a lab would; a library of numpy's may be loaded late.
TRIED = "import IPython, dpwidgets, numpy; numpy.eye(2) @ numpy.eye(2)"
START = 240  # seconds until a kernel answers, however busy the machine is
LISTS = Path("/tmp/matplotlib")
VARIABLES = {
    "HOME": HOME,
    "LANG": "C.UTF-8",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MPLCONFIGDIR": str(LISTS),
    "OPENBLAS_NUM_THREADS": "1",  # its threads would count
}


def fonts() -> list[Path]:
    """Return matplotlib's lists of the machine's fonts; else each kernel would make one anew."""
    return [*Path(matplotlib.get_cachedir()).glob("fontlist-*.json")]


def installed(*names: str) -> list[Distribution]:
    """Return these packages and all that they need, as far as they are installed."""
    found: list[Distribution] = []
    todo = [*names]
    for name in todo:
        with contextlib.suppress(PackageNotFoundError):
            found.append(distribution(name))
            needs = found[-1].requires or ()
            always = [line for line in needs if "extra ==" not in line]
            todo += {*NEEDED.findall("\n".join(always))} - {*todo}
    return found


def libraries(programs: Iterable[Path]) -> list[Path]:
    """Return the libraries that Python loads with these of its own, as the system's loader says.

    It is asked to load all at once, and a blank in their names would part them; in a folder's
    own name it does not count.
    """
    names = [os.path.relpath(path, sys.prefix) for path in programs]
    asked = {"LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": ":".join(names)}
    loaded = subprocess.run(
        [PROGRAM, "-c", ""],
        env=asked,
        cwd=sys.prefix,
        capture_output=True,
        text=True,
    )
    return [
        Path(os.path.normpath(path)) for path in LOADED.findall(loaded.stdout)
    ]


@functools.cache
def seen() -> list[Path]:
    """Return what of the machine is seen in a student's sandbox, and cannot be changed."""
    paths = {Path(dpwidgets.__file__).parent, *map(Path, DATA), *fonts()}
    paths |= {Path(PROGRAM).resolve(), Path(sys.prefix, "pyvenv.cfg")}
    programs = [*STANDARD.glob("lib-dynload/*.so")]
    for package in installed("dpwidgets", "ipython"):
        folder = Path(str(package.locate_file("")))
        files = [one for one in package.files or () if one.parts[0] != ".."]
        paths |= {folder / one.parts[0] for one in files}
        programs += [folder / one for one in files if one.suffix == ".so"]
    others = {*libraries(programs)}
    return [*paths, *(one for one in others if not paths & {*one.parents})]


def flat(steps: Iterable[Iterable[object]]) -> list[str]:
    """Return the words of bubblewrap's options, one after another."""
    return [str(word) for step in steps for word in step]


def bound(paths: Iterable[Path]) -> list[str]:
    """Return bubblewrap's words for Python's own library and these paths, where they are."""
    ways = {folder for path in (STANDARD, *paths) for folder in path.parents}
    others = [STANDARD / name for name in ("site-packages", "dist-packages")]
    # What is installed in that library is not Python's own.
    hidden = [folder for folder in others if folder.is_dir()]
    steps: list[tuple[object, ...]] = [
        # Else bubblewrap closes the folders on the way to all but their owner.
        *(("--dir", folder) for folder in sorted(ways - {Path("/")})),
        ("--ro-bind", STANDARD, STANDARD),
        *(("--tmpfs", folder) for folder in hidden),
        *(("--ro-bind-try", path, path) for path in paths),
        *(("--remount-ro", folder) for folder in hidden),
    ]
    return flat(steps)


def enclosed(*program: str) -> list[str]:
    """Return the command that runs a program where all processes end with the first one.

    A student's sandbox is inside, and nobody in it reaches that process. Here
    are the two folders in which a student can write, with a bound for files as
    for bytes. If root grades, what comes is nobody's, for no limit of
    processes holds for root; who is nobody cannot reach a Python in root's own
    folders, so these are brought within reach.
    """
    options = f"size={DISK},nr_inodes={FILES},mode=777,noexec"
    mount = f"mount -t tmpfs -o {options} tmpfs"
    mounts = "".join(f"{mount} {folder} && " for folder in ROOMS.values())
    # To be root in there takes the second right, and only here.
    rights: tuple[str, ...] = (
        *("--unshare-user", "--uid", "0", "--gid", "0"),
        *("--cap-add", "CAP_SETFCAP"),
    )
    then: tuple[str, ...] = ()
    if os.geteuid() == 0:
        rights = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        then = (
            *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}"),
            *("--clear-groups", "--"),
        )
    return [
        *("bwrap", "--unshare-pid", "--die-with-parent"),
        *bound([*seen(), *AROUND]),
        *("--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc"),
        *flat(("--dir", folder) for folder in ("/tmp", *ROOMS.values())),
        *("--cap-add", "CAP_SYS_ADMIN", *rights),
        *("sh", "-c", f'{mounts}exec "$@"', "sh", *then, *program),
    ]


def limited(code: str) -> str:
    """Return code of Python that takes limits upon itself, for all that it starts, and goes on."""
    memory = settings()["grading_megabytes"] * 10**6
    limits = "".join(
        f"resource.setrlimit(resource.RLIMIT_{name}, ({many}, {many}))\n"
        for name, many in {**LIMITS, "AS": memory}.items()
    )
    return f"import resource\n{limits}{code}"


@functools.cache
def grouped() -> list[str]:
    """Return the command before a program that bounds all its processes together, if systemd can.

    What bounds each alone does not bound what all of them take. With a weight
    they have as much of the processor as another student's one. Where there
    are no control groups 2, systemd makes a group without a limit.
    """
    command = [
        *("systemd-run", "--scope", "--quiet", "--collect"),
        *(("--user",) if os.geteuid() else ()),
        f"--property=MemoryMax={settings()['grading_megabytes']}M",
        *("--property=MemorySwapMax=0", "--property=CPUWeight=100", "--"),
    ]
    if not shutil.which("systemd-run"):
        return []
    tried = subprocess.run(
        [*command, "true"], capture_output=True, stdin=subprocess.DEVNULL
    )
    return [] if tried.returncode else command


def sandboxed(code: str, *arguments: str) -> list[str]:
    """Return the command that runs code of Python's in a sandbox."""
    link = ["--symlink", os.path.realpath(PROGRAM), PROGRAM]
    kernel = [
        *("bwrap", "--unshare-user", "--disable-userns", "--unshare-pid"),
        *("--unshare-net", "--unshare-ipc", "--unshare-cgroup-try"),
        *("--unshare-uts", "--hostname", "lab"),
        *("--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--clearenv"),
        *flat(("--setenv", *variable) for variable in VARIABLES.items()),
        # Before what is seen: a Python may stand below /tmp.
        *flat(("--bind", room, folder) for folder, room in ROOMS.items()),
        *bound(seen()),
        *(link if os.path.islink(PROGRAM) else ()),
        *("--proc", "/proc", "--dev", "/dev", "--chdir", HOME),
        *("--ro-bind-try", "/dev/null", "/proc/keys"),
        *("--ro-bind-try", "/dev/null", "/proc/key-users"),
        *flat(("--ro-bind", path, LISTS / path.name) for path in fonts()),
        # In /proc are the memory of the first process, and who is ended first.
        *flat(("--remount-ro", folder) for folder in ("/proc", "/dev", "/")),
        *("--seccomp", RULES, PROGRAM, "-c", limited(code), *arguments),
    ]
    start = [PROGRAM, "-IS", str(Path(__file__).with_name("start.py"))]
    # When the machine is short of memory, the system ends these first.
    first = ["choom", "-n", "1000", "--"]
    return [*grouped(), *first, *start, *enclosed(*kernel)]


@functools.cache
def lacking() -> str:
    """Return why no sandbox can be had here, or nothing if a kernel would start in one."""
    if not shutil.which("bwrap"):
        return "bwrap is not installed"
    command = [*lifetime(START), *sandboxed(TRIED)]
    tried = subprocess.run(
        command, capture_output=True, text=True, check=False
    )
    if not tried.returncode:
        return ""
    lines = tried.stderr.strip().splitlines()
    return lines[-1] if lines else f"it ended with {tried.returncode}"


def lifetime(seconds: float) -> list[str]:
    """Return the command before a program that ends it after so long, or with whoever grades."""
    after = ["timeout", "--signal=KILL", f"{max(1, seconds):.0f}"]
    return ["setpriv", "--pdeathsig=KILL", "--", *after]
