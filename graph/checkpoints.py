"""Where checkpoints lie: SQLite below the home folder, or PostgreSQL by URL, through LangGraph's own savers.

What is added: an explicit list of the types that may be rebuilt from a checkpoint, an error instead of half-read data,
values that msgpack or PostgreSQL cannot hold made harmless, two processes starting on one new file, and async callers.
"""

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import ormsgpack
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import EXT_CONSTRUCTOR_KW_ARGS, EXT_PYDANTIC_V2, JsonPlusSerializer
from pydantic import BaseModel

from .database import advisory_key, connect_postgres, connect_sqlite
from .errors import CheckpointUnreadable
from .plain import bounded_int, plain_text
from .settings import Settings
from .state import State

if TYPE_CHECKING:
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.sqlite import SqliteSaver
    from psycopg import Connection


@dataclasses.dataclass(frozen=True, slots=True)
class Opaque:
    """Text that PostgreSQL's JSON cannot hold (NUL). Stored as bytes; comes back as the plain text."""

    text: str


@cache
def state_types() -> frozenset[type]:
    """Every class that a State can hold, found by walking its annotations."""
    found: set[type] = set()

    def walk(annotation: Any) -> None:
        for part in get_args(annotation):
            walk(part)
        if not isinstance(annotation, type) or annotation in found:
            return
        if issubclass(annotation, BaseModel):
            found.add(annotation)
            for field in annotation.model_fields.values():
                walk(field.annotation)
        elif dataclasses.is_dataclass(annotation):
            found.add(annotation)
            for hint in get_type_hints(annotation).values():
                walk(hint)
        elif issubclass(annotation, Enum):
            found.add(annotation)

    walk(State)
    return frozenset(found)


class StateSerializer(JsonPlusSerializer):
    """LangGraph's msgpack serializer, strict: only the state's types are rebuilt, and each one whole or not at all.

    The stock one gives back a dict, or a model that was never validated, where a type cannot be rebuilt.
    """

    def __init__(self) -> None:
        allowed = [(kind.__module__, kind.__name__) for kind in (*state_types(), Opaque)]
        super().__init__(allowed_msgpack_modules=allowed)
        self._by_name = {(kind.__module__, kind.__name__): kind for kind in state_types()}
        self._stock_hook = self._unpack_ext_hook
        self._unpack_ext_hook = self._rebuild

    def with_msgpack_allowlist(self, extra_allowlist: Any) -> "StateSerializer":
        """The same, with the types of a graph that was compiled with this serializer."""
        clone = super().with_msgpack_allowlist(extra_allowlist)
        assert isinstance(clone, StateSerializer)
        if clone is not self:
            clone._stock_hook = clone._unpack_ext_hook
            clone._unpack_ext_hook = clone._rebuild
        return clone

    def _rebuild(self, code: int, data: bytes) -> Any:
        if code not in (EXT_PYDANTIC_V2, EXT_CONSTRUCTOR_KW_ARGS):
            return self._stock_hook(code, data)
        # Types inside come through here as well, so that a broken inner value is never hidden by its outer one.
        module, name, values, *_ = ormsgpack.unpackb(data, ext_hook=self._rebuild, option=ormsgpack.OPT_NON_STR_KEYS)
        if (module, name) == (Opaque.__module__, Opaque.__name__):
            return values["text"]
        kind = self._by_name.get((module, name))
        if kind is None:
            return self._stock_hook(code, data)
        return kind(**values)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        try:
            return super().loads_typed(data)
        except ValueError as error:
            # Where `_rebuild` raises, ormsgpack says only that it did.
            raise CheckpointUnreadable(
                "the checkpoint holds data that this version of fumehood cannot read, so the run cannot go on; "
                "start it again, or resume it with the version that wrote it") from error

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        try:
            return super().dumps_typed(obj)
        except (TypeError, ormsgpack.MsgpackEncodeError):
            # An integer beyond 64 bits or a numpy scalar, somewhere inside; looked for only then.
            return super().dumps_typed(_plain(obj))


def _plain(value: Any) -> Any:
    """The same data with integers cut to 64 bits and numpy scalars as Python's."""
    if type(value).__module__ == "numpy" and hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, BaseModel):
        return value.model_copy(update={name: _plain(getattr(value, name)) for name in type(value).model_fields})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{field.name: _plain(getattr(value, field.name))
                                             for field in dataclasses.fields(value)})
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_fields"):
        return type(value)(_plain(item) for item in value)
    return value if isinstance(value, Enum) else bounded_int(value)


class _AsyncByThread(BaseCheckpointSaver[Any]):
    """The async methods of a saver by its sync ones in a thread, so that `ainvoke` and `astream` work too."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(self, config: RunnableConfig | None, *, filter: dict[str, Any] | None = None,
                    before: RunnableConfig | None = None, limit: int | None = None) -> AsyncIterator[CheckpointTuple]:
        found = await asyncio.to_thread(lambda: list(self.list(config, filter=filter, before=before, limit=limit)))
        for item in found:
            yield item

    async def aput(self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata,
                   new_versions: ChannelVersions) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str,
                          task_path: str = "") -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)


def sqlite_saver(settings: Settings) -> "AbstractContextManager[SqliteSaver]":
    """The saver of `home/checkpoints.sqlite`, set up. Raises StoreError."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    class FileCheckpoints(_AsyncByThread, SqliteSaver):
        """Checkpoints in one SQLite file."""

    @contextmanager
    def opened() -> "Iterator[SqliteSaver]":
        connection = connect_sqlite(settings.home_path / "checkpoints.sqlite")
        try:
            saver = FileCheckpoints(connection, serde=StateSerializer())
            saver.setup()
            yield saver
        finally:
            connection.close()

    return opened()


def postgres_saver(url: str) -> "AbstractContextManager[PostgresSaver]":
    """The saver of a PostgreSQL database, set up. Raises StoreError."""

    @contextmanager
    def opened() -> "Iterator[PostgresSaver]":
        from psycopg.rows import dict_row

        with connect_postgres(url, prepare_threshold=0, row_factory=dict_row) as connection:
            from langgraph.checkpoint.postgres import PostgresSaver

            class ServerCheckpoints(_AsyncByThread, PostgresSaver):
                """Checkpoints in PostgreSQL."""

                def put(self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata,
                        new_versions: ChannelVersions) -> RunnableConfig:
                    # Plain text of the state goes into a jsonb column, which holds neither NUL nor lone surrogates.
                    values = {name: Opaque(value) if isinstance(value, str) and _unfit(value) else value
                              for name, value in checkpoint["channel_values"].items()}
                    return super().put(config, {**checkpoint, "channel_values": values}, metadata, new_versions)

            saver = ServerCheckpoints(connection, serde=StateSerializer())
            with _alone(connection):
                saver.setup()
            yield saver

    return opened()


@contextmanager
def _alone(connection: "Connection[Any]") -> Iterator[None]:
    """One process at a time: two that set up at once would both run the migrations.

    Asked for again and again instead of waited for: the migrations build an index CONCURRENTLY, which waits for every
    running statement, one that waits for this lock included.
    """
    key = (advisory_key("checkpoints"),)
    while not connection.execute("SELECT 1 AS got WHERE pg_try_advisory_lock(%s)", key).fetchone():
        time.sleep(0.05)
    try:
        yield
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", key)


def _unfit(text: str) -> bool:
    return "\0" in text or plain_text(text) != text


def open_checkpointer(settings: Settings) -> AbstractContextManager[BaseCheckpointSaver[Any]]:
    """The checkpoints of these settings, set up and safe to use from several processes at once. Raises StoreError."""
    if settings.database_url is not None:
        return postgres_saver(settings.database_url)
    return sqlite_saver(settings)
