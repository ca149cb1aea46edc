"""A scanner's process: bounded, killed when late, and started ahead of time where that is possible.

semgrep-core reads the files that it scans one after the other. Given a pipe in a file's place, it loads the rules, reads
what stands before, and waits: so a core that was started early has all behind it that a first file costs. It opens a file
twice: so the name it is given is a link to its end of the pipe, and before the pipe is fed, a regular file with the same
content takes the link's place. A core serves one program and ends, so nothing passes from one program to the next. Should
this process die, the core reads an end of file and ends too; a named pipe would not do, because opening one waits for a
writer for ever.
"""

import contextlib
import errno
import json
import os
import resource
import selectors
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from pathlib import Path

from .errors import GateUnavailable

_ADDRESS_SPACE = 8 << 30
"""OCaml reserves gigabytes and touches little; what it may really use is bounded by RLIMIT_DATA and -max_memory."""
_DATA = 3 << 30
_CPU_S = 30
_OUTPUT = 64 << 20
_DESCRIPTORS = Path("/proc/self/fd") if os.path.isdir("/proc/self/fd") else Path("/dev/fd")
_ANCHORS = Path(__file__).with_name("nobody.pem")
"""A certificate whose key was never kept, as the only one to trust. The core reads trust anchors at every start: without a
file of them, as in many containers, it ends at once, and reading a system's takes it 30 ms."""

_SHORT = {errno.EMFILE: "allow this process more open files (ulimit -n)", errno.ENFILE: "close files on this machine",
          errno.ENOMEM: "free memory", errno.EAGAIN: "allow this user more processes (ulimit -u)",
          errno.ENOSPC: "free room in the folder for temporary files"}
"""What the machine has too little of, with the way out."""
_LOCK = threading.Lock()
_ENDING: list[subprocess.Popen[bytes]] = []
"""Killed and not yet collected."""
_RUNNING: weakref.WeakSet["ScanProcess"] = weakref.WeakSet()


class ScanLate(Exception):
    """The scan was killed because it took too long, or it ended without an answer."""


class ScanEnded(ScanLate):
    """It ended by itself before it had answered: by a signal, which may be somebody else's."""


class ScanProcess:
    """One process for one scan."""

    def __init__(self, arguments: list[str], folder: Path, *, waits_for: Sequence[Path] = (), home: Path | None = None,
                 bounded: bool = True) -> None:
        """`waits_for`: files that are not there yet; the process waits for each in turn, until `give`. Raises
        GateUnavailable."""
        reap()
        self._owner = os.getpid()
        self._missing: dict[Path, int] = {}
        self._unsent: dict[int, memoryview] = {}
        readers = []
        try:
            for path in waits_for:
                reader, self._missing[path] = os.pipe()
                readers.append(reader)
                path.symlink_to(_DESCRIPTORS / str(reader))
                os.set_blocking(self._missing[path], False)
            self._process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, cwd=folder, env=environment(home or folder),
                                             start_new_session=True, pass_fds=readers)
        except OSError as error:
            self._let_go()
            way_out = _SHORT.get(error.errno or 0, "run `uv sync` or reinstall semgrep")
            raise GateUnavailable(f"Semgrep cannot be started ({error}); {way_out}") from error
        finally:
            for reader in readers:
                os.close(reader)
        _RUNNING.add(self)
        if bounded:
            self._bound()

    def give(self, path: Path, content: bytes) -> None:
        """One of the files that it waits for. Does not block: what the process does not take now, `answer` sends."""
        whole = path.with_suffix(".part")
        whole.write_bytes(content)
        os.replace(whole, path)
        writer = self._missing.pop(path)
        self._unsent[writer] = memoryview(content)
        self._send(writer)

    def answer(self, timeout_s: float) -> bytes:
        """The JSON that the process writes, or all it wrote if that is none. A file that was not given is empty.

        Does not wait for its end, which takes as long as a scan: reap() does. Raises ScanLate.
        """
        deadline = time.monotonic() + timeout_s
        try:
            for path in list(self._missing):
                os.close(self._missing.pop(path))
            return self._read(deadline)
        finally:
            self.leave()

    def waits(self) -> bool:
        """Whether it is still there, and this process's own."""
        return self._owner == os.getpid() and self._process.poll() is None

    def disown(self) -> None:
        """In a forked copy of the process that started it: closes this copy's ends of the pipes, and nothing else."""
        if self._process.stdout:
            self._process.stdout.close()
        self._let_go()

    def leave(self) -> None:
        """Ends the process without waiting for that."""
        self._kill()
        with _LOCK:
            _ENDING.append(self._process)

    def kill(self) -> None:
        """Ends the process and everything it started, and waits for that."""
        self._kill()
        self._process.wait()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.stdout:
            self._process.stdout.close()
        self._let_go()

    def _bound(self) -> None:
        """Limits set from here, before the process is given anything of the program's."""
        for which, bound in ((resource.RLIMIT_AS, _ADDRESS_SPACE), (resource.RLIMIT_DATA, _DATA),
                             (resource.RLIMIT_CPU, _CPU_S), (resource.RLIMIT_CORE, 0)):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(self._process.pid, which, (bound, bound))

    def _send(self, writer: int) -> bool:
        """What the process takes now of one file; true when that was all, and the end of the file."""
        view = self._unsent[writer]
        try:
            while view:
                view = view[os.write(writer, view):]
        except BlockingIOError:
            self._unsent[writer] = view
            return False
        except BrokenPipeError:
            pass  # it has read the regular file, or ended
        del self._unsent[writer]
        os.close(writer)
        return True

    def _let_go(self) -> None:
        for writer in (*self._missing.values(), *self._unsent):
            os.close(writer)
        self._missing.clear()
        self._unsent.clear()

    def _read(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        output = bytearray()
        with selectors.DefaultSelector() as ready:
            ready.register(pipe, selectors.EVENT_READ)
            for writer in self._unsent:
                ready.register(writer, selectors.EVENT_WRITE)
            while True:
                found = [key.fd for key, _ in ready.select(max(deadline - time.monotonic(), 0))]
                if not found:
                    raise ScanLate("the scan took too long and was ended")
                for writer in set(found) - {pipe}:
                    ready.unregister(writer)
                    if not self._send(writer):
                        ready.register(writer, selectors.EVENT_WRITE)
                if pipe not in found:
                    continue
                chunk = os.read(pipe, 1 << 20)
                output += chunk
                if not chunk:
                    break
                if len(output) > _OUTPUT:
                    raise ScanLate("the scan found too much to report")
                if output.rstrip().endswith(b"}") and _whole(output):
                    return bytes(output)
        code = self._process.wait(max(deadline - time.monotonic(), 0.1))
        if code < 0:
            raise ScanEnded(f"the scan was ended by signal {-code}")
        return bytes(output)


def _forked() -> None:
    """A forked copy feeds no core of the original: two programs in one pipe would be judged as one."""
    global _LOCK
    _LOCK = threading.Lock()
    _ENDING.clear()
    for process in list(_RUNNING):
        process.disown()
    _RUNNING.clear()


os.register_at_fork(after_in_child=_forked)


def reap(*, wait: bool = False) -> None:
    """Collects ended processes; those that are still ending stay for the next time, or are waited for."""
    with _LOCK:
        if wait:
            for process in _ENDING:
                process.wait()
        _ENDING[:] = [process for process in _ENDING if process.poll() is None]


def _whole(output: bytearray) -> bool:
    try:
        json.loads(output.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return True


def environment(home: Path) -> dict[str, str]:
    """What a scan may see of the environment: nothing that could point it to other rules, settings or servers."""
    return {"PATH": os.defpath, "HOME": str(home), "LC_ALL": "C.UTF-8", "SEMGREP_SEND_METRICS": "off",
            "SEMGREP_ENABLE_VERSION_CHECK": "0", "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home),
            "SSL_CERT_FILE": str(_ANCHORS)}
