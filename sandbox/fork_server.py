"""Bubblewrap sandboxes by cloning: one locked-down parent with the libraries loaded, a few milliseconds per sandbox.

The same engine with the same walls (`runner/forks.py` says how), for where sandboxes are made ahead. What a sandbox of
this kind cannot have is a mount of its own: large inputs are copied, or the pool passes them on to a cold start.
"""

import os
import select
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from .boot import runner_sources
from .bubblewrap import BubblewrapEngine, BubblewrapSandbox, bwrap_arguments
from .engine import PROGRAM_BYTES, PROGRAM_FOLDER, SCRATCH, Capabilities, LaunchRequest
from .errors import BadRequest, EngineUnavailable
from .held import HeldSandbox, make_cgroup
from .limits import Limits
from .owner import owner_identity
from .python_tree import python_tree
from .runner import frames
from .surroundings import environment_of

_MIB = 1024 * 1024
_START_S = 60.0
_FORK_S = 10.0
_SERVER_MEMORY_MB = 4096
"""The parent runs no program; its limit only keeps an accident from taking the host."""


class ForkingBubblewrap:
    """The bubblewrap engine, its sandboxes cloned from one parent that has `preload` imported."""

    name = "bubblewrap"
    local = False

    def __init__(self, engine: BubblewrapEngine, *, preload: Sequence[str], hash_seed: int = 0) -> None:
        self._engine = engine
        self._preload = tuple(preload)
        self._environment = environment_of(timezone="UTC", hash_seed=hash_seed)
        self._lock = threading.Lock()
        self._parent: BubblewrapSandbox | None = None
        self._channel: socket.socket | None = None

    def unavailable(self) -> str | None:
        return self._engine.unavailable()

    def capabilities(self) -> Capabilities:
        return self._engine.capabilities()

    def runtime(self) -> str:
        return self._engine.runtime()

    def packages(self) -> Mapping[str, str]:
        return self._engine.packages()

    def launch(self, request: LaunchRequest) -> "ForkedSandbox":
        """One clone. Raises BadRequest for mounts and for another environment than the parent's."""
        if request.mounts or request.environment.get("PYTHONHASHSEED") != self._environment["PYTHONHASHSEED"]:
            raise BadRequest("a forked sandbox has no mounts, and the hash seed of its parent")
        sandbox = ForkedSandbox(request)
        try:
            with self._lock:
                sandbox.hold(self._fork(sandbox, request.limits))
        except ProcessLookupError:
            raise EngineUnavailable(f"bubblewrap: a forked sandbox ended at once: {sandbox.diagnose()}") from None
        except BaseException:
            sandbox.close()
            raise
        finally:
            sandbox.close_inner()
        return sandbox

    def close(self) -> None:
        """End the parent, and with it every sandbox that is left."""
        with self._lock:
            self._end()

    def parent_pid(self) -> int:
        """The process number of the parent's bwrap on this host; 0 while there is none."""
        return self._parent.pid if self._parent is not None else 0

    def _fork(self, sandbox: "ForkedSandbox", limits: Limits) -> int:
        known = self._channel
        try:
            return self._ask(sandbox, limits)
        except EngineUnavailable:
            if known is None:
                raise
        # The parent that was there has ended meanwhile: once more, with a new one.
        return self._ask(sandbox, limits)

    def _ask(self, sandbox: "ForkedSandbox", limits: Limits) -> int:
        channel = self._ensure()
        order = {"op": "fork", "tmpfs": {
            SCRATCH: f"size={limits.workspace_mb}m,mode=0700", PROGRAM_FOLDER: f"size={PROGRAM_BYTES},mode=0700",
            "/dev/shm": f"size={limits.memory_mb}m,mode=1777"}}
        try:
            socket.send_fds(channel, [frames.encode_json(order)], sandbox.inner)
            return _answer(channel)
        except (OSError, frames.BrokenFrame) as error:
            said = self._parent.diagnose() if self._parent is not None else ""
            self._end()
            raise EngineUnavailable(f"bubblewrap: the fork server failed: {error}. {said}") from error

    def _ensure(self) -> socket.socket:
        """The channel to a parent that lives. A parent that ended is replaced."""
        if self._channel is not None and _idle(self._channel):
            return self._channel
        self._end()
        mine, theirs = socket.socketpair()
        request = LaunchRequest(limits=Limits(memory_mb=_SERVER_MEMORY_MB, workspace_mb=1, processes=4096),
                                run_id="fork-server", owner=owner_identity(), environment=self._environment)
        try:
            argv, fds = bwrap_arguments(self._engine.program(), python_tree(self._engine.environment()), request,
                                        capabilities=("CAP_SYS_ADMIN", "CAP_SETPCAP"))
            self._parent = BubblewrapSandbox(argv, fds, request, stdin=theirs.detach())
            mine.settimeout(_START_S)
            mine.sendall(runner_sources() + frames.encode_json({"op": "forks", "preload": list(self._preload)}))
            told = mine.recv(65536)
            if not told:
                raise EngineUnavailable(f"bubblewrap: the fork server did not start: {self._parent.diagnose()}")
        except OSError as error:
            mine.close()
            said = self._parent.diagnose() if self._parent is not None else ""
            self._end()
            raise EngineUnavailable(f"bubblewrap: the fork server did not start: {error}. {said}") from error
        except BaseException:
            mine.close()
            self._end()
            raise
        self._channel = mine
        return mine

    def _end(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._parent is not None:
            self._parent.close()
            self._parent = None


class ForkedSandbox(HeldSandbox):
    """One clone of the parent."""

    booted = True
    """The runner's sources came with the parent."""

    def __init__(self, request: LaunchRequest) -> None:
        super().__init__(request.limits, make_cgroup(request))
        stdin_read, stdin_write = os.pipe()
        stdout_read, stdout_write = os.pipe()
        self.stdin = os.fdopen(stdin_write, "wb", buffering=0)
        self.stdout = os.fdopen(stdout_read, "rb", buffering=0)
        self.inner = [stdin_read, stdout_write, os.dup(self._stderr)]
        """What the runner inside gets as 0, 1 and 2."""

    def close_inner(self) -> None:
        for number in self.inner:
            os.close(number)
        self.inner = []


def _idle(channel: socket.socket) -> bool:
    """Nothing to read: neither an end of file nor an answer that nobody waited for."""
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    return not poll.poll(0)


def _answer(channel: socket.socket) -> int:
    """The pidfd of the clone. Raises OSError."""
    decoder, until, handles = frames.Decoder(), time.monotonic() + _FORK_S, list[int]()
    channel.settimeout(_FORK_S)
    while (frame := decoder.next()) is None:
        if time.monotonic() > until:
            raise TimeoutError(f"no answer within {_FORK_S:.0f} s")
        data, fds, _, _ = socket.recv_fds(channel, 65536, 1)
        handles += fds
        if not data:
            raise ConnectionResetError("it ended")
        decoder.feed(data)
    message = frames.decode_json(frame[1])
    if message.get("op") != "forked" or len(handles) != 1:
        for number in handles:
            with suppress(OSError):
                os.close(number)
        number = int(message.get("errno", 0))
        raise OSError(number, f"it could not clone a sandbox: {os.strerror(number)}")
    return handles[0]
