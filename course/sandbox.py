"""A student's kernel in a room of its own, by bubblewrap: https://github.com/containers/bubblewrap.

Of the machine there is nothing in it but Python, its libraries and dpwidgets,
which nobody in there can write. It reaches no network and sees no other
program. Of the system's calls it may make those that `start` names. It is given an
open socket, so no folder is shared, and when the first process of `enclosed` ends
the system ends all others in it.
"""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.font_manager
from settings import settings
from start import RULES

import dpwidgets

#: What every program needs, where a system has it.
SYSTEM = (
    *("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share/fonts"),
    *("/bin", "/lib", "/lib32", "/lib64"),
    *("/etc/alternatives", "/etc/ld.so.cache"),
)
PYTHON = ("bin", "lib", "lib64", "pyvenv.cfg")
HOME = "/home/student"
#: Under each folder in which a student can write, what lies there.
ROOMS = {"/tmp": "/rooms/tmp", HOME: "/rooms/home"}
#: Bytes of such a folder for each file that it may hold: a file takes memory
#: of the system's own, however short it is.
BYTES_OF_A_FILE = 10_000
NOBODY = "65534"
#: Python by a path that holds in any folder.
PROGRAM = os.path.abspath(sys.executable)
VARIABLES = {
    "PATH": "/usr/bin:/bin",
    "HOME": HOME,
    "LANG": "C.UTF-8",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OPENBLAS_NUM_THREADS": "1",  # its threads would count
}


def fonts() -> list[Path]:
    """Return matplotlib's lists of the machine's fonts; else each kernel would make one anew."""
    return [*Path(matplotlib.get_cachedir()).glob("fontlist-*.json")]


def seen() -> list[str]:
    """Return bubblewrap's words for what of the machine is seen, and cannot be changed."""
    prefixes = {sys.prefix, sys.base_prefix}
    paths = {*map(Path, SYSTEM), *fonts(), Path(dpwidgets.__file__).parent}
    for prefix in prefixes:
        paths.update(Path(prefix, name) for name in PYTHON)
    folders: set[str] = set()
    for path in paths:
        folders.update(map(str, path.parents))
    words: list[str] = []
    # Else bubblewrap closes the folders on the way to all but their owner.
    for folder in sorted(folders - {"/"}):
        words += ["--dir", folder]
    for path in sorted(paths):
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]
        elif path.exists():
            words += ["--ro-bind", str(path), str(path)]
    return words


def enclosed(*program: str) -> list[str]:
    """Return the command that runs a program where all processes end with the first one.

    A student's sandbox is inside, and nobody in it reaches that process. Here
    are the two folders in which a student can write, with a bound for files as
    for bytes. If root grades, what comes is nobody's, for no limit of
    processes holds for root; who is nobody cannot reach a Python in root's own
    folders, so these are brought within reach.
    """
    size = settings()["sandbox"]["disk_megabytes"] * 10**6
    options = f"size={size},nr_inodes={size // BYTES_OF_A_FILE},mode=777"
    alone = ["bwrap", "--unshare-pid", "--die-with-parent"]
    alone += [*seen(), "--dir", "/tmp"]
    alone += ["--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc"]
    alone += ["--cap-add", "CAP_SYS_ADMIN"]
    mounts = ""
    for folder in ROOMS.values():
        alone += ["--dir", folder]
        mounts += f"mount -t tmpfs -o {options} tmpfs {folder} && "
    if os.geteuid():
        # To be root in there takes the second right, and only here.
        who = ["--unshare-user", "--uid", "0", "--gid", "0"]
        who += ["--cap-add", "CAP_SETFCAP"]
        then: list[str] = []
    else:
        who = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        then = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}"]
        then += ["--clear-groups", "--"]
    shell = ["sh", "-c", f'{mounts}exec "$@"', "sh"]
    return [*alone, *who, *shell, *then, *program]


def limits() -> list[str]:
    """Return the words of prlimit for what each process of a student may take."""
    limit = settings()["sandbox"]
    return [
        f"--as={limit['megabytes'] * 10**6}",
        f"--fsize={limit['file_megabytes'] * 10**6}",
        f"--nofile={limit['files']}",
        f"--cpu={limit['processor_seconds']}",
        "--core=0",
    ]


@functools.cache
def grouped() -> list[str]:
    """Return the command before a program that bounds all its processes together, if systemd can.

    What bounds each alone does not bound what all of them take.
    """
    limit = f"MemoryMax={settings()['sandbox']['megabytes']}M"
    command = ["systemd-run", "--scope", "--quiet", "--collect"]
    command += ["--user"] if os.geteuid() else []
    command += [f"--property={limit}", "--property=MemorySwapMax=0", "--"]
    if not shutil.which("systemd-run"):
        return []
    tried = subprocess.run(
        [*command, "true"], capture_output=True, stdin=subprocess.DEVNULL
    )
    return [] if tried.returncode else command


def sandboxed(*program: str) -> list[str]:
    """Return the command that runs a program in a sandbox."""
    alone = ["--unshare-user", "--disable-userns", "--unshare-pid"]
    alone += ["--unshare-net", "--unshare-ipc", "--unshare-cgroup-try"]
    alone += ["--unshare-uts", "--hostname", "lab"]
    alone += ["--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL"]
    alone += ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in VARIABLES.items():
        alone += ["--setenv", name, value]
    # Before what is seen: a Python may stand below /tmp.
    for folder, room in ROOMS.items():
        alone += ["--bind", room, folder]
    alone += [*seen(), "--proc", "/proc", "--dev", "/dev"]
    for names in ("/proc/keys", "/proc/key-users"):
        alone += ["--ro-bind-try", "/dev/null", names]
    alone += ["--remount-ro", "/dev", "--chdir", HOME]
    for path in fonts():
        inside = f"{VARIABLES['MPLCONFIGDIR']}/{path.name}"
        alone += ["--ro-bind", str(path), inside]
    alone += ["--remount-ro", "/", "--seccomp", RULES]
    # Of all programs the first that the system ends when the machine is short
    # of memory.
    first_to_end = ["choom", "-n", "1000", "--"]
    threads = settings()["sandbox"]["threads"]
    limited = ["prlimit", f"--nproc={threads}", *limits(), "--"]
    kernel = ("bwrap", *alone, *limited, *first_to_end, *program)
    return [*grouped(), *enclosed(*kernel)]


@functools.cache
def lacking() -> str:
    """Return why no sandbox can be had here, or nothing if a kernel would start in one."""
    for name in ("bwrap", "prlimit", "choom", "timeout", "setpriv", "mount"):
        if not shutil.which(name):
            return f"{name} is not installed"
    program = (PROGRAM, "-c", "import IPython, dpwidgets")
    command = [*lifetime(60), *sandboxed(*program)]
    tried = subprocess.run(
        command, capture_output=True, text=True, check=False
    )
    if not tried.returncode:
        return ""
    lines = tried.stderr.strip().splitlines()
    return lines[-1] if lines else f"it ended with {tried.returncode}"


def lifetime(seconds: float) -> list[str]:
    """Return the command before a program that ends it after so long, or with whoever grades."""
    start = [PROGRAM, "-IS", str(Path(__file__).with_name("start.py"))]
    return [*start, "timeout", "--signal=KILL", f"{max(1, seconds):.0f}"]
