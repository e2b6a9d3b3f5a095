"""Become a program that ends with whoever started it, and has none of their keys.

`python start.py COMMAND …`. Where a word of the command is `RULES`, in its
place comes the number of an open file: which calls of the system bubblewrap
lets a student's program make, as a filter that libseccomp compiles for this
machine. They are named one by one; any other call is unknown to the system in
there. The measure is what container engines allow by default, without what no
lab needs: messages and memory that outlive a process, keys, io_uring, tracing,
watching files, changing who one is.
"""

import ctypes
import os
import sys

RULES = "RULES"
ALLOW = 0x7FFF0000
UNKNOWN = 0x00050000 | 38  # ENOSYS: programs then take an older call
EQUAL, MASKED_EQUAL = 4, 7
#: What makes namespaces, among the flags of clone.
NAMESPACES = 0x7E020000
#: UNIX, INET, INET6, NETLINK: of sockets, no others.
FAMILIES = (1, 2, 10, 16)
CALLS = """
  accept accept4 access alarm arch_prctl bind brk chdir chmod chown clock_getres clock_gettime
clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create
epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit
exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchown fchownat fcntl
fdatasync fgetxattr flistxattr flock fork fstat fstatfs fsync ftruncate futex futimesat getcpu
getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp
getpid getppid getpriority getrandom getresgid getresuid getrlimit get_robust_list getrusage
getsid getsockname getsockopt gettid gettimeofday getuid getxattr ioctl kill lchown lgetxattr link
linkat listen listxattr llistxattr lseek lstat madvise membarrier mincore mkdir mkdirat mknod
mknodat mmap mprotect mremap msync munmap nanosleep newfstatat open openat openat2 pause pipe
pipe2 poll ppoll prctl pread64 preadv preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read
readahead readlink readlinkat readv recvfrom recvmmsg recvmsg rename renameat renameat2
restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn
rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo riscv_flush_icache sched_getaffinity
sched_getparam sched_get_priority_max sched_get_priority_min sched_getscheduler sched_setaffinity
sched_setparam sched_setscheduler sched_yield select sendfile sendmmsg sendmsg sendto
set_robust_list set_tid_address setitimer setpgid setpriority setrlimit setsid setsockopt shutdown
sigaltstack socketpair stat statfs statx symlink symlinkat sync sync_file_range sysinfo tgkill
time timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat
utimes vfork wait4 waitid write writev
"""


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
    for family in FAMILIES:
        allow("socket", Compared(0, EQUAL, family))
    allow("clone", Compared(0, MASKED_EQUAL, NAMESPACES, 0))
    file = os.memfd_create("rules", 0)
    if seccomp.seccomp_export_bpf(filter_, file):
        sys.exit("libseccomp cannot compile the rules")
    os.lseek(file, 0, os.SEEK_SET)
    return file


def main() -> None:
    """Take a new keyring, end when our parent ends, and become the command."""
    command = sys.argv[1:]
    libc = ctypes.CDLL(None)
    libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    if RULES in command:
        seccomp = ctypes.CDLL("libseccomp.so.2")
        keyctl = seccomp.seccomp_syscall_resolve_name(b"keyctl")
        libc.syscall(keyctl, 1, None)  # KEYCTL_JOIN_SESSION_KEYRING
        command[command.index(RULES)] = str(rules(seccomp))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
