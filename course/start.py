"""Become a program that has none of the keys of whoever started it, and a file of rules.

`python start.py COMMAND …`. In the place of the command's word `RULES` comes
the number of an open file: which calls of the system bubblewrap lets a
student's program make, as a filter that libseccomp compiles for this machine.
They are those that Python makes when it computes, reads and writes files,
waits, and starts threads and Pythons; any other is unknown to the system in
there. A network, locks, terminals and messages are none of that; nor is a session
of its own, since Linux gives each session as much of the processor as any other.
"""

import ctypes
import fcntl
import os
import socket
import sys
import termios

RULES = "RULES"
ALLOW = 0x7FFF0000
UNKNOWN = 0x00050000 | 38  # ENOSYS: programs then take an older call
EQUAL, MASKED_EQUAL = 4, 7
#: What makes namespaces, among the flags of clone.
NAMESPACES = 0x7E020000
CALLS = """
  access alarm arch_prctl brk chdir chmod clock_getres clock_gettime clock_nanosleep close
close_range creat dup dup2 dup3 execve exit exit_group faccessat faccessat2 fchdir fchmod fchmodat
fdatasync fgetxattr flistxattr fork fstat fstatfs fsync ftruncate futex getcpu getcwd getdents64
getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getrandom
getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid
getxattr kill lgetxattr link linkat listxattr llistxattr lseek lstat madvise mkdir mkdirat mmap
mprotect mremap msync munmap nanosleep newfstatat open openat pipe pipe2 poll ppoll pread64
prlimit64 pselect6 pwrite64 read readlink readlinkat readv recvfrom rename renameat renameat2
restart_syscall riscv_flush_icache rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask
rt_sigreturn rt_sigsuspend sched_getaffinity sched_yield select sendfile sendto set_robust_list
set_tid_address setitimer setpgid setrlimit sigaltstack stat statfs statx symlink symlinkat
sysinfo tgkill time times truncate umask uname unlink unlinkat utimensat vfork wait4 waitid write
writev
"""
#: Calls that do one thing or another by an argument: by which, and what it may
#: be.
BY_ARGUMENT = {
    # How it waits in `await`; a pair that nobody else reaches.
    "socketpair": (0, (socket.AF_UNIX,)),
    "fcntl": (
        1,
        (
            *(fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD),
            *(fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL),
        ),
    ),
    "ioctl": (
        1,
        (
            *(termios.TCGETS, termios.TIOCGWINSZ, termios.FIONREAD),
            *(termios.FIONBIO, termios.FIOCLEX, termios.FIONCLEX),
        ),
    ),
    "prctl": (0, (15, 16)),  # to name a thread, and to read its name
}


class Compared(ctypes.Structure):
    """What an argument of a call must be."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def rules(seccomp: ctypes.CDLL) -> int:
    """Return the number of an open file that holds the filter."""
    seccomp.seccomp_init.restype = ctypes.c_void_p
    filter_ = ctypes.c_void_p(seccomp.seccomp_init(UNKNOWN))

    def allow(name: str, *compared: Compared) -> None:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # this machine has no such call
            return
        arguments = (Compared * len(compared))(*compared)
        given = (filter_, ALLOW, number, len(compared), arguments)
        if seccomp.seccomp_rule_add_array(*given):
            sys.exit(f"libseccomp does not take a rule for {name}")

    for name in CALLS.split():
        allow(name)
    for name, (argument, values) in BY_ARGUMENT.items():
        for value in values:
            allow(name, Compared(argument, EQUAL, value))
    allow("clone", Compared(0, MASKED_EQUAL, NAMESPACES, 0))
    file = os.memfd_create("rules", 0)
    if seccomp.seccomp_export_bpf(filter_, file):
        sys.exit("libseccomp cannot compile the rules")
    os.lseek(file, 0, os.SEEK_SET)
    return file


def main() -> None:
    """Take a new keyring, compile the rules, and become the command."""
    command = sys.argv[1:]
    seccomp = ctypes.CDLL("libseccomp.so.2")
    keyctl = seccomp.seccomp_syscall_resolve_name(b"keyctl")
    # KEYCTL_JOIN_SESSION_KEYRING
    ctypes.CDLL(None).syscall(keyctl, 1, None)
    command[command.index(RULES)] = str(rules(seccomp))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
