"""Landlock: which files this process and all that it starts may reach, whatever its user may.

Best effort upwards: ABI 1 gives the file rules, 2 renames between folders, 3 truncation, 4 TCP, 5 device ioctls, 6
signals and abstract sockets. Rules stack and only narrow. What it does not look at (stat, chmod, utime, xattrs, named
sockets, UDP) is the filter's business.
"""

import errno
import os
import stat
import struct
from collections.abc import Iterable

from .confine import set_no_new_privs, syscall

_VERSION = 1
_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (1 << bit for bit in range(6, 13))
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_READ = READ_FILE | READ_DIR
_WRITE = (_READ | WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_FIFO | MAKE_SYM | REFER)

_TCP = 0b11
_SCOPES = 0b11
_QUIET = 0b101
"""No audit record of refusals, here or in domains below: a hostile loop would fill the host's log."""


def landlock_abi() -> int:
    """Version of the running kernel's Landlock, 0 where there is none (or it is switched off)."""
    try:
        return syscall("landlock_create_ruleset", None, 0, _VERSION)
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
            return 0
        raise


def _handled(abi: int) -> int:
    handled = (1 << 13) - 1
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)):
        if abi >= since:
            handled |= right
    return handled


def _allow(ruleset: int, path: str, rights: int) -> None:
    """A path that does not exist needs no rule."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _ON_FILES
        syscall("landlock_add_rule", ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def restrict_files(read_only: Iterable[str], read_write: Iterable[str], execute: Iterable[str]) -> int:
    """Confine this process to files below these paths; returns the ABI used, 0 where the kernel has none.

    `read_only` may be read and listed, `read_write` also written, made and removed (devices and sockets are never
    made), `execute` read and executed. TCP is refused from ABI 4, signals and abstract sockets that leave the
    domain from ABI 6. Sets no_new_privs. Raises OSError if the kernel takes the rules not as a whole.
    """
    abi = landlock_abi()
    if abi == 0:
        return 0
    handled = _handled(abi)
    attributes = struct.pack("=QQQ", handled, _TCP if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    known = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = syscall("landlock_create_ruleset", attributes, known, 0)
    try:
        for paths, rights in ((read_only, _READ), (read_write, _WRITE), (execute, _READ | EXECUTE)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        set_no_new_privs()
        syscall("landlock_restrict_self", ruleset, _QUIET if abi >= 7 else 0)
    finally:
        os.close(ruleset)
    return abi
