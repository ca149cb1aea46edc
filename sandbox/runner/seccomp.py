"""The child's system call filter: an allow-list in classic BPF, written here byte by byte.

Everything that is not named is refused. What Python, numpy, pandas, scipy, matplotlib, pyarrow, sqlite3, asyncio and
multiprocessing need is allowed; what only an attacker needs answers EPERM, what is unknown answers ENOSYS. With
`notify` the kernel stops the child at every call that the evidence is made of, until the runner has answered.

A filter sees registers, never memory. So a rule here rests on numbers and flags alone, and whatever hangs on a path or
an address is settled by the runner (witness.py).
"""

import errno
import struct
from collections.abc import Iterable
from functools import cache
from typing import Literal

from .numbers import machine, numbers

Sockets = Literal["notify", "refuse"]

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3 pipe
pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd
eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime sendfile copy_file_range splice tee fsync
fdatasync sync_file_range ftruncate fallocate fadvise64 readahead flock
stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat statfs fstatfs getdents getdents64
getcwd chdir fchdir getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr umask
mmap munmap mremap mprotect madvise msync brk mincore mlock munlock mlock2 membarrier get_mempolicy
futex futex_waitv futex_wake futex_wait futex_requeue set_robust_list get_robust_list rseq set_tid_address gettid
sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_getattr sched_get_priority_max
sched_get_priority_min sched_rr_get_interval getcpu getpriority ioprio_get exit exit_group wait4 waitid arch_prctl
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigpending sigaltstack restart_syscall pause
pidfd_open alarm getitimer setitimer
clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage
getpid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgid getpgrp setpgid getsid setsid uname
sysinfo getrandom getrlimit setrlimit capget
getsockname getpeername getsockopt setsockopt shutdown recvfrom recvmsg recvmmsg accept accept4
"""

SIGNALS = "kill tkill tgkill"
MORE_SIGNALS = "rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal"
SERVING = "bind listen"
OWNERSHIP = "chown fchown lchown fchownat"
ATTRIBUTES = "chmod fchmod fchmodat fchmodat2 utime utimes futimesat utimensat"
"""By path or descriptor, and on any file of the same user: Landlock does not look at these."""

PATHS = """
open openat openat2 creat rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat truncate
link linkat symlink symlinkat mknod mknodat execve execveat
"""
ADDRESSES = "connect sendmsg"

REFUSED = """
ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise process_mrelease memfd_create memfd_secret
io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_getevents io_pgetevents io_cancel io_destroy
mount umount2 move_mount open_tree open_tree_attr fsopen fsconfig fsmount fspick mount_setattr statmount listmount
pivot_root chroot unshare setns bpf userfaultfd perf_event_open seccomp keyctl add_key request_key
name_to_handle_at open_by_handle_at fanotify_init fanotify_mark kexec_load kexec_file_load init_module finit_module
delete_module reboot swapon swapoff acct quotactl quotactl_fd syslog settimeofday clock_settime clock_adjtime adjtimex
sethostname setdomainname iopl ioperm modify_ldt vhangup lookup_dcookie uselib ustat sysfs capset setuid setgid setreuid
setregid setresuid setresgid setgroups setfsuid setfsgid migrate_pages move_pages mbind set_mempolicy
set_mempolicy_home_node mlockall munlockall vmsplice remap_file_pages sched_setattr sync syncfs
shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl
mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
inotify_init inotify_init1 inotify_add_watch inotify_rm_watch landlock_create_ruleset landlock_add_rule
landlock_restrict_self lsm_set_self_attr timer_create timer_settime timer_gettime timer_getoverrun timer_delete
"""
UNSUPPORTED = "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat"
"""ENOTSUP, which copying code takes for a file system without attributes."""

_SIGNALLED = {"kill": (0,), "tkill": (0,), "tgkill": (0, 1), "rt_sigqueueinfo": (0,), "rt_tgsigqueueinfo": (0, 1),
              "pidfd_send_signal": ()}
"""Calls that send a signal, and which of their arguments name a process or thread."""

_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 36, 37, 38, 1027, 1030, 1032, 1033, 1034)
"""Duplicating, flags, locks, seals. Not F_SETOWN and F_SETSIG (a signal of choice to any process), not leases (the
runner's own open would wait for them), not F_SETPIPE_SZ (memory that no limit counts)."""
_IOCTL = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x40049409)
"""Is it a terminal and how wide, bytes waiting, blocking and close-on-exec, clone a file. Not TIOCSTI and the like."""
_PRCTL = (2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 40, 42, 0x53564D41)
"""Names, timer slack and reading. Not dumpable (it would blind the witness), death signal, seccomp, subreaper, mm."""

_FILE_TYPE = 0xF000
_MADE_BY_MKNOD = (0, 0x8000, 0x1000)
"""Plain files (both spellings) and named pipes."""
_NEW_NAMESPACES = 0x7E020000
_CLONE_PARENT = 0x8000
_CLONE_THREAD = 0x10000
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_SOCK_STREAM, _SOCK_DGRAM = 1, 2
_PROTOCOLS = (0, 6, 17)

_ALLOW = 0x7FFF0000
_NOTIFY = 0x7FC00000
_KILL = 0x80000000
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16

Block = list[bytes]


def _step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _end(action: int) -> Block:
    return [_step(_RETURN, action)]


def _error(number: int) -> int:
    return 0x00050000 | number


def _argument(index: int, *, high: bool = False) -> bytes:
    """Load one half of an argument. The kernel itself reads an int from the low half, so the low half decides."""
    return _step(_LOAD, _ARGUMENTS_AT + 8 * index + (4 if high else 0))


def _when(value: int, block: Block, *, code: int = _EQUAL) -> Block:
    return [_step(code, value, otherwise=len(block)), *block]


def _low_in(index: int, values: Iterable[int], then: int, otherwise: int) -> Block:
    block = [_argument(index)]
    for value in values:
        block += _when(value, _end(then))
    return block + _end(otherwise)


def _socket(family: int, other: int) -> Block:
    """`family` answers the two that carry data, `other` the families that nobody here needs."""
    internet = [_argument(1), _step(_AND, 0xF),
                *_when(_SOCK_STREAM, [_argument(2), *_one_of(_PROTOCOLS, family)]),
                *_when(_SOCK_DGRAM, [_argument(2), *_one_of(_PROTOCOLS, family)]),
                *_end(_error(errno.EPERM))]
    return [_argument(0), *_when(_AF_UNIX, _end(family)), *_when(_AF_INET, internet), *_when(_AF_INET6, internet),
            *_when(_AF_NETLINK, _end(_error(errno.EAFNOSUPPORT))), *_end(other)]


def _one_of(values: Iterable[int], then: int) -> Block:
    block: Block = []
    for value in values:
        block += _when(value, _end(then))
    return block + _end(_error(errno.EPERM))


def _clone(process: int) -> Block:
    """Threads go on, processes are counted. CLONE_PARENT would make the runner the parent of what it did not start."""
    return [_argument(0), *_when(_NEW_NAMESPACES | _CLONE_PARENT, _end(_error(errno.EPERM)), code=_ANY_BIT),
            *_when(_CLONE_THREAD, _end(_ALLOW), code=_ANY_BIT), *_end(process)]


def _sendto(addressed: int) -> Block:
    """Without an address the data stays on a connection that exists, and no connection to anywhere does."""
    plain = [_argument(4, high=True), *_when(0, _end(_ALLOW)), *_end(addressed)]
    return [_argument(4), *_when(0, plain), *_end(addressed)]


def _signal(*pids: int) -> Block:
    """To any process but PID 1, the runner: Linux shields it from what its own namespace sends, gVisor does not."""
    block: Block = []
    for index in pids:
        block += [_argument(index), *_when(1, _end(_error(errno.EPERM)))]
    return block + _end(_ALLOW)


def _own(index: int) -> Block:
    """Only for the caller itself: a process id of 0."""
    return _low_in(index, (0,), _ALLOW, _error(errno.EPERM))


def _priority(kind: int) -> Block:
    """setpriority and ioprio_set: this one process (`kind` says how the call spells it) and no other."""
    return [_argument(0), *_when(kind, _own(1)), *_end(_error(errno.EPERM))]


def _conditions(notify: bool, sockets: Sockets, alone: bool) -> dict[str, Block]:
    eperm, ask = _error(errno.EPERM), _NOTIFY if notify else _ALLOW
    unreachable = _NOTIFY if notify else _error(errno.ENETUNREACH)
    other_family = _NOTIFY if notify else _error(errno.EAFNOSUPPORT)
    family = _ALLOW if sockets == "notify" else other_family
    blocks = {
        "clone": _clone(ask), "fork": _end(ask), "vfork": _end(ask), "clone3": _end(_error(errno.ENOSYS)),
        "fcntl": _low_in(1, _FCNTL, _ALLOW, eperm), "ioctl": _low_in(1, _IOCTL, _ALLOW, _error(errno.ENOTTY)),
        "prctl": _low_in(0, _PRCTL, _ALLOW, eperm), "personality": _low_in(0, (0xFFFFFFFF,), _ALLOW, eperm),
        "prlimit64": _own(0), "sched_setaffinity": _own(0), "sched_setscheduler": _own(0), "sched_setparam": _own(0),
        "setpriority": _priority(0), "ioprio_set": _priority(1),
        "socket": _socket(family, other_family), "socketpair": _low_in(0, (_AF_UNIX,), _ALLOW, eperm),
        "sendto": _sendto(unreachable), "connect": _end(unreachable),
        "sendmsg": _end(ask if sockets == "notify" else _ALLOW),
        "sendmmsg": _end(_error(errno.ENOSYS)),  # one address in a batch could hide behind another
    }
    if sockets == "refuse":
        # A pair of datagram sockets could still send to any named socket of the host; a pair of streams cannot.
        stream = [_argument(1), _step(_AND, 0xF), *_when(_SOCK_STREAM, _end(_ALLOW)), *_end(eperm)]
        blocks["socketpair"] = [_argument(0), *_when(_AF_UNIX, stream), *_end(eperm)]
    for name in PATHS.split():
        blocks[name] = _end(ask)
    for name, mode in (("mknod", 1), ("mknodat", 2)):
        # gVisor makes a device for whoever asks, where Linux wants a privilege.
        blocks[name] = [_argument(mode), _step(_AND, _FILE_TYPE), *_one_of(_MADE_BY_MKNOD, ask)]
    for name in SERVING.split():
        blocks[name] = _end(_ALLOW if sockets == "notify" else _error(errno.EACCES))
    for name, pids in _SIGNALLED.items():
        blocks[name] = _signal(*pids)
    for name in OWNERSHIP.split():
        blocks[name] = _end(_ALLOW)
    if not alone:
        return blocks | {name: _end(_ALLOW) for name in ATTRIBUTES.split()}
    for name in f"{OWNERSHIP} {MORE_SIGNALS}".split():
        blocks[name] = _end(eperm)
    for name in f"{ATTRIBUTES} {SIGNALS}".split():
        # Without a container around it the runner does these itself, on the program's own files and processes.
        blocks[name] = _end(_NOTIFY if notify else eperm)
    return blocks


@cache
def child_filter(notify: bool, sockets: Sockets = "notify", *, alone: bool = False,
                 processor: str | None = None) -> bytes:
    """The filter as BPF instructions for `confine.install_filter`.

    `notify`: file, network and process calls wait for the runner (install with `listener=True`); else files go on and
    whatever names a network address is refused. `sockets`: "notify" lets sockets be made and refuses every address,
    "refuse" makes none. `alone`: no namespaces are around it (Landlock engine), so what Landlock leaves open on the
    user's other files and processes is shut here. `processor`: "x86_64" or "aarch64", default this one.
    """
    name = processor or machine()
    number = numbers(name)
    actions = {call: _end(_ALLOW) for call in ALLOWED.split()}
    actions |= {call: _end(_error(errno.EPERM)) for call in REFUSED.split()}
    actions |= {call: _end(_error(errno.ENOTSUP)) for call in UNSUPPORTED.split()}
    conditions = _conditions(notify, sockets, alone)
    program: Block = [_step(_LOAD, _ARCH_AT), _step(_EQUAL, _ARCHITECTURE[name], then=1), _step(_RETURN, _KILL),
                      _step(_LOAD, _NUMBER_AT)]
    if name == "x86_64":
        program += _when(_X32_BIT, _end(_KILL), code=_AT_LEAST)
    # The kernel remembers calls whose answer never depends on arguments; the others are found first.
    for call in [*conditions, *actions]:
        if call in number:
            program += _when(number[call], conditions[call] if call in conditions else actions[call])
    return b"".join(program + _end(_error(errno.ENOSYS)))
