"""Between host and runner where there is no pid namespace: whatever happens to either, nothing of the sandbox stays.

The kernel gives orphans to the nearest subreaper above them. The runner is one; when it dies, this process is the next,
kills what is left, and ends. It holds one end of a pipe from the host: when the host lets go of it, or dies, so does
everything here. It reads nothing that a program writes.
"""

import ctypes
import os
import select
import signal
import time

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_PAUSE_S = 0.002
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def keep(lifeline: int, folder: str) -> None:
    """Fork. The child returns, to become the runner; the parent stays until runner or host is gone, and never returns.

    `lifeline`: the read end of a pipe into which nothing is ever written. `folder` is removed at the end.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((_PR_SET_CHILD_SUBREAPER, 1), (_PR_SET_DUMPABLE, 0)):
        if libc.prctl(option, value, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), f"prctl {option}")
    keeper = os.getpid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    runner = os.fork()
    if runner == 0:
        os.close(lifeline)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != keeper:
            os._exit(0)
        return
    for stream in (0, 1):  # the protocol is between host and runner
        os.close(stream)
    pidfd = os.pidfd_open(runner)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.register(lifeline, select.POLLIN)
    while not poll.poll(1000):
        # Of what the runner left behind when it was busy: zombies only, for it reaps its own.
        _reap(except_for=runner)
    code = _end(runner)
    remove_tree(folder)
    os._exit(code)


def _reap(*, except_for: int) -> None:
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None or found.si_pid == except_for:
            return
        os.waitpid(found.si_pid, 0)


def _end(runner: int) -> int:
    """Kill until there is no child left; the exit code for the host: the runner's own, or 128 and its signal."""
    code = 0
    while True:
        for pid, started in below(os.getpid()):
            _kill(pid, started)
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if pid == runner:
            code = os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        elif pid == 0:
            time.sleep(_PAUSE_S)


def _kill(pid: int, started: int) -> None:
    """SIGKILL to exactly this process: its number may belong to somebody else's by now."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        row = _row(pid)
        if row is not None and row[1] == started:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        os.close(pidfd)


def _row(pid: int) -> tuple[int, int] | None:
    """Parent and start time, from /proc; None where the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses is the program's own choice: count from its last parenthesis.
    fields = text[text.rfind(b")") + 2:].split()
    return int(fields[1]), int(fields[19])


def below(root: int) -> list[tuple[int, int]]:
    """Process number and start time of every process below one; zombies too."""
    children: dict[int, list[tuple[int, int]]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (row := _row(int(name))) is not None:
            children.setdefault(row[0], []).append((int(name), row[1]))
    found, pending = list[tuple[int, int]](), [root]
    while pending:
        new = children.get(pending.pop(), [])
        found += new
        pending += [pid for pid, _ in new]
    return found


def remove_tree(folder: str) -> None:
    """Remove a folder that a program wrote in: however deep, closed, or full of links. No process may be left in it.

    What lies in a folder is unlinked, folders in it are moved up to the top, so nothing is ever more than two deep.
    """
    try:
        top = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return
    try:
        while names := _clear(top):
            for name in names:
                below = _open_folder(top, name)
                try:
                    for inner in _clear(below):
                        os.close(_open_folder(below, inner))  # one that is closed cannot be moved
                        os.rename(inner, f".{os.urandom(12).hex()}", src_dir_fd=below, dst_dir_fd=top)
                finally:
                    os.close(below)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(folder)


def _clear(folder: int) -> list[str]:
    """Unlink everything in a folder that is no folder; the names of those that are."""
    folders = []
    for name in os.listdir(folder):
        try:
            os.unlink(name, dir_fd=folder)
        except (IsADirectoryError, PermissionError):
            folders.append(name)
    return folders


def _open_folder(above: int, name: str) -> int:
    held = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
    try:
        os.chmod(f"/proc/self/fd/{held}", 0o700)
        return os.open(f"/proc/self/fd/{held}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(held)
