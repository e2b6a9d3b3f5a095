"""Programs of students that attack whoever grades, or the others, and what each of them finds.

Each runs as a cell; every line of its output holds the words beside it, or,
where that is None, its kernel is given up; where there are none, it may be.
`PROBES` only look around; after each of `ATTACKS` the kernel is closed. The
lecturer's page has all of these names in its table. `DOORS` tells for a program
what would let it in: a probe that finds nothing there either tries nothing.
"""

LOOK = """
def tries(step):
    try:
        print("GOT", step())
    except BaseException as error:
        print(type(error).__name__, error)
"""
#: The kernel's own end of what leads to whoever grades.
TO_US = """
import socket
found = []
for number in range(3, 200):
    try:
        one = socket.socket(fileno=number)
        one.getpeername()
        one.setblocking(True)
        found.append(one)
    except OSError:
        pass
"""
LIBC = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"

PROBES = {
    "solutions": (
        "tries(lambda: open(r'{root}/notebooks/labs/source/lab1/lab1.ipynb'))",
        "NotFound",
    ),
    "repository": (
        "print([os.path.exists(r'{root}/' + one) for one in ('course', 'notebooks')])",
        "[False, False]",
    ),
    "password file": (
        "tries(lambda: open('/etc/passwd').read())",
        "FileNotFoundError",
    ),
    "others' processes": (
        "print([open(f'/proc/{{p}}/comm').read().strip() for p in os.listdir('/proc')"
        " if p.isdigit()])",
        "['bwrap', 'python']",
    ),
    "root of the first process": (
        "tries(lambda: os.listdir('/proc/1/root/var'))",
        "NotFound",
    ),
    # Where Python itself lies below /tmp, that folder is there.
    "others' temporary files": (
        "import sys\nprint({{*os.listdir('/tmp')}} - {{*sys.prefix.split('/')}})",
        "{'matplotlib'}",
    ),
    "network": (
        "print([line.split(':')[0].strip() for line in open('/proc/net/dev')][2:])",
        "['lo']",
    ),
    # Each holds memory of the system's own, that no limit of a process counts.
    "sockets": (
        "import socket\nfor family in range(1, 50):\n"
        "    for kind in (1, 2, 3, 5): tries(lambda: socket.socket(family, kind))",
        "Function not implemented",
    ),
    "pairs of sockets of other kinds": (
        "import socket\nfor family in range(2, 50):\n"
        "    for kind in (1, 2, 3, 5): tries(lambda: socket.socketpair(family, kind))",
        "Function not implemented",
    ),
    "larger buffers": (
        "import socket\ntries(lambda: socket.socketpair()[0].setsockopt(1, 7, 4 << 20))",
        "Function not implemented",
    ),
    "files sent to others": (
        "import socket\ntries(lambda: socket.send_fds(socket.socketpair()[0], [b'x'], [0]))",
        "Function not implemented",
    ),
    "locks that others see": (
        "import fcntl\ntries(lambda: fcntl.flock(open(os.__file__), fcntl.LOCK_EX))",
        "Function not implemented",
    ),
    "leases, and news of who reads": (
        "import fcntl\nfile = open(os.__file__)\n"
        "for what in (*range(5, 50), *range(1024, 1030), *range(1031, 1050)):\n"
        "    tries(lambda: fcntl.fcntl(file, what, bytes(32)))\nfile.close()",
        "Function not implemented",
    ),
    "terminals": (
        "import fcntl, termios\nwith open('/dev/ptmx', 'rb+', 0) as file:\n"
        "    for what in (termios.TIOCSETD, termios.TIOCSTI, termios.TCSETS):\n"
        "        tries(lambda: fcntl.ioctl(file, what, bytes(4)))",
        "Function not implemented",
    ),
    "other programs": (
        "import sys\nfound = set()\n"
        "for top in {{*os.listdir('/')}} - {{'proc', 'dev'}}:\n"
        "    for folder, _, names in os.walk('/' + top):\n"
        "        for name in names:\n"
        "            path = os.path.join(folder, name)\n"
        "            if '.so' not in name and os.access(path, os.X_OK):\n"
        "                with open(path, 'rb') as file:\n"
        "                    if file.read(4) == b'\\x7fELF': found.add(os.path.realpath(path))\n"
        "print(found - {{os.path.realpath(sys.executable)}})",
        "set()",
    ),
    "a program of its own": (
        "import shutil, subprocess, sys\nshutil.copy(sys.executable, 'mine')\n"
        "tries(lambda: subprocess.run(['./mine', '-V']))\nos.remove('mine')",
        "PermissionError",
    ),
    "other packages": (
        "for name in ('nbgrader', 'sqlalchemy', 'pip'): tries(lambda: __import__(name))",
        "ModuleNotFoundError",
    ),
    "memory of others": (
        "tries(lambda: open('/proc/{pid}/mem', 'rb').read(1))",
        "FileNotFoundError",
    ),
    "inotify": (
        LIBC + "tries(lambda: os.read(libc.inotify_init1(0), 1))",
        "Bad file descriptor",
    ),
    "names of keys": (
        "for path in ('keys', 'key-users'): tries(lambda: open(f'/proc/{{path}}').read())",
        "PermissionError",
    ),
    "more small files than memory": (
        "def fill(folder):\n"
        "    for at in range(11_000): os.symlink('x', f'{{folder}}/link{{at:0200}}')\n"
        "for folder in ('/tmp', os.environ['HOME']):\n    tries(lambda: fill(folder))\n"
        "    for one in os.listdir(folder):\n"
        "        if one.startswith('link'): os.remove(f'{{folder}}/{{one}}')",
        "No space left on device",
    ),
    "a notebook that is a link": (
        "os.symlink(r'{root}/notebooks/labs/source/lab1/lab1.ipynb', 'lab1.ipynb')\n"
        "tries(lambda: open('lab1.ipynb').read())",
        "NotFound",
    ),
    "abstract sockets": (
        "print('@dpwidgets-test' in open('/proc/net/unix').read())",
        "False",
    ),
    "write into Python": (
        "tries(lambda: open(os.__file__, 'a'))",
        "Error [Errno",
    ),
    "write into dpwidgets": (
        "import dpwidgets\ntries(lambda: open(dpwidgets.__file__, 'a'))",
        "Error [Errno",
    ),
    "write into the root": ("tries(lambda: open('/x', 'w'))", "Error [Errno"),
    "shared memory": (
        "tries(lambda: open('/dev/shm/x', 'w'))",
        "Error [Errno",
    ),
    "devices": (
        "tries(lambda: os.mknod('/tmp/x', 0o060600, 1))",
        "Function not implemented",
    ),
    "a session of its own": (
        "tries(os.setsid)",
        "Function not implemented",
    ),
    "mount": (
        LIBC + "print(libc.mount(b'x', b'/tmp', b'tmpfs', 0, None))",
        "-1",
    ),
    "user namespace": (LIBC + "print(libc.unshare(0x10000000))", "-1"),
    "become root": ("tries(lambda: os.setuid(0))", "Error [Errno"),
    "raise a limit": (
        "import resource as r\ntries(lambda: r.setrlimit(r.RLIMIT_NPROC, (10**6, 10**6)))",
        "ValueError",
    ),
    "memory of the first process, as a file": (
        "for who in (1, 'self'): tries(lambda: open(f'/proc/{{who}}/mem', 'rb+', 0))",
        "Read-only file system",
    ),
    "who is ended first": (
        "print(open('/proc/self/oom_score_adj').read().strip(), end=' ')\n"
        "tries(lambda: open('/proc/self/oom_score_adj', 'w'))",
        "1000 OSError [Errno 30] Read-only file system",
    ),
    "variables": (
        "print([name for name in os.environ if 'SECRET' in name])",
        "[]",
    ),
    "raw standard streams": (
        # A result is kept whole beside them.
        "os.write(1, b'x' * 10**6), os.write(2, b'\\xff\\xfe')",
        "(1000000, 2)",
    ),
    "a file too large": (
        "def grow():\n    with open('/tmp/a', 'wb') as file:\n"
        "        for _ in range(60): file.write(b'x' * 10**6)\n"
        "tries(grow)\nos.remove('/tmp/a')",
        "File too large",
    ),
    "a file with a hole": (
        "with open('/tmp/a', 'wb') as file: tries(lambda: file.truncate(10**12))\n"
        "os.remove('/tmp/a')",
        "File too large",
    ),
    "open files": (
        "kept = []\ntries(lambda: [kept.append(open('/dev/null')) for _ in range(10**5)])\n"
        "kept = None",
        "Too many open files",
    ),
    "memory": ("tries(lambda: len(bytearray(64 << 30)))", "MemoryError"),
    "memory that is shared": (
        "import mmap\ntries(lambda: mmap.mmap(-1, 64 << 30))",
        "Cannot allocate memory",
    ),
    "nested folders": (
        "for _ in range(3000):\n    os.mkdir('d'); os.chdir('d')\nos.chdir('/tmp')\nprint('deep')",
        "deep",
    ),
    "half characters": ("answer = '\\ud800'\nprint(answer + 'half')", ""),
}

#: Calls of the system that are not there, by their numbers on this machine:
#: what outlives a process, what leads around it, and the keys of whoever
#: grades.
MISSING = {
    "keys of whoever grades": "250, 10, -3, b'user', b'dpwidgets-test', 0",
    "keys for the next student": "248, b'user', b'x', b'x', 1, -3",
    "System V memory": "29, 0, 2**20, 0o1600",
    "System V messages": "68, 0, 0o1600",
    "System V semaphores": "64, 0, 9, 0o1600",
    "POSIX messages": "240, b'x', 0o102, 0o600, 0",
    "memory without a name": "319, b'x', 0",
    "io_uring": "425, 4, 0",
    "userfaultfd": "323, 0",
    "bpf": "321, 0, 0, 0",
    "perf_event_open": "298, 0, 0, 0, 0, 0",
    "memory of the first process": "311, 1, 0, 0, 0, 0, 0",
    "files of the first process": "438, 0, 0, 0",
}
PROBES |= {
    name: (
        f"{LIBC}print(libc.syscall({call}), os.strerror(ctypes.get_errno()))",
        "-1 Function not implemented",
    )
    for name, call in MISSING.items()
}

#: What a kernel answers in place of what was asked: a test of each is below
#: it.
ODD_REPLIES = (
    "null",
    "7",
    '"ok"',
    '["told"]',
    "[42, 42]",
    "[NaN]",
    '{"told": [42]}',
    '"\\ud800"',
    '"' + "x" * 10**6 + '"',
)
ATTACKS = {
    "fork chain": (
        "import time\nif os.fork() == 0:\n    tries(os.setsid)\n    end = time.time() + 60\n"
        "    while time.time() < end:\n        if os.fork(): os._exit(0)\n    os._exit(0)",
        "",
    ),
    "daemon": (
        "if os.fork() == 0:\n    tries(os.setsid)\n    if os.fork() == 0:\n"
        "        import signal, time\n"
        "        for one in (1, 2, 3, 15): signal.signal(one, signal.SIG_IGN)\n"
        "        time.sleep(10**6)\n    os._exit(0)",
        "",
    ),
    "fork bomb": (
        "import time\nmany = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(100)\n"
        "        many += 1\nexcept OSError as error:\n    print(many < 64, error)",
        "True [Errno 11]",
    ),
    "stops its parent": (
        "import signal\nfor one in (1, os.getppid()): os.kill(one, signal.SIGSTOP)\nprint('on')",
        "on",
    ),
    "ptrace": (  # of whoever grades, and of the sandbox's own first process
        LIBC + "for pid in ({pid}, 1):\n"
        "    print(libc.ptrace(16, pid, 0, 0), os.strerror(ctypes.get_errno()))",
        "-1 Function not implemented",
    ),
    "kills all it sees": (
        "import signal\nos.kill(-1, signal.SIGKILL)\nprint('on')",
        "on",
    ),
    "full disk": (
        "def fill():\n    for at in range(10):\n        with open(f'/tmp/{{at}}', 'wb') as file:\n"
        "            for _ in range(20): file.write(b'x' * 10**6)\ntries(fill)",
        "No space left on device",
    ),
    "an output of a gigabyte": ("print('x' * 10**9)", ""),
    "a million outputs": (
        "from IPython.display import display\nfor _ in range(10**6): display(1)",
        "",
    ),
    "cannot be stopped": (
        "import time\nwhile True:\n    try:\n        while True: time.sleep(0.1)\n"
        "    except BaseException: pass",
        None,
    ),
    "closes its sockets": (
        "import time\nos.closerange(3, 200)\ntime.sleep(5)",
        None,
    ),
    "a message without an end": (
        TO_US + "while True:\n    for one in found: one.sendall(bytes(10**6))",
        None,
    ),
    "a message of a million pieces": (
        TO_US + "for one in found: one.sendall(b'[' + b'[],' * 10**6)",
        None,
    ),
    "a million messages": (
        TO_US + "for one in found: one.sendall(b'[]\\n' * 10**6)",
        None,
    ),
    "a message of another kind": (
        "import json, itertools\nright, odd = json.dumps, itertools.cycle(\n"
        "    ['7', 'null', '[7]', '[{{}}]', '{{\"a\": 1}}', '[[]]', '[42', '[NaN, [42]]'])\n"
        "json.dumps = lambda *a, **more: next(odd)",
        None,
    ),
    "ends by a signal": ("os.kill(os.getpid(), 9)", None),
    "ends in the background": (
        "import threading\nthreading.Timer(0.2, os._exit, [1]).start()",
        "",
    ),
    "right for whoever asks": (
        "import builtins\nclass Equal(float):\n    __eq__ = lambda *a: True\n"
        "answer = Equal(1)\nbuiltins.globals = lambda: {{'answer': 42.5}}",
        "",
    ),
    "patched tests": (
        "import ast, builtins, dpwidgets.labs as d\n"
        "near = d.grading.near = d.near = d.is_number = lambda *a: True\n"
        "class Strip(ast.NodeTransformer):\n"
        "    def visit_Assert(self, node): return ast.copy_location(ast.Pass(), node)\n"
        "get_ipython().ast_transformers.append(Strip())\n"
        "get_ipython().showtraceback = lambda *a, **k: None\n"
        "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)\n"
        "class Equal(float):\n    __sub__ = __rsub__ = lambda s, o: Equal(0)\n"
        "    __le__ = __eq__ = __abs__ = lambda *a: True\nanswer = Equal(1)\n"
        "builtins.abs = lambda x: 0\nbuiltins.isinstance = lambda *a: True",
        "",
    ),
    "mocked modules": (
        "import math, sys, unittest.mock as m\n"
        "for name in [n for n in sys.modules if 'dpwidgets' in n or n == 'math']:\n"
        "    sys.modules[name] = m.MagicMock()",
        "",
    ),
    "cells made blank": (
        "get_ipython().input_transformers_post.append(lambda lines: [])",
        "",
    ),
    "names taken away": ("exec = globals = json = None", ""),
    "replies of odd types": (
        "import json\nright, odd = json.dumps, [{replies}]\n"
        "def says(given, **more):\n"
        "    told = right(given, **more)\n"
        "    asked = odd and isinstance(given[1], list)\n"
        "    return f'[0, {{odd.pop(0)}}]' if asked else told\n"
        "json.dumps = says",
        "",
    ),
    "start-up files": (
        "for path in ('.ipython/profile_default/startup/a.py',\n"
        "             '.local/lib/python3/sitecustomize.py',\n"
        "             '.local/share/jupyter/kernels/python3/kernel.json', 'ld.so.preload'):\n"
        "    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)\n"
        "    open(path, 'w').write('answer = 42')\nos.environ['LD_PRELOAD'] = '/home/student/x.so'",
        "",
    ),
}
#: Under the name of a program, a file of the course, and what in it would let
#: that program in if it were something else.
DOORS = {
    "sockets": (
        "start.py",
        "BY_ARGUMENT = {",
        'BY_ARGUMENT = {"socket": (0, (2,)),',
    ),
    "pairs of sockets of other kinds": (
        "start.py",
        "(socket.AF_UNIX,)",
        "(1, 40)",
    ),
    "larger buffers": ("start.py", 'CALLS = """', 'CALLS = """ setsockopt'),
    "files sent to others": ("start.py", 'CALLS = """', 'CALLS = """ sendmsg'),
    "locks that others see": ("start.py", 'CALLS = """', 'CALLS = """ flock'),
    "leases, and news of who reads": (
        "start.py",
        "(fcntl.F_DUPFD,",
        "(fcntl.F_NOTIFY,",
    ),
    "a session of its own": ("start.py", 'CALLS = """', 'CALLS = """ setsid'),
    "terminals": ("start.py", "(termios.TCGETS,", "(termios.TIOCSETD,"),
    "a program of its own": ("sandbox.py", ",noexec", ""),
    "other programs": ("sandbox.py", "DATA = (", 'DATA = ("/usr/bin", '),
    "other packages": ("sandbox.py", '"ipython")', '"ipython", "nbgrader")'),
    "memory of the first process, as a file": (
        "sandbox.py",
        '("/proc", "/dev", "/")',
        '("/dev", "/")',
    ),
    "who is ended first": (
        "sandbox.py",
        '("/proc", "/dev", "/")',
        '("/dev", "/")',
    ),
}
