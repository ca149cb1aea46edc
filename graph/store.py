"""What is known of every run, whoever asks and whenever: its status, its recorded effects, its questions and decisions.

Checkpoints say where a graph stands; this store says what a run is. `journal` keeps the text of every effect that must
not happen twice, since a node that was interrupted is executed again from its start.
"""

import re
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from ..sandbox.owner import owner_identity
from .audit import Audit
from .database import Row, Transaction, open_database
from .errors import StoreError
from .lease import Leases, surely_alive
from .plain import plain_text
from .questions import SCHEMA as QUESTIONS
from .questions import Questions
from .state import Outcome
from .stop import StopReason
from .tallies import Tally, summed, tallies_of
from .task import Task

Status = Literal["running", "waiting", "answered", "stopped", "interrupted"]

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_SHORT_ID = re.compile(r"[0-9a-z-]{1,64}")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    run_id TEXT PRIMARY KEY, status TEXT NOT NULL, stop_reason TEXT, message TEXT NOT NULL, goal TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL, updated DOUBLE PRECISION NOT NULL, owner TEXT NOT NULL, forked_from TEXT,
    policy TEXT NOT NULL, task TEXT NOT NULL, settings TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS runs_by_time ON runs (created);
CREATE TABLE IF NOT EXISTS journal (
    run_id TEXT NOT NULL, effect TEXT NOT NULL, recorded DOUBLE PRECISION NOT NULL, body {bytes} NOT NULL,
    PRIMARY KEY (run_id, effect));
CREATE TABLE IF NOT EXISTS tallies (
    run_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL, PRIMARY KEY (run_id, kind, name));
"""
_RUN = "run_id, status, stop_reason, message, goal, created, updated, owner, forked_from, policy, task, settings"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run as `runs` and `show` list it. Times are seconds since 1970, UTC."""

    run_id: str
    status: Status
    """`interrupted` also where the row says running, and nobody holds the run and its owner is gone."""
    stop_reason: StopReason | None
    message: str
    goal: str
    created: float
    updated: float
    owner: str
    """Identity of the process that drove it last, as its sandboxes carry it."""
    forked_from: str | None
    policy: str
    task_json: str
    settings_json: str

    @property
    def finished(self) -> bool:
        return self.status in ("answered", "stopped")

    def task(self) -> Task:
        return Task.model_validate_json(self.task_json)


def new_run_id() -> str:
    """A name such as `251127-142501-a7x3k9bq`: sorts by time (UTC, to the millisecond), safe in paths and URLs.

    The last six signs are random; a name that is taken all the same is refused by `create`.
    """
    now = datetime.now(UTC)
    thousandth = now.microsecond // 1000
    tail = _ALPHABET[thousandth // 32] + _ALPHABET[thousandth % 32] + "".join(
        secrets.choice(_ALPHABET) for _ in range(6))
    return f"{now:%y%m%d-%H%M%S}-{tail}"


class RunStore(Questions):
    """Runs of one home folder. Safe to use from several threads and processes at once."""

    def __init__(self, home: Path, url: str | None = None) -> None:
        """Makes `home` (0700) and its tables. Raises StoreError where that cannot be done."""
        try:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            (home / "runs").mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise StoreError(f"{home} cannot be made ({error}); set FUMEHOOD_HOME to a folder of yours") from error
        self._home = home
        super().__init__(open_database(home, url))
        self._leases = Leases(self._database)
        self._fresh: set[str] = set()
        self._driven: set[str] = set()
        self._one_effect: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self.audit = Audit(home / "audit.jsonl")
        """The append-only record of what happened, for all runs."""
        with self._database.transaction() as transaction:
            if url is not None:
                # Two processes that create the same table at once fail in PostgreSQL, `IF NOT EXISTS` or not.
                transaction.run("SELECT pg_advisory_xact_lock(1718185828)")
            for statement in (_SCHEMA + QUESTIONS).format(bytes="BLOB" if url is None else "BYTEA").split(";"):
                if statement.strip():
                    transaction.change(statement)

    def close(self) -> None:
        self.let_go_of_all()
        self._database.close()

    def __enter__(self) -> "RunStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Runs

    def create(self, run_id: str, task: Task, *, settings_json: str = "{}", forked_from: str | None = None,
               exist_ok: bool = False) -> Path:
        """Note a new run and make its folder (0700), which nobody else has. Leave secrets out of `settings_json`.

        `exist_ok`: for a first node that is executed again after a kill; the run stays as it was noted.
        Raises StoreError where the name is taken or cannot be a file name.
        """
        if not _SHORT_ID.fullmatch(run_id):
            raise StoreError(f"{run_id!r} cannot be the id of a run: use up to 64 lower-case letters, digits and '-'")
        folder = self.folder(run_id)
        now = time.time()
        # The row decides who has the name; a folder without a row is what a kill between the two left.
        with self._database.transaction() as transaction:
            added = transaction.change(
                f"INSERT INTO runs ({_RUN}) VALUES (?, 'running', NULL, '', ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (run_id, _shown(task.goal), now, now, owner_identity(), forked_from, _shown(task.policy),
                 task.model_dump_json(), settings_json))
        if not added and not exist_ok:
            raise StoreError(f"there is already a run {run_id}")
        folder.mkdir(mode=0o700, exist_ok=True)
        if added:
            self._fresh.add(run_id)
            self.audit.begin(run_id)
        return folder

    def folder(self, run_id: str) -> Path:
        """Where the run's programs, outputs and outcome lie."""
        return self._home / "runs" / run_id

    def get(self, run_id: str) -> RunRow:
        """The run, by its whole id. Raises StoreError `no such run`."""
        rows = self._database.read(f"SELECT {_RUN} FROM runs WHERE run_id = ?", (run_id,))
        if not rows:
            raise StoreError(f"no such run: {run_id}; `fumehood runs` lists them")
        return self._row(rows[0])

    def find(self, prefix: str) -> str:
        """The id of the only run that begins so; `last` is the newest one. Raises StoreError naming the candidates."""
        if prefix == "last":
            rows = self._database.read("SELECT run_id FROM runs ORDER BY created DESC, run_id DESC LIMIT 1")
        else:
            rows = self._database.read("SELECT run_id FROM runs WHERE substr(run_id, 1, ?) = ? ORDER BY run_id LIMIT 6",
                                       (len(prefix), _shown(prefix)))
        found = [str(row[0]) for row in rows]
        if prefix in found:
            return prefix
        if len(found) == 1 and prefix:
            return found[0]
        if not found or not prefix:
            raise StoreError(f"no such run: {prefix!r}; `fumehood runs` lists them")
        raise StoreError(f"{prefix!r} could be any of {', '.join(found[:5])}{' …' if len(found) > 5 else ''}: "
                         "give more of the id")

    def list(self, *, waiting: bool = False, since: float | None = None, limit: int = 50) -> Sequence[RunRow]:
        """Runs, newest first. `since`: seconds since 1970. `waiting`: only those that wait for a person."""
        where, values = ["created >= ?"], [since or 0.0, limit]
        if waiting:
            where.append("status = 'waiting'")
        rows = self._database.read(
            f"SELECT {_RUN} FROM runs WHERE {' AND '.join(where)} ORDER BY created DESC, run_id DESC LIMIT ?", values)
        return [self._row(row) for row in rows]

    def set_status(self, run_id: str, status: Status, *, stop_reason: StopReason | None = None,
                   message: str = "") -> None:
        """Write down where the run stands; `running` also makes this process its owner."""
        with self._database.transaction() as transaction:
            self._set_status(transaction, run_id, status, stop_reason, message)

    def _set_status(self, transaction: Transaction, run_id: str, status: Status, stop_reason: StopReason | None,
                    message: str) -> None:
        changed = transaction.change(
            "UPDATE runs SET status = ?, stop_reason = ?, message = ?, updated = ?, owner = ? WHERE run_id = ?",
            (status, stop_reason.value if stop_reason else None, _shown(message), time.time(), owner_identity(),
             run_id))
        if not changed:
            raise StoreError(f"no such run: {run_id}; `fumehood runs` lists them")

    def record_outcome(self, outcome: Outcome) -> None:
        """Where a run stands, and what `stats` counts of a finished one, at once. Twice is the same as once."""
        counted = tallies_of(outcome) if outcome.status in ("answered", "stopped") else []
        with self._database.transaction() as transaction:
            self._set_status(transaction, outcome.run_id, outcome.status, outcome.stop_reason, outcome.message)
            transaction.change("DELETE FROM tallies WHERE run_id = ?", (outcome.run_id,))
            for tally in counted:
                transaction.change("INSERT INTO tallies (run_id, kind, name, count, seconds) VALUES (?, ?, ?, ?, ?)",
                                   (outcome.run_id, tally.kind, _shown(tally.name), tally.count, tally.seconds))

    def finish(self, outcome: Outcome) -> None:
        """The end of a run. Raises ValueError for an outcome that is none."""
        if outcome.status not in ("answered", "stopped"):
            raise ValueError(f"{outcome.status} is no end of a run")
        self.record_outcome(outcome)
        self.audit.forget(outcome.run_id)
        self._one_effect.pop(outcome.run_id, None)

    def stats(self, *, since: float | None = None) -> Sequence[Tally]:
        """Counts and summed seconds by status, stop reason, verdict, engine, rule, over runs made since then."""
        ended = self._database.read(
            "SELECT status, stop_reason, COUNT(*), SUM(updated - created) FROM runs WHERE created >= ?"
            " AND status <> 'running' GROUP BY status, stop_reason", (since or 0.0,))
        # Of those that are noted as running, some were killed: counted as they are listed.
        going = [(self._row(row).status, None, 1, row[6] - row[5]) for row in self._database.read(
            f"SELECT {_RUN} FROM runs WHERE created >= ? AND status = 'running'", (since or 0.0,))]
        others = self._database.read(
            "SELECT t.kind, t.name, SUM(t.count), SUM(t.seconds) FROM tallies t JOIN runs r ON r.run_id = t.run_id"
            " WHERE r.created >= ? GROUP BY t.kind, t.name", (since or 0.0,))
        return summed([("status", status, count, seconds) for status, _, count, seconds in [*ended, *going]]
                      + [("stop_reason", reason, count, seconds) for _, reason, count, seconds in ended if reason]
                      + [tuple(row) for row in others])

    def _row(self, row: Row) -> RunRow:
        (run_id, status, stop_reason, message, goal, created, updated, owner, forked_from, policy, task, settings) = row
        if status == "running" and not self._leases.held(run_id) and not surely_alive(owner):
            status, message = "interrupted", message or "the process that drove it is gone; `fumehood resume` goes on"
        return RunRow(run_id=run_id, status=status, stop_reason=StopReason(stop_reason) if stop_reason else None,
                      message=message, goal=goal, created=created, updated=updated, owner=owner,
                      forked_from=forked_from, policy=policy, task_json=task, settings_json=settings)

    @contextmanager
    def lease(self, run_id: str) -> Iterator[None]:
        """Only one process drives a run; StoreError where another one does. Ends with its process at the latest."""
        with self._leases.hold(run_id):
            if run_id in self._fresh:
                self._fresh.discard(run_id)
            else:
                self.audit.forget(run_id)
            self._driven.add(run_id)
            try:
                yield
            finally:
                self._driven.discard(run_id)

    # Effects

    def once(self, run_id: str, key: str, make: Callable[[], str]) -> str:
        """The recorded text of this effect, or `make()`'s, recorded before it is returned.

        A process killed inside `make` leaves no record, so that effect may happen once more; a recorded one never does.
        Whoever comes while it is being made, in this process or another, waits and gets the record.
        """
        stored = self.recorded(run_id, key)
        if stored is not None:
            return stored
        # A graph that its own caller drives, from a pinned checkpoint for one, holds no lease of its run.
        alone = nullcontext() if run_id in self._driven else self._leases.wait(run_id)
        with self._one_effect[run_id], alone:
            stored = self.recorded(run_id, key)
            if stored is not None:
                return stored
            made = make()
            with self._database.transaction() as transaction:
                transaction.change("INSERT INTO journal (run_id, effect, recorded, body) VALUES (?, ?, ?, ?)",
                                   (run_id, key, time.time(), made.encode("utf-8", "surrogatepass")))
            return made

    def recorded(self, run_id: str, key: str) -> str | None:
        """The text of an effect that happened; None where it did not."""
        rows = self._database.read("SELECT body FROM journal WHERE run_id = ? AND effect = ?", (run_id, key))
        return bytes(rows[0][0]).decode("utf-8", "surrogatepass") if rows else None

    def effects(self, run_id: str) -> Sequence[tuple[str, float]]:
        """Keys and times of the recorded effects of a run, in the order in which they were recorded."""
        rows = self._database.read("SELECT effect, recorded FROM journal WHERE run_id = ? ORDER BY recorded, effect",
                                   (run_id,))
        return [(str(effect), float(recorded)) for effect, recorded in rows]


def _shown(text: str) -> str:
    """For a column that people read: no NUL (PostgreSQL refuses it), no lone surrogates, bounded."""
    return plain_text(text).replace("\0", "\ufffd")[:2000]
