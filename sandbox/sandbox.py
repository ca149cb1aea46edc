"""One running sandbox with its inputs in place: from an engine's launch to the runner's "ready"."""

import hashlib
import platform
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .boot import runner_sources
from .engine import SCRATCH, Capabilities, Engine, Launched, LaunchRequest
from .errors import BadRequest, EngineUnavailable, InputChanged, LimitsNotEnforced, SandboxFailed
from .evidence import Witness
from .limits import Limits
from .manifest import InputFile, Manifest
from .owner import owner_identity
from .protocol import Channel, Silent, in_seconds
from .runner import frames
from .surroundings import environment_of

if TYPE_CHECKING:
    from .session import RunOptions

MOUNT_FROM_BYTES = 32 * 1024 * 1024
"""Inputs from this size on are mounted where the engine can, not copied."""
PROGRAM_FILES = 32
_AT_ONCE_BYTES = 4 * 1024 * 1024
"""Files up to so many bytes in all are sent without waiting for the answer to each."""
_AT_ONCE = 64
_READY_S = 60.0
_TRANSFER_S = 120.0


class Source(Protocol):
    """Where a session gets its sandboxes from: started on the spot, or taken from a pool."""

    def __call__(self, engine: Engine, *, limits: Limits, manifest: Manifest, run_id: str, options: "RunOptions",
                 preload: Sequence[str]) -> "Sandbox": ...


@dataclass(slots=True)
class Sandbox:
    """The host's hold on one sandbox whose runner is ready."""

    launched: Launched
    channel: Channel
    witness: Witness
    environment: dict[str, str]
    python: str
    landlock: int
    runtime: str
    """What the engine runs programs in, as of this sandbox's start."""
    capabilities: Capabilities
    inputs: list[InputFile] = field(default_factory=list)
    closer: "Callable[[Sandbox], None] | None" = None
    """Whoever takes it apart later, so that the session's caller need not wait for that."""
    _owed: deque[Callable[[dict[str, Any]], None]] = field(default_factory=deque)
    """What to make of answers that nobody has waited for yet, in their order."""
    _unanswered_bytes: int = 0

    def settle(self, options: "RunOptions") -> None:
        """The time zone of a sandbox that was started before one was chosen. Raises BadRequest for an unknown one."""
        if self.environment["TZ"] == options.timezone:
            return
        answer = self._ask({"op": "zone", "timezone": options.timezone})
        if answer.get("op") == "refused":
            raise BadRequest(str(answer["message"]))
        self.environment = {**self.environment, "TZ": options.timezone}

    def put_inputs(self, inputs: Sequence[InputFile], mounted: Sequence[str]) -> None:
        """Copy or check every input. Raises InputChanged, SandboxFailed. What the sandbox says to small inputs is heard by
        `settled`, before anything of a program is; it runs none where an input could not be put."""
        for item in inputs:
            if item.name in mounted:
                answer = self._ask({"op": "mounted", "path": item.name, "sha256": item.sha256})
                _check_put(item, answer)
            else:
                self._put_input(item)
        self.inputs = list(inputs)

    def make_folders(self, manifest: Manifest) -> None:
        """The folders that declared outputs lie in, so that a program can write them as they are named."""
        folders = sorted(spec.folder for spec in manifest.outputs if spec.folder)
        if folders:
            self._ask({"op": "folders", "paths": folders})

    def _put_input(self, item: InputFile) -> None:
        try:
            with item.open_path().open("rb") as file:
                digest = hashlib.sha256()
                order = {"op": "put", "path": item.name, "bytes": item.bytes, "read_only": True}
                self._send_file(order, _exactly(file.read, item, digest.update), partial(_check_put, item))
        except OSError as error:
            raise InputChanged(f"the input {item.name} cannot be read any more: {item.source}: {error.strerror}") from error
        if digest.hexdigest() != item.sha256:
            raise InputChanged(f"the input {item.name} has changed since it was recorded: {item.source} has the digest "
                               f"{digest.hexdigest()}, {item.sha256} was recorded")

    def put_file(self, path: str, source: Path) -> None:
        """One writable file of the workspace, from a host file."""
        try:
            content = source.read_bytes()
        except OSError as error:
            raise SandboxFailed(f"the kept file {source} cannot be read: {error.strerror}") from error
        self.put_bytes(path, content)

    def put_bytes(self, path: str, content: bytes) -> None:
        def check(answer: dict[str, Any]) -> None:
            if answer.get("problem"):
                raise SandboxFailed(f"the file {path} {answer['problem']}")

        self._send_file({"op": "put", "path": path, "bytes": len(content), "read_only": False}, iter([content]), check)
        self.settled()

    def restore_inputs(self) -> list[str]:
        """Put back inputs that a program changed; their names."""
        changed = self._ask({"op": "changed"})["paths"]
        for item in self.inputs:
            if item.name in changed:
                self._put_input(item)
        return list(changed)

    def ended(self) -> bool:
        """Whether it has ended, as far as can be told now: a runner that owes nothing and waits for orders is silent."""
        return not self._owed and not self.channel.quiet()

    def settled(self) -> None:
        """Hear every answer that is owed. Raises SandboxFailed, and what the answers amount to."""
        try:
            while self._owed:
                check = self._owed.popleft()
                check(self.channel.receive_json(deadline=in_seconds(_TRANSFER_S)))
        except Silent:
            raise SandboxFailed(f"the sandbox took no files within {_TRANSFER_S:.0f} s") from None
        self._unanswered_bytes = 0

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.settled()
        try:
            return self.channel.ask(message, deadline=in_seconds(_TRANSFER_S))
        except Silent:
            raise SandboxFailed(f"the sandbox did not answer within {_TRANSFER_S:.0f} s") from None

    def _send_file(self, order: dict[str, Any], chunks: Iterator[bytes], check: Callable[[dict[str, Any]], None]) -> None:
        deadline = in_seconds(_TRANSFER_S)
        try:
            self.channel.send(order, deadline=deadline)
            self.channel.send_data(chunks, deadline=deadline)
        except Silent:
            raise SandboxFailed(f"the sandbox took no files within {_TRANSFER_S:.0f} s") from None
        self._owed.append(check)
        self._unanswered_bytes += order["bytes"]
        if len(self._owed) >= _AT_ONCE or self._unanswered_bytes > _AT_ONCE_BYTES:
            self.settled()

    def close(self) -> None:
        if self.closer is not None:
            closer, self.closer = self.closer, None
            closer(self)
        else:
            self.launched.close()


def start(engine: Engine, *, limits: Limits, manifest: Manifest, run_id: str, options: "RunOptions",
          preload: Sequence[str]) -> Sandbox:
    """Launch, boot the runner, put the inputs. Raises what Session.open says."""
    large = [i for i in manifest.inputs if engine.local and i.bytes >= MOUNT_FROM_BYTES]
    sandbox = boot(engine, limits=limits, run_id=run_id, options=options, preload=preload,
                   mounts=[(i.open_path(), i.name) for i in large])
    try:
        sandbox.settle(options)
        sandbox.put_inputs(manifest.inputs, [i.name for i in large])
    except BaseException:
        sandbox.close()
        raise
    return sandbox


def boot(engine: Engine, *, limits: Limits, run_id: str, options: "RunOptions", preload: Sequence[str],
         mounts: Sequence[tuple[Path, str]] = (), ahead: bool = False) -> Sandbox:
    """A sandbox with an empty workspace (but for mounts), its runner ready and its first child parked.

    `ahead`: nobody waits for it, so it may take longer to be ready and be faster then.
    """
    environment = environment_of(timezone="UTC", hash_seed=options.hash_seed,
                                 scratch=getattr(engine, "scratch", SCRATCH))
    request = LaunchRequest(limits=limits, run_id=run_id, owner=owner_identity(), mounts=mounts, environment=environment,
                            preload=preload)
    launched = engine.launch(request)
    try:
        channel = Channel(launched.stdin, launched.stdout)
        ready = _open(engine, launched, channel, options, preload, ahead)
        launched.ready()
    except BaseException:
        launched.close()
        raise
    return Sandbox(launched=launched, channel=channel, environment=environment, witness=ready["witness"],
                   python=ready["python"], landlock=ready["landlock"], runtime=engine.runtime(),
                   capabilities=engine.capabilities())


def _open(engine: Engine, launched: Launched, channel: Channel, options: "RunOptions", preload: Sequence[str],
          ahead: bool) -> dict[str, Any]:
    deadline = in_seconds(_READY_S)
    alone = not engine.capabilities().mount_namespace
    order = {"op": "open", "protocol": frames.VERSION, "scratch": launched.scratch, "program": launched.program_folder,
             "preload": list(preload), "alone": alone, "ahead": ahead,
             "read_only": list(getattr(launched, "read_only", ())), "execute": list(getattr(launched, "execute", ())),
             "programs": PROGRAM_FILES if options.state == "process" else 1}
    try:
        if not getattr(launched, "booted", False):
            channel.send_bytes(runner_sources(), deadline=deadline)
        ready = channel.ask(order, deadline=deadline)
    except Silent:
        raise EngineUnavailable(f"{engine.name}: the runner was not ready within {_READY_S:.0f} s. "
                                f"{launched.diagnose()}") from None
    except SandboxFailed as error:
        if launched.out_of_memory():
            raise LimitsNotEnforced(f"{engine.name}: the memory limit is too low to start the sandbox in") from error
        raise EngineUnavailable(f"{engine.name}: the sandbox did not start: {error}. {launched.diagnose()}") from error
    if ready.get("op") == "refused":
        raise BadRequest(str(ready["message"]))
    if ready.get("op") != "ready" or ready.get("protocol") != frames.VERSION:
        raise EngineUnavailable(f"{engine.name}: the runner answered {ready.get('op')!r} where it should be ready")
    if str(ready["python"]).split(".")[:2] != platform.python_version().split(".")[:2]:
        raise EngineUnavailable(f"{engine.name}: its Python is {ready['python']}, the gate's is "
                                f"{platform.python_version()}; build the sandbox for this one: `fumehood sandbox build`")
    return ready


def _exactly(read: Callable[[int], bytes], item: InputFile, see: Callable[[bytes], None]) -> Iterator[bytes]:
    """The file's bytes, exactly as many as announced: a file that shrank is padded, so that the digest tells."""
    left = item.bytes
    while left:
        chunk = read(min(left, frames.CHUNK))
        if not chunk:
            chunk = bytes(min(left, frames.CHUNK))
        left -= len(chunk)
        see(chunk)
        yield chunk
    if read(1):
        raise InputChanged(f"the input {item.name} has grown since it was recorded: {item.source}")


def _check_put(item: InputFile, answer: dict[str, Any]) -> None:
    problem = answer.get("problem")
    if not problem:
        return
    if "digest" in problem:
        raise InputChanged(f"the input {item.name} has changed since it was recorded: {item.source} {problem}")
    raise SandboxFailed(f"the input {item.name} {problem}")
