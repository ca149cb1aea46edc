"""What a folder holds, where no file system of its own bounds it (Landlock engine): counted, and killed for.

Soft by nature: between two looks more can be written. Every file is bounded by RLIMIT_FSIZE meanwhile.
"""

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator

INTERVAL_S = 0.15
OTHERS = 64
"""How many more processes the user's other work may start during a run before the program feels it."""
_DEEPEST = 200
"""Folders below folders; more is taken as too many of them."""
_BLOCK = 512
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DELETED = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ (\S+) (\d+) +(/.*) \(deleted\)$", re.MULTILINE)


class FolderQuota:
    """`look` says which limit a folder has gone over, at most once in `INTERVAL_S`. Bytes are those on the disk."""

    def __init__(self, folder: str, most_bytes: int, most_files: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._most_files = most_files
        self._device = os.stat(folder).st_dev
        self._next = 0.0
        self.bytes = self.files = 0

    def look(self, pids: Iterable[int]) -> str | None:
        """"disk", "files" or None. `pids`: the processes whose deleted but open files count as well."""
        if time.monotonic() < self._next:
            return None
        found = self.measure(pids)
        self._next = time.monotonic() + INTERVAL_S
        return found

    def measure(self, pids: Iterable[int]) -> str | None:
        self.bytes = self.files = 0
        counted: set[int] = set()
        deep = False
        for inode, size in self._entries():
            if inode < 0:
                deep = True
                break
            self.files += 1
            if inode not in counted:
                counted.add(inode)
                self.bytes += size
            if self.bytes > self._most_bytes or self.files > self._most_files:
                break
        self.bytes += sum(size for pid in pids for size in self._deleted(pid, counted))
        if self.bytes > self._most_bytes:
            return "disk"
        return "files" if deep or self.files > self._most_files else None

    def space(self) -> dict[str, int | None]:
        """As a file system of that size would say it, from the last look."""
        return {"bytes": self._most_bytes, "free": max(0, self._most_bytes - self.bytes), "files": self.files,
                "files_free": max(0, self._most_files - self.files)}

    def _entries(self) -> Iterator[tuple[int, int]]:
        """Inode and size of everything below the folder; an inode of -1 where it is too deep to go on."""
        pending = [iter([os.open(self._folder, _FOLDER)])]
        folders: list[int] = []
        try:
            while pending:
                opened = next(pending[-1], None)
                if opened is None:
                    pending.pop()
                    if folders:
                        os.close(folders.pop())
                    continue
                folders.append(opened)
                if len(folders) > _DEEPEST:
                    yield -1, 0
                    return
                names = []
                with os.scandir(opened) as entries:
                    for entry in entries:
                        try:
                            found = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:
                            continue
                        yield found.st_ino, found.st_blocks * _BLOCK
                        if stat.S_ISDIR(found.st_mode):
                            names.append(entry.name)
                pending.append(_opened(opened, names))
        finally:
            for number in folders:
                os.close(number)

    def _deleted(self, pid: int, counted: set[int]) -> Iterator[int]:
        """Sizes of files that have no name any more but are held by a process: open, or mapped."""
        try:
            numbers = os.listdir(f"/proc/{pid}/fd")
            with open(f"/proc/{pid}/maps", "rb") as file:
                maps = file.read()
        except OSError:  # it ended
            return
        for number in numbers:
            try:
                found = os.stat(f"/proc/{pid}/fd/{number}")
            except OSError:
                continue
            if (stat.S_ISREG(found.st_mode) and found.st_nlink == 0 and found.st_dev == self._device
                    and found.st_ino not in counted):
                counted.add(found.st_ino)
                yield found.st_blocks * _BLOCK
        for start, end, _, inode, path in _DELETED.findall(maps):
            if path.startswith(os.fsencode(self._folder)) and int(inode) not in counted:
                yield int(end, 16) - int(start, 16)


def _opened(folder: int, names: list[str]) -> Iterator[int]:
    for name in names:
        try:
            yield os.open(name, _FOLDER, dir_fd=folder)
        except PermissionError:
            descriptor = _made_readable(folder, name)
            if descriptor is not None:
                yield descriptor
        except OSError:  # gone, or another thing by now
            continue


def _made_readable(folder: int, name: str) -> int | None:
    """A folder that the program closed to hide what is in it: it is the same user's, so it can be opened up."""
    try:
        held = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    try:
        # By descriptor: the name may be a link to elsewhere by now.
        os.chmod(f"/proc/self/fd/{held}", 0o700)
        return os.open(f"/proc/self/fd/{held}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    finally:
        os.close(held)


def tasks_of_user() -> int:
    """Processes and threads of this process's user, which is what RLIMIT_NPROC counts without a user namespace."""
    user, count = os.getuid(), 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:  # ended meanwhile
                continue
    return count
