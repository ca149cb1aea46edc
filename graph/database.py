"""The two databases that a run store can live in, behind one method: SQLite by default, PostgreSQL by URL.

SQL is written once, with `?` for parameters and without anything that only one of the two understands. Text that may
hold NUL is stored as bytes, since PostgreSQL's text cannot hold it.
"""

import fcntl
import hashlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .errors import StoreError

if TYPE_CHECKING:
    from psycopg import Connection

BUSY_TIMEOUT_S = 60.0
"""How long a writer waits for another process's transaction; each is a few milliseconds."""

Row = tuple[Any, ...]


class Transaction(Protocol):
    """What can be said inside one transaction."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of one statement; none for a statement that gives none."""

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """The number of rows that the statement changed."""


class Database(Protocol):
    """A place for rows. Safe to use from several threads and processes at once."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Everything inside happens or nothing does; two writers never see each other's half."""

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of one query, as of one moment; waits for no writer."""

    def try_lock(self, name: str) -> "Lock | None":
        """A lock that dies with its holder, or None where somebody holds it."""

    def lock(self, name: str) -> "Lock":
        """The same lock, waited for."""

    def locked(self, name: str) -> bool:
        """Whether anybody alive holds the lock."""

    def close(self) -> None: ...


class Lock(Protocol):
    def release(self) -> None: ...


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file of its own, waiting for others. The kernel frees it when the holder dies."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def connect_sqlite(path: Path, **options: Any) -> sqlite3.Connection:
    """A connection in WAL mode that waits for other writers.

    Switching a new file to WAL is the one moment where SQLite answers `database is locked` without waiting, so that is
    done under a lock. `synchronous=NORMAL` in WAL mode loses nothing when a process is killed; when the power fails the
    last transactions may be gone, the file stays whole.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        connection: sqlite3.Connection = sqlite3.connect(
            path, timeout=BUSY_TIMEOUT_S, check_same_thread=False, **options)
        with file_lock(path.with_name(path.name + ".lock")):
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"the database {path} cannot be opened ({error}); check that its folder exists, is yours and "
                         "has space, or set FUMEHOOD_HOME to another one") from error
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


class _FileLock:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class SqliteDatabase:
    """One file. Locks are files beside it, held by flock, which works between containers that share the folder too."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._locks = path.with_name(path.name + ".locks")
        self._guard = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._inherited: sqlite3.Connection | None = None
        self._pid = 0

    def _open(self) -> sqlite3.Connection:
        # A connection must not cross a fork, and closing the parent's copy in a child would end the parent's locks: it
        # is kept aside, open and unused.
        if self._connection is None or self._pid != os.getpid():
            self._inherited = self._connection
            self._connection = connect_sqlite(self._path, isolation_level=None)
            self._pid = os.getpid()
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._guard:
            connection = self._open()
            # IMMEDIATE: the write lock comes first, so that no reader has to become a writer (which fails at once).
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Statements(connection.execute, _as_written)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._guard:
            return self._open().execute(sql, values).fetchall()

    def try_lock(self, name: str) -> Lock | None:
        descriptor = self._lock_file(name)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return _FileLock(descriptor)

    def lock(self, name: str) -> Lock:
        descriptor = self._lock_file(name)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except BaseException:  # Ctrl-C while waiting
            os.close(descriptor)
            raise
        return _FileLock(descriptor)

    def _lock_file(self, name: str) -> int:
        self._locks.mkdir(parents=True, exist_ok=True, mode=0o700)
        return os.open(self._locks / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def locked(self, name: str) -> bool:
        try:
            descriptor = os.open(self._locks / name, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def close(self) -> None:
        with self._guard:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None


def advisory_key(name: str) -> int:
    """A signed 64-bit number for PostgreSQL's advisory locks."""
    return int.from_bytes(hashlib.sha256(f"fumehood:{name}".encode()).digest()[:8], "big", signed=True)


def connect_postgres(url: str, **options: Any) -> "Connection[Any]":
    """A connection in autocommit. Raises StoreError that says what to install or to check."""
    try:
        import psycopg
    except ImportError as error:
        raise StoreError("a PostgreSQL address is set, but its client is missing: "
                         "pip install 'fumehood[postgres]'") from error
    try:
        connection: Connection[Any] = psycopg.connect(
            url, autocommit=True, connect_timeout=10, application_name="fumehood", **options)
    except psycopg.Error as error:
        # The address may hold a password, so it is not repeated.
        raise StoreError(f"PostgreSQL does not answer ({str(error).strip()}); check FUMEHOOD_DATABASE_URL and the "
                         "server") from error
    return connection


class _AdvisoryLock:
    def __init__(self, connection: "Connection[Any]") -> None:
        self._connection = connection

    def release(self) -> None:
        self._connection.close()


class PostgresDatabase:
    """A database server. A lock is an advisory lock of a connection of its own, so that it ends with its process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._guard = threading.RLock()
        self._connection: Connection[Any] | None = None
        self._pid = 0

    def _open(self) -> "Connection[Any]":
        if self._connection is None or self._connection.closed or self._pid != os.getpid():
            self._connection = connect_postgres(self._url)
            self._pid = os.getpid()
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._guard:
            connection = self._open()
            with connection.transaction():
                yield _Statements(connection.execute, _percent)

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._guard:
            return list(self._open().execute(_percent(sql), values).fetchall())

    def try_lock(self, name: str) -> Lock | None:
        connection = connect_postgres(self._url)
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", (advisory_key(name),)).fetchone()
        if row and row[0]:
            return _AdvisoryLock(connection)
        connection.close()
        return None

    def lock(self, name: str) -> Lock:
        connection = connect_postgres(self._url)
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", (advisory_key(name),))
        except BaseException:  # Ctrl-C while waiting
            connection.close()
            raise
        return _AdvisoryLock(connection)

    def locked(self, name: str) -> bool:
        key = advisory_key(name) & 0xFFFF_FFFF_FFFF_FFFF
        return bool(self.read(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND classid::bigint = ? AND objid::bigint = ?", (key >> 32, key & 0xFFFF_FFFF)))

    def close(self) -> None:
        with self._guard:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None


class _Statements:
    """A transaction, once it is begun: both clients' connections run a statement the same way, but for the placeholders."""

    def __init__(self, execute: Callable[[Any, Sequence[Any]], Any], spell: Callable[[str], str]) -> None:
        self._execute = execute
        self._spell = spell

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return list(self._execute(self._spell(sql), values).fetchall())

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        changed: int = self._execute(self._spell(sql), values).rowcount
        return changed


def _as_written(sql: str) -> str:
    return sql


def _percent(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


def open_database(home: Path, url: str | None) -> Database:
    """The database of an address, or the file below `home` where there is none."""
    if url is None:
        return SqliteDatabase(home / "runs.sqlite")
    if not url.startswith(("postgresql://", "postgres://")):
        raise StoreError("FUMEHOOD_DATABASE_URL is no PostgreSQL address: it begins with postgresql:// "
                         "(unset it to use SQLite)")
    return PostgresDatabase(url)
