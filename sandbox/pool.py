"""A warm pool: sandboxes started before they are needed, each used by one session and thrown away.

The isolation is that of a cold start, because a sandbox that a session has had is never given out again. What waits
has its runner up, libraries loaded and its first child forked and confined, so nothing but the program is left to do.
"""

import atexit
import os
import queue
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .admission import of_this_process
from .bubblewrap import BubblewrapEngine
from .engine import Engine
from .errors import SandboxError
from .fork_server import ForkingBubblewrap
from .limits import Limits
from .manifest import Manifest
from .sandbox import MOUNT_FROM_BYTES, Sandbox, boot, start
from .session import RunOptions

HEAVY = ("numpy", "pandas")
_OLD_S = 600.0
_RETRY_S = 5.0
_END_S = 30.0
_open_pools: "weakref.WeakSet[Pool]" = weakref.WeakSet()


def preload_for(imports: Iterable[str]) -> tuple[str, ...]:
    """What to have loaded for a program with these imports: the heavy libraries, or nothing."""
    heavy = {"numpy", "pandas", "scipy", "matplotlib", "pyarrow", "openpyxl"}
    return HEAVY if any(name.partition(".")[0] in heavy for name in imports) else ()


@dataclass(frozen=True, slots=True)
class _Waiting:
    sandbox: Sandbox
    born: float


class Pool:
    """`size` warm sandboxes of one kind: one engine, these limits, these libraries, one hash seed.

    `Session.open(..., source=pool.take)` uses it; lower limits are set when a sandbox is handed over. What the pool cannot
    serve (higher limits, another size of the workspace, large inputs to mount) is
    started cold, and so is what comes while the pool is empty: it never makes a caller wait, and never refuses one.
    """

    def __init__(self, engine: Engine, *, limits: Limits, size: int = 2, preload: Sequence[str] = HEAVY,
                 options: RunOptions | None = None) -> None:
        self.engine = engine
        self._maker: Engine = engine
        if isinstance(engine, BubblewrapEngine):
            self._maker = ForkingBubblewrap(engine, preload=preload, hash_seed=(options or RunOptions()).hash_seed)
        self.limits = limits
        self._size = size
        self._preload = tuple(preload)
        self._options = options or RunOptions()
        self._waiting: deque[_Waiting] = deque()
        self._change = threading.Condition()
        self._in_use = 0
        self._closed = False
        self._owner = os.getpid()
        self.cold_starts = 0
        """Sessions that this pool was asked for and did not serve."""
        self._spent: queue.SimpleQueue[Sandbox | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=target, name=f"fumehood-pool-{target.__name__}", daemon=True)
                         for target in (self._refill, self._take_apart)]
        for thread in self._threads:
            thread.start()
        if not _open_pools:
            atexit.register(close_pools)
        _open_pools.add(self)

    def take(self, engine: Engine, *, limits: Limits, manifest: Manifest, run_id: str, options: RunOptions,
             preload: Sequence[str]) -> Sandbox:
        """A sandbox with these inputs in it. Raises what Session.open says."""
        if not self._serves(engine, limits, manifest, options, preload):
            self.cold_starts += 1
            return start(engine, limits=limits, manifest=manifest, run_id=run_id, options=options, preload=preload)
        waiting = self._pop()
        if waiting is None:
            # A fork server makes one in a few milliseconds; other engines start from nothing.
            self.cold_starts += not isinstance(self._maker, ForkingBubblewrap)
            sandbox = boot(self._maker, limits=self.limits, run_id=run_id, options=self._options, preload=self._preload)
        else:
            sandbox = waiting.sandbox
        with self._change:
            self._in_use += 1
        sandbox.closer = self._given_back
        try:
            sandbox.launched.lower(limits)
            sandbox.settle(options)
            sandbox.put_inputs(manifest.inputs, ())
        except BaseException:
            sandbox.close()
            raise
        return sandbox

    def waiting(self) -> list[Sandbox]:
        """The sandboxes that wait now."""
        with self._change:
            return [item.sandbox for item in self._waiting]

    def fill(self, timeout: float = 60.0) -> bool:
        """Wait until the pool is full; whether it is."""
        with self._change:
            return self._change.wait_for(lambda: len(self._waiting) >= self._size or self._closed, timeout)

    def close(self) -> None:
        """End every waiting sandbox. Sandboxes in use stay with their sessions."""
        with self._change:
            self._closed = True
            waiting, self._waiting = list(self._waiting), deque()
            self._change.notify_all()
        if os.getpid() != self._owner:
            return  # a fork: the sandboxes are the parent's
        for item in waiting:
            item.sandbox.close()
        self._spent.put(None)
        for thread in self._threads:
            thread.join(_END_S)
        if isinstance(self._maker, ForkingBubblewrap):
            self._maker.close()

    def _serves(self, engine: Engine, limits: Limits, manifest: Manifest, options: RunOptions, preload: Sequence[str],
                ) -> bool:
        large = engine.local and any(item.bytes >= MOUNT_FROM_BYTES for item in manifest.inputs)
        return (engine is self.engine and limits.fits(self.limits) and not large and os.getpid() == self._owner
                and options.hash_seed == self._options.hash_seed and options.state != "process"
                and set(preload) <= set(self._preload))

    def _pop(self) -> _Waiting | None:
        dead: list[Sandbox] = []
        with self._change:
            found = None
            while self._waiting and found is None:
                item = self._waiting.popleft()
                if not item.sandbox.ended():
                    found = item
                else:
                    dead.append(item.sandbox)
            self._change.notify_all()
        for sandbox in dead:
            sandbox.close()
        return found

    def _given_back(self, sandbox: Sandbox) -> None:
        """Its program has been answered and is dead; taking a sandbox apart takes longer than many programs run."""
        with self._change:
            self._in_use -= 1
            self._change.notify_all()
        if self._closed or os.getpid() != self._owner:
            sandbox.close()
        else:
            self._spent.put(sandbox)

    def _take_apart(self) -> None:
        while (sandbox := self._spent.get()) is not None:
            sandbox.close()

    def _refill(self) -> None:
        pause = 0.0
        while True:
            with self._change:
                if pause:
                    self._change.wait(pause)
                self._change.wait_for(self._should_make, _OLD_S / 2)
                if self._closed:
                    return
                old = self._expired()
                making = self._should_make()
            for item in old:
                item.sandbox.close()
            if making:
                pause = 0.0 if self._make() else _RETRY_S

    def _should_make(self) -> bool:
        """Room in the pool, and nobody at work whom making would slow down, or nothing left for the next one."""
        room = len(self._waiting) < self._size
        return self._closed or (room and (self._in_use == 0 or not self._waiting))

    def _make(self) -> bool:
        try:
            sandbox = boot(self._maker, limits=self.limits, run_id="pool", options=self._options, preload=self._preload,
                           ahead=of_this_process().waiting == 0)
        except SandboxError:
            # Whoever takes next starts cold, and is told by the engine itself what is wrong.
            return False
        with self._change:
            if not self._closed:
                self._waiting.append(_Waiting(sandbox, time.monotonic()))
                self._change.notify_all()
                return True
        sandbox.close()
        return True

    def _expired(self) -> list[_Waiting]:
        limit = time.monotonic() - _OLD_S
        old = [item for item in self._waiting if item.born < limit]
        self._waiting = deque(item for item in self._waiting if item.born >= limit)
        return old


def close_pools() -> None:
    """End every pool of this process: at exit, and for whoever handles a signal."""
    for pool in list(_open_pools):
        pool.close()
