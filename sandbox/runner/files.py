"""Files as the program asks for them: opened, made, moved and removed by the runner in its place, and written down."""

import errno
import fcntl
import os
import re
import resource
import stat
import struct
from collections.abc import Callable

from .confine import syscall
from .ledger import Ledger
from .tracee import AT_FDCWD, Call, GoOn, Handler, Program

_O_LARGEFILE = {"x86_64": 0o100000, "aarch64": 0o400000}
_OPEN_FLAGS = (os.O_ACCMODE | os.O_CREAT | os.O_EXCL | os.O_NOCTTY | os.O_TRUNC | os.O_APPEND | os.O_NONBLOCK
               | os.O_DSYNC | os.O_SYNC | os.O_DIRECT | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NOATIME | os.O_CLOEXEC
               | os.O_TMPFILE)
_RESOLVE_KNOWN = 0x3F

_AT_REMOVEDIR, _AT_EMPTY_PATH = 0x200, 0x1000
_RENAME_KNOWN = 0b11
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP)
_OWN_PROC = re.compile(rb"/proc/\d+")


class Files:
    """Handlers of the file calls. `hand_over(call, descriptor, flags)` gives the thread the runner's descriptor."""

    def __init__(self, program: Program, ledger: Ledger, path: Callable[[Call, int], bytes],
                 hand_over: Callable[[Call, int, int], None]) -> None:
        self._program = program
        self._ledger = ledger
        self._path = path
        self._hand_over = hand_over
        self._known_flags = _OPEN_FLAGS | _O_LARGEFILE[os.uname().machine]

    def handlers(self) -> dict[str, Handler]:
        """By name of the system call."""
        path, here = self._path, AT_FDCWD
        return {
            "open": lambda c: self._open_by_flags(c, here, 0),
            "creat": lambda c: self._open(c, here, path(c, 0), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, c.signed(1)),
            "openat": lambda c: self._open_by_flags(c, c.signed(0), 1),
            "openat2": self._openat2,
            "rename": lambda c: self._rename(c, here, path(c, 0), here, path(c, 1)),
            "renameat": lambda c: self._rename(c, c.signed(0), path(c, 1), c.signed(2), path(c, 3)),
            "renameat2": lambda c: self._rename(c, c.signed(0), path(c, 1), c.signed(2), path(c, 3), c.signed(4)),
            "unlink": lambda c: self._unlink(c, here, path(c, 0), 0),
            "rmdir": lambda c: self._unlink(c, here, path(c, 0), _AT_REMOVEDIR),
            "unlinkat": lambda c: self._unlink(c, c.signed(0), path(c, 1), c.signed(2)),
            "mkdir": lambda c: self._mkdir(c, here, path(c, 0), c.signed(1)),
            "mkdirat": lambda c: self._mkdir(c, c.signed(0), path(c, 1), c.signed(2)),
            "mknod": lambda c: self._mknod(c, here, path(c, 0), c.signed(1)),
            "mknodat": lambda c: self._mknod(c, c.signed(0), path(c, 1), c.signed(2)),
            "link": lambda c: self._link(c, here, path(c, 0), here, path(c, 1)),
            "linkat": lambda c: self._link(c, c.signed(0), path(c, 1), c.signed(2), path(c, 3), c.signed(4)),
            "symlink": lambda c: self._symlink(c, path(c, 0), here, path(c, 1)),
            "symlinkat": lambda c: self._symlink(c, path(c, 0), c.signed(1), path(c, 2)),
            "truncate": self._truncate,
        }

    # -- opens -----------------------------------------------------------------------------------------------------

    def _open_by_flags(self, call: Call, dirfd: int, index: int) -> None:
        flags = call.signed(index + 1)
        if flags & os.O_PATH:
            # Gives no bytes of the file, cannot be handed over, and the flag itself is out of another thread's reach.
            raise GoOn
        self._open(call, dirfd, self._path(call, index), flags, call.signed(index + 2))

    def _open(self, call: Call, dirfd: int, path: bytes, flags: int, mode: int, resolve: int = 0) -> None:
        wanted = flags & self._known_flags
        creating = bool(wanted & os.O_CREAT) or wanted & os.O_TMPFILE == os.O_TMPFILE
        before = os.umask(self._program.umask(call.tid)) if creating else None
        try:
            # Never wait: for a FIFO's other end, for a lease. A program that did not ask for this gets it cleared.
            descriptor, found = self._program.open(call.tid, dirfd, path, wanted | os.O_NONBLOCK,
                                                   mode & 0o1777 if creating else 0, resolve)
        except OSError as error:
            reading = wanted & os.O_ACCMODE == os.O_RDONLY and not creating
            self._note_refusal("read" if reading else "write", call, dirfd, path, error)
            raise
        finally:
            if before is not None:
                os.umask(before)
        try:
            self._note(descriptor, found, wanted, creating)
            if not wanted & os.O_NONBLOCK:
                fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) & ~os.O_NONBLOCK)
            self._hand_over(call, descriptor, wanted & os.O_CLOEXEC)
        finally:
            os.close(descriptor)

    def _note(self, descriptor: int, found: os.stat_result, flags: int, creating: bool) -> None:
        regular = stat.S_ISREG(found.st_mode)
        if not regular and not stat.S_ISFIFO(found.st_mode):
            return
        path = self._program.real_path(descriptor)
        if found.st_dev == self._program.proc_device:
            path = _OWN_PROC.sub(b"/proc/self", path)
        elif not path.startswith(b"/"):
            return  # a pipe that it holds already
        access = flags & os.O_ACCMODE
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            path = os.path.dirname(path) + b"/(unnamed)"
        new = flags & os.O_TRUNC or (creating and found.st_size == 0)
        if access == os.O_RDONLY or (access == os.O_RDWR and not new):
            self._ledger.file("read", path, size=found.st_size if regular else None)
        if access != os.O_RDONLY or new:
            self._ledger.file("write", path)

    def _note_refusal(self, mode: str, call: Call, dirfd: int, path: bytes, error: OSError) -> None:
        """What a refused path named, as far as names alone tell."""
        if error.errno not in _REFUSED:
            return
        if not path.startswith(b"/"):
            link = b"/proc/%d/cwd" % call.tid if dirfd == AT_FDCWD else b"/proc/%d/fd/%d" % (call.tid, dirfd)
            try:
                path = os.readlink(link) + b"/" + path
            except FileNotFoundError:
                path = b"?/" + path
        self._ledger.file(mode, os.path.normpath(path), refused=True)

    def _openat2(self, call: Call) -> None:
        size = call.arguments[3]
        if not 24 <= size <= 4096:
            raise OSError(errno.EINVAL if size < 24 else errno.E2BIG, "open_how")
        how = self._program.memory(call.tid, call.arguments[2], size)
        if len(how) < size:
            raise OSError(errno.EFAULT, "open_how")
        if any(how[24:]):
            raise OSError(errno.E2BIG, "open_how")
        flags, mode, resolve = struct.unpack("=QQQ", how[:24])
        if flags & os.O_PATH:
            raise OSError(errno.EPERM, "its flags are in memory, where they can change")
        if resolve & ~_RESOLVE_KNOWN or flags & ~self._known_flags or mode & ~0o7777:
            raise OSError(errno.EINVAL, "open_how")
        self._open(call, call.signed(0), self._path(call, 1), flags, mode, resolve)

    # -- names -----------------------------------------------------------------------------------------------------

    def _change(self, call: Call, mode: str, dirfd: int, path: bytes, act: Callable[[int, bytes], object]) -> int:
        """Do one change of a name in its folder and note it under the folder's real path."""
        try:
            folder, name = self._program.parent(call.tid, dirfd, path)
        except OSError as error:
            self._note_refusal(mode, call, dirfd, path, error)
            raise
        try:
            full = self._program.real_path(folder).rstrip(b"/") + b"/" + name.rstrip(b"/")
            try:
                act(folder, name)
            except OSError as error:
                if error.errno in _REFUSED:
                    self._ledger.file(mode, full, refused=True)
                raise
            self._ledger.file(mode, full)
            return 0
        finally:
            os.close(folder)

    def _under_umask(self, call: Call, act: Callable[[], object]) -> None:
        before = os.umask(self._program.umask(call.tid))
        try:
            act()
        finally:
            os.umask(before)

    def _rename(self, call: Call, from_dir: int, old: bytes, to_dir: int, new: bytes, flags: int = 0) -> int:
        if flags & ~_RENAME_KNOWN:
            raise OSError(errno.EINVAL, "rename flags")

        def move(source: int, name: bytes) -> None:
            self._change(call, "rename", to_dir, new,
                         lambda target, to: syscall("renameat2", source, name, target, to, flags))

        return self._change(call, "rename", from_dir, old, move)

    def _unlink(self, call: Call, dirfd: int, path: bytes, flags: int) -> int:
        if flags & ~_AT_REMOVEDIR:
            raise OSError(errno.EINVAL, "unlink flags")
        return self._change(call, "unlink", dirfd, path, lambda folder, name: syscall("unlinkat", folder, name, flags))

    def _mkdir(self, call: Call, dirfd: int, path: bytes, mode: int) -> int:
        def make(folder: int, name: bytes) -> None:
            self._under_umask(call, lambda: os.mkdir(name, mode & 0o1777, dir_fd=folder))

        return self._change(call, "mkdir", dirfd, path, make)

    def _mknod(self, call: Call, dirfd: int, path: bytes, mode: int) -> int:
        kind = stat.S_IFMT(mode) or stat.S_IFREG

        def make(folder: int, name: bytes) -> None:
            if kind not in (stat.S_IFREG, stat.S_IFIFO):
                raise OSError(errno.EPERM, "only files and FIFOs are made")
            self._under_umask(call, lambda: os.mknod(name, kind | mode & 0o1777, dir_fd=folder))

        return self._change(call, "write", dirfd, path, make)

    def _link(self, call: Call, old_dir: int, old: bytes, new_dir: int, new: bytes, flags: int = 0) -> int:
        def link(folder: int, name: bytes) -> None:
            source, source_name = self._program.parent(call.tid, old_dir, old)
            try:
                # A link that is followed here would be followed as the runner: only what is no link has another name.
                if flags & _AT_EMPTY_PATH or (flags and stat.S_ISLNK(os.lstat(source_name, dir_fd=source).st_mode)):
                    raise OSError(errno.EPERM, "links are made by name")
                syscall("linkat", source, source_name, folder, name, 0)
            finally:
                os.close(source)

        return self._change(call, "link", new_dir, new, link)

    def _symlink(self, call: Call, target: bytes, dirfd: int, path: bytes) -> int:
        return self._change(call, "link", dirfd, path, lambda folder, name: os.symlink(target, name, dir_fd=folder))

    def _truncate(self, call: Call) -> int:
        length = call.arguments[1] - (1 << 64 if call.arguments[1] >> 63 else 0)
        path = self._path(call, 0)
        # The runner's own limit is another: the program's has to be asked for.
        soft, _ = resource.prlimit(call.tid, resource.RLIMIT_FSIZE)
        if soft != resource.RLIM_INFINITY and length > soft:
            raise OSError(errno.EFBIG, "truncate")
        try:
            descriptor, _ = self._program.open(call.tid, AT_FDCWD, path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            self._note_refusal("truncate", call, AT_FDCWD, path, error)
            raise
        try:
            os.ftruncate(descriptor, length)
            self._ledger.file("truncate", self._program.real_path(descriptor))
        finally:
            os.close(descriptor)
        return 0
