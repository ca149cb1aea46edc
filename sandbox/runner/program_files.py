"""The files that programs run from: made once, held open, rewritten in turn."""

import errno
import os
import shutil

from .workspace import open_up


class ProgramFiles:
    """A step of a session that keeps its variables has a file of its own, so that tracebacks into functions of an earlier
    step show the right lines; the rest need one.

    Landlock keeps the folder from every program. Where the kernel has none (gVisor), a program may put something else
    there, so what is not the runner's own is taken away before the next program is written.
    """

    def __init__(self, folder: str, count: int) -> None:
        self._folder = folder
        self._paths = [f"{folder}/main.py", *(f"{folder}/main_{number}.py" for number in range(2, count + 1))]
        self._handles = [_made(path) for path in self._paths]
        self._next = 0

    def next_path(self) -> str:
        return self._paths[self._next % len(self._paths)]

    def write(self, program: bytes) -> str:
        """Put a program into the next file; its path. `restore` comes before, once no other program can be at work.
        Raises OSError where there is no room for it."""
        turn = self._next % len(self._paths)
        self._next += 1
        os.ftruncate(self._handles[turn], 0)
        try:
            self._fill(turn, program)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            # Tracebacks into earlier steps lose the text of their lines; the step at hand needs its file.
            for handle in self._handles:
                os.ftruncate(handle, 0)
            self._fill(turn, program)
        return self._paths[turn]

    def _fill(self, turn: int, program: bytes) -> None:
        view, written = memoryview(program), 0
        while written < len(program):
            written += os.pwrite(self._handles[turn], view[written:], written)

    def restore(self) -> None:
        """Nothing in the folder but the files that are held open. Raises OSError where a file cannot be made the
        runner's again."""
        if not os.access(self._folder, os.R_OK | os.X_OK):
            os.chmod(self._folder, 0o700)
        with os.scandir(self._folder) as entries:
            foreign = [entry.path for entry in entries if not self._is_own(entry.path)]
        for path in foreign:
            if os.path.isdir(path) and not os.path.islink(path):
                open_up(path)
                shutil.rmtree(path)
            else:
                os.unlink(path)
        for turn, path in enumerate(self._paths):
            if os.path.lexists(path):
                os.fchmod(self._handles[turn], 0o444)
            else:
                os.close(self._handles[turn])
                self._handles[turn] = _made(path)

    def _is_own(self, path: str) -> bool:
        """By the file, not the name."""
        return path in self._paths and os.path.samestat(
            os.lstat(path), os.fstat(self._handles[self._paths.index(path)]))


def _made(path: str) -> int:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o444)
    os.fchmod(descriptor, 0o444)
    return descriptor
