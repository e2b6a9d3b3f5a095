"""Programs of students that attack whoever grades, or the others, and what each of them finds.

Each runs as a cell; every line of its output holds the words beside it, or,
where that is None, its kernel is given up; where there are none, it may be.
`PROBES` only look around; after each of `ATTACKS` the kernel is closed. The
lecturer's page has all of these names in its table.
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
    "network": ("import socket\nprint(socket.if_nameindex())", "[(1, 'lo')]"),
    "other hosts": (
        "import socket\ntries(lambda: socket.socket().connect(('192.0.2.1', 80)))",
        "Network is unreachable",
    ),
    "a port of this machine": (
        "import socket\ntries(lambda: socket.socket().connect(('127.0.0.1', {port})))",
        "ConnectionRefusedError",
    ),
    "memory of others": (
        "tries(lambda: open('/proc/{pid}/mem', 'rb').read(1))",
        "FileNotFoundError",
    ),
    "inotify": (
        LIBC + "tries(lambda: os.read(libc.inotify_init1(0), 1))",
        "Bad file descriptor",
    ),
    "other kinds of sockets": (
        "import socket\nfor family in range(3, 50):\n    if family not in (10, 16):\n"
        "        for kind in (1, 2, 3, 5): tries(lambda: socket.socket(family, kind))",
        "Function not implemented",
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
        "PermissionError",
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
    "[42",  # from here on it is given up
    "[" * 100_000,
)
ATTACKS = {
    "fork chain": (
        "import time\nif os.fork() == 0:\n    os.setsid()\n    end = time.time() + 60\n"
        "    while time.time() < end:\n        if os.fork(): os._exit(0)\n    os._exit(0)",
        "",
    ),
    "daemon": (
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
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
        "    ['7', 'null', '[7]', '[{{}}]', '{{\"a\": 1}}', '[[]]'])\n"
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
    "replies of odd types": (
        "import json\nright, odd = json.dumps, [{replies}]\n"
        "def says(*a, **more):\n    return odd.pop(0) if odd else right(*a, **more)\n"
        "get_ipython().events.register('post_run_cell', lambda *a: odd.insert(0, '[]'))\n"
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
