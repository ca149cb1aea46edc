"""The live parts of a run: model, gate, engines, store, open sandboxes. Made from the settings once, never checkpointed."""

import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..policies.gate import Gate
from ..policies.profile import Policy, load_policy
from ..policies.source import normalise
from ..sandbox.engine import Engine
from ..sandbox.engines import engine_named
from ..sandbox.errors import BadRequest
from ..sandbox.limits import Limits
from ..sandbox.pool import Pool
from ..sandbox.sandbox import Source, start
from ..sandbox.session import Session
from ..sandbox.sweep import sweep_orphans
from .chat import Chat
from .errors import SettingsInvalid
from .models import open_chat
from .settings import Settings
from .store import RunStore
from .task import Task
from .telemetry import Telemetry

Invariant = Callable[[Any, Path], bool | str | None]
"""`(result, folder of the artifacts)`: True or None holds; False or a text does not, and says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a Python caller injects. Everything left out is made from the settings."""

    chat: Chat | None = None
    engines: Sequence[Engine] | None = None
    tools: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    approve_tools: frozenset[str] = frozenset()
    """Tools that a person must approve before a program that calls them runs."""
    invariants: Mapping[str, Invariant] = field(default_factory=dict)


class Sessions:
    """The open sandboxes of this process, by run. A run has at most one."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, Session]] = {}
        self._cancelled: set[str] = set()
        self._lock = threading.Lock()

    def get(self, run_id: str, engine: str) -> Session | None:
        """The run's sandbox if it is one of this engine."""
        with self._lock:
            found = self._open.get(run_id)
        return found[1] if found and found[0] == engine else None

    def put(self, run_id: str, engine: str, session: Session) -> None:
        self.close(run_id)
        with self._lock:
            self._open[run_id] = (engine, session)

    def close(self, run_id: str) -> None:
        """End the run's sandbox, if there is one."""
        with self._lock:
            found = self._open.pop(run_id, None)
        if found:
            found[1].close()

    def cancel(self, run_id: str) -> None:
        """End the program that the run has under way, from any thread; what it did does not count."""
        with self._lock:
            self._cancelled.add(run_id)
            found = self._open.get(run_id)
        if found:
            found[1].cancel()

    def cancelled(self, run_id: str) -> bool:
        """Whether the run was cancelled since it was last begun or resumed."""
        with self._lock:
            return run_id in self._cancelled

    def begin(self, run_id: str) -> None:
        """The run goes on: an earlier cancellation is over."""
        with self._lock:
            self._cancelled.discard(run_id)

    def close_all(self) -> None:
        for run_id in list(self._open):
            self.close(run_id)


@dataclass(eq=False)
class Live:
    """One per settings and process. Cheap to make: each part is built at its first use."""

    settings: Settings
    parts: Parts = field(default_factory=Parts)
    sessions: Sessions = field(default_factory=Sessions)
    _gates: dict[str, Gate] = field(default_factory=dict)
    _policies: dict[str, Policy] = field(default_factory=dict)
    _engines: dict[str, Engine] = field(default_factory=dict)
    _pools: dict[tuple[object, ...], Pool] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def store(self) -> RunStore:
        return RunStore(self.settings.home_path, self.settings.database_url)

    @cached_property
    def telemetry(self) -> Telemetry:
        """Raises SettingsInvalid where it is on and OpenTelemetry is missing."""
        return Telemetry(on=self.settings.telemetry)

    @cached_property
    def chat(self) -> Chat:
        """The model. Raises ModelUnavailable with the ways out where none can be had."""
        return self.parts.chat or open_chat(self.settings.model, self.settings)

    def policy(self, name: str) -> Policy:
        """The policy of that name or path. Raises PolicyInvalid."""
        if name not in self._policies:
            self._policies[name] = load_policy(name, extra_rules=[Path(item) for item in self.settings.extra_rules])
        return self._policies[name]

    def gate(self, name: str) -> Gate:
        """The gate under that policy. Raises PolicyInvalid."""
        if name not in self._gates:
            self._gates[name] = Gate(self.policy(name), home=self.settings.home_path)
        return self._gates[name]

    def engines(self, policy: Policy, exactly: str | None) -> list[Engine]:
        """Engines in the order in which they are tried; one where a caller wants exactly that one.

        A policy that allows `docker` allows the runtimes that the daemon's administrator has given it, by name.
        Raises SettingsInvalid where no engine has that name, or the policy does not allow it.
        """
        if exactly and self.parts.engines is None:
            try:
                self.engine(exactly)
            except BadRequest as error:
                raise SettingsInvalid(str(error)) from error
        if exactly and not {exactly, exactly.partition(":")[0]} & set(policy.engines):
            raise SettingsInvalid(f"engine {exactly!r} is not allowed by policy {policy.name!r}; "
                                  f"it allows {', '.join(policy.engines)}")
        if self.parts.engines is not None:
            return [engine for engine in self.parts.engines if not exactly or engine.name == exactly]
        names = [exactly] if exactly else [name for name in self.settings.engines or policy.engines
                                           if name in policy.engines]
        return [self.engine(name) for name in names]

    def engine(self, name: str) -> Engine:
        """The engine of that name, injected or made. Raises BadRequest for an unknown name."""
        for engine in self.parts.engines or ():
            if engine.name == name:
                return engine
        if name not in self._engines:
            self._engines[name] = engine_named(name, home=self.settings.home_path)
        return self._engines[name]

    def gate_source(self, program: str) -> str:
        """A person's own program with a BOM and CRLF line ends normalised, before its digest is taken."""
        return normalise(program.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def libraries(self, task: Task, policy: Policy) -> dict[str, str]:
        """Packages and versions of the sandbox that will serve the task; empty where the engine cannot tell."""
        for engine in self.engines(policy, task.engine):
            if engine.unavailable() is None:
                return dict(engine.packages())
        return {}

    def tool_help(self, task: Task) -> dict[str, str]:
        """Name to signature and first line of help, for the functions that the task's program may call."""
        shown = {}
        for name in task.tools:
            function = self.parts.tools[name]
            text = inspect.getdoc(function) or ""
            shown[name] = f"{name}{inspect.signature(function)}" + (f" - {text.splitlines()[0]}" if text else "")
        return shown

    @cached_property
    def swept(self) -> list[str]:
        """Sandboxes that killed processes had left on this host, removed at the first use in this process."""
        return sweep_orphans()

    def source(self, engine: Engine, limits: Limits, preload: Sequence[str]) -> Source:
        """Where sessions get their sandboxes: started on the spot, or with `Settings.warm` from a pool kept ahead."""
        if not self.settings.warm:
            return start
        kind = (engine.name, tuple(preload))
        with self._lock:
            found = next((pool for key, pool in self._pools.items() if key[:2] == kind and limits.fits(pool.limits)), None)
            if found is None:
                found = self._pools[*kind, limits.model_dump_json()] = Pool(engine, limits=limits, preload=preload)
            return found.take

    def close(self) -> None:
        """End every open sandbox, pool and gate of this process, and close the store, which opens again at its next use."""
        self.sessions.close_all()
        with self._lock:
            pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            pool.close()
        for gate in self._gates.values():
            gate.close()
        if "store" in self.__dict__:
            self.store.close()


_registered: dict[str, Parts] = {}
_made: dict[str, Live] = {}
_lock = threading.Lock()


def register(name: str, parts: Parts) -> None:
    """Make parts known under a name that `Settings.parts` can carry as JSON."""
    with _lock:
        _registered[name] = parts


def live_for(settings: Settings) -> Live:
    """The live parts for these settings; the same object for equal settings. Raises SettingsInvalid."""
    key = settings.model_dump_json()
    with _lock:
        if key not in _made:
            if settings.parts and settings.parts not in _registered:
                raise SettingsInvalid(f"parts {settings.parts!r} are not registered in this process; "
                                      "call fumehood.graph.live.register before the run")
            _made[key] = Live(settings, _registered.get(settings.parts) or Parts())
        return _made[key]
