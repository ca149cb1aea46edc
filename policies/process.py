"""A scanner's process: bounded, killed when late, and started ahead of time where that is possible.

semgrep-core reads its list of targets from a file. Given a pipe, it loads the rules and waits, so a core started early
answers in 10 ms instead of 90. It opens the list twice: so the name it is given is a link to its end of the pipe, and
before the pipe is fed, a regular file with the same list takes the link's place. A core serves one scan and ends, so
nothing passes from one program to the next. Should this process die, the core reads an end of file and ends too; a named
pipe would not do, because opening one waits for a writer for ever.
"""

import contextlib
import json
import os
import resource
import selectors
import signal
import subprocess
import threading
import time
import uuid
from pathlib import Path

from .errors import GateUnavailable

_ADDRESS_SPACE = 8 << 30
"""OCaml reserves gigabytes and touches little; what it may really use is bounded by RLIMIT_DATA and -max_memory."""
_DATA = 3 << 30
_CPU_S = 30
_OUTPUT = 64 << 20
PIPE_BYTES = 60_000
"""What a pipe takes without a reader. The core may read the list from the file instead, so nobody waits for it."""

_LOCK = threading.Lock()
_ENDING: list[subprocess.Popen[bytes]] = []
"""Killed and not yet collected."""


class ScanLate(Exception):
    """The scan was killed because it took too long, or it ended without an answer."""


class ScanProcess:
    """One process for one scan."""

    def __init__(self, arguments: list[str], folder: Path, *, waits: bool = True, home: Path | None = None,
                 bounded: bool = True) -> None:
        reap()
        self._list: Path | None = None
        self._writer = reader = -1
        if waits:
            reader, self._writer = os.pipe()
            self._list = folder / f"targets-{uuid.uuid4().hex}.json"
            self._list.symlink_to(f"/proc/self/fd/{reader}")
            arguments = [*arguments, "-targets", str(self._list)]
        try:
            self._process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, cwd=folder, env=environment(home or folder),
                                             start_new_session=True, pass_fds=[reader] if waits else [])
        except OSError as error:
            self._remove()
            raise GateUnavailable(f"Semgrep cannot be started ({error}); run `uv sync` or reinstall semgrep") from error
        finally:
            if waits:
                os.close(reader)
        if bounded:
            self._bound()

    def feed(self, targets: bytes, timeout_s: float) -> bytes:
        """Hands over the target list and returns the JSON that the process writes, or all it wrote if that is none.

        Does not wait for its end, which takes as long as a scan: reap() does. Raises ScanLate.
        """
        deadline = time.monotonic() + timeout_s
        try:
            if self._list is not None:
                self._hand_over(targets)
            return self._read(deadline)
        finally:
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
        self._remove()

    def _remove(self) -> None:
        self._let_go()
        if self._list is not None:
            self._list.unlink(missing_ok=True)

    def _bound(self) -> None:
        """Limits set from here, before the process is given anything of the program's."""
        for which, bound in ((resource.RLIMIT_AS, _ADDRESS_SPACE), (resource.RLIMIT_DATA, _DATA),
                             (resource.RLIMIT_CPU, _CPU_S), (resource.RLIMIT_CORE, 0)):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(self._process.pid, which, (bound, bound))

    def _hand_over(self, targets: bytes) -> None:
        assert self._list is not None
        if len(targets) > PIPE_BYTES:
            raise ValueError(f"a list of {len(targets)} bytes does not fit into a pipe; scan fewer files at once")
        whole = self._list.with_suffix(".part")
        whole.write_bytes(targets)
        os.replace(whole, self._list)
        with contextlib.suppress(BrokenPipeError):
            os.write(self._writer, targets)
        self._let_go()

    def _let_go(self) -> None:
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1

    def _read(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        output = bytearray()
        with selectors.DefaultSelector() as ready:
            ready.register(pipe, selectors.EVENT_READ)
            while True:
                if not ready.select(max(deadline - time.monotonic(), 0)):
                    raise ScanLate("the scan took too long and was ended")
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
            raise ScanLate(f"the scan was ended by signal {-code}")
        return bytes(output)


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
            "SEMGREP_ENABLE_VERSION_CHECK": "0", "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home)}
