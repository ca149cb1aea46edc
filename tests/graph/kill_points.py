"""The moments of a run into which a kill can fall, each with a name that is the same in every run.

A name says whose moment it is by what is being done, never by when it was heard of: inside a node by the node's own
context, for a checkpoint by the node that comes next in it, for a node's writes by the task that wrote them. So a moment
that was seen in one run is reached in the next, however the threads of both took turns.
"""

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any

from fumehood.graph import build, database, programs
from fumehood.graph.audit import Audit
from fumehood.graph.live import Live
from fumehood.graph.store import RunStore
from fumehood.nodes import fall_back, generate
from fumehood.sandbox.session import Session
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.constants import START

DRIVER = "driver"
"""Whose moments those outside of every node are."""
NOT_OURS = ("orphans_removed",)
"""What another process's leftovers on this machine bring about."""
_node: ContextVar[str] = ContextVar("node", default=DRIVER)
Named = Callable[..., tuple[str, str]]


class Points:
    """Writes down each moment as it passes, and kills this process at the chosen one."""

    def __init__(self, kill_at: str | None, said: Path) -> None:
        self._kill_at = kill_at
        self._said = said.open("a")
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def passed(self, node: str, moment: str) -> None:
        with self._lock:
            name = f"{node}: {moment}"
            self._seen[name] += 1
            point = f"{name} #{self._seen[name]}"
            self._said.write(point + "\n")
            self._said.flush()
            if point == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: Any, name: str, named: Named) -> None:
        """Two moments of a method, before and after, named from its arguments."""
        whole: Callable[..., Any] = getattr(owner, name)

        # LangGraph looks at the arguments that a saver takes.
        @wraps(whole)
        def watched(*given: Any, **more: Any) -> Any:
            node, what = named(*given, **more)
            if what in NOT_OURS:
                return whole(*given, **more)
            what = f"{name} {what}".rstrip()
            self.passed(node, f"before {what}")
            value = whole(*given, **more)
            self.passed(node, f"after {what}")
            return value

        setattr(owner, name, watched)

    def around_nodes(self) -> None:
        """The moments at which a node begins and ends; what passes in between is the node's."""
        binder = build._Binder
        bind = binder.__call__

        def watched_bind(binding: Any, node: Any) -> Any:
            bound = bind(binding, node)

            def watched(state: Any, runtime: Any) -> Any:
                token = _node.set(node.__name__)
                try:
                    self.passed(node.__name__, "begins")
                    update = bound(state, runtime)
                    self.passed(node.__name__, "ends")
                    return update
                finally:
                    _node.reset(token)

            watched.__name__ = node.__name__
            return watched

        binder.__call__ = watched_bind  # type: ignore[method-assign]

    def around_effects(self) -> None:
        """The moment before an effect that must not happen twice, and the one between it and its record."""
        once = RunStore.once

        def watched(store: RunStore, run_id: str, key: str, make: Callable[[], str]) -> str:
            def made() -> str:
                self.passed(_node.get(), f"before effect {key}")
                text = make()
                self.passed(_node.get(), f"after effect {key}")
                return text

            return once(store, run_id, key, made)

        RunStore.once = watched  # type: ignore[method-assign]


def here(*_: Any, **__: Any) -> tuple[str, str]:
    return _node.get(), ""


def by_checkpoint(_saver: Any, _config: Any, checkpoint: Any, *_: Any) -> tuple[str, str]:
    coming = [name.removeprefix("branch:to:") for name in checkpoint["channel_values"] if name.startswith("branch:to:")]
    return coming[0] if coming else DRIVER, ""


def by_task(_saver: Any, _config: Any, _writes: Any, _task_id: str, task_path: str = "") -> tuple[str, str]:
    node = task_path.rpartition(", ")[2]
    return DRIVER if node in ("", START) else node, ""


def by_event(_audit: Any, _descriptor: int, _run_id: str, event: str, *_: Any) -> tuple[str, str]:
    return _node.get(), event


def by_entry(_audit: Any, entry: Any) -> tuple[str, str]:
    return _node.get(), entry["event"]


def by_statement(_transaction: Any, sql: str, *_: Any) -> tuple[str, str]:
    words = sql.split()
    return _node.get(), " ".join(words[:3] if words[1] in ("INTO", "FROM") else words[:2])


def watch(points: Points, chat: type) -> None:
    """Every place at which something is written, started or paid for."""
    points.around(SqliteSaver, "put", by_checkpoint)
    points.around(SqliteSaver, "put_writes", by_task)
    points.around(Audit, "_append", by_event)
    points.around(Audit, "_write_head", by_entry)
    points.around(database._Statements, "change", by_statement)
    for owner, names in ((RunStore, ("ask", "decide", "finish", "record_outcome", "set_status")), (chat, ("ask",)),
                         (Session, ("open", "run", "collect")), (Live, ("gate", "engines")),
                         *((module, ("keep_program",)) for module in (programs, fall_back, generate))):
        for name in names:
            points.around(owner, name, here)
    points.around_nodes()
    points.around_effects()
