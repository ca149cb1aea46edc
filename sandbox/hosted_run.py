"""The host's loop over the frames of one run, with its own clock over the runner's."""

import json
import time
from collections.abc import Callable
from typing import Any, Literal

from .admission import Turn
from .capture import Captured
from .errors import BadRequest, SandboxFailed
from .execution import Execution
from .limits import Limits
from .protocol import Silent, in_seconds
from .runner import frames
from .runner.link import MOST_VALUES, values_in
from .sandbox import Sandbox
from .tooling import ToolDesk

_GRACE_S = 3.0
"""How much longer than the runner the host waits before it kills the whole sandbox."""

OnOutput = Callable[[Literal["stdout", "stderr"], bytes], None]


class HostedRun:
    """One run. `go` returns the runner's facts; `texts` and `answer` are what the program said."""

    def __init__(self, sandbox: Sandbox, limits: Limits, streams: dict[str, Captured], on_output: OnOutput | None,
                 desk: ToolDesk, turn: Turn) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._streams = streams
        self._on_output = on_output
        self._desk = desk
        self._turn = turn
        self._started = time.monotonic()
        self._killed = False
        self.answer: str | None = None
        self.oom_killed = self.forks_refused = False
        """Whether the kernel's counters of these rose during the run."""

    def go(self, program: bytes, order: dict[str, Any]) -> dict[str, Any]:
        """Facts of the run. Raises SandboxFailed when the sandbox ended or was killed at the host's own clock."""
        channel, before = self._sandbox.channel, self._counters()
        deadline = in_seconds(self._limits.wall_s + _GRACE_S)
        self._started = time.monotonic()
        try:
            channel.send(order, program, deadline=deadline)
            self._sandbox.settled()
            while True:
                kind, payload = channel.receive(deadline=deadline)
                if kind in (frames.STDOUT, frames.STDERR):
                    self._take("stdout" if kind == frames.STDOUT else "stderr", payload)
                    continue
                message = frames.decode_json(payload) if kind == frames.JSON else {}
                if message.get("op") == "tool":
                    with self._turn.aside():
                        reply = self._desk.answer(message)
                    channel.send({"op": "tool_reply", "reply": reply}, deadline=deadline)
                elif message.get("op") == "ended":
                    self._take_answer(message, deadline)
                    self.oom_killed, self.forks_refused = (
                        now > earlier for now, earlier in zip(self._counters(), before, strict=True))
                    return message
                elif message.get("op") == "refused":
                    raise BadRequest(str(message.get("message")))
                else:
                    raise SandboxFailed(f"the sandbox sent {message.get('op') or kind!r} during a run: "
                                        f"{message.get('message', '')}")
        except Silent:
            self._killed = True
            self._sandbox.launched.kill()
            raise SandboxFailed("the sandbox did not answer in time") from None
        except (KeyError, TypeError, ValueError, RecursionError, frames.BrokenFrame) as error:
            raise SandboxFailed(f"the sandbox sent something else than its protocol: {repr(error)[:300]}") from error

    def _counters(self) -> tuple[int, int]:
        launched = self._sandbox.launched
        return launched.memory_kills() or 0, launched.forks_refused() or 0

    def _take(self, name: Literal["stdout", "stderr"], data: bytes) -> None:
        stream = self._streams[name]
        if stream.kept + len(data) > self._limits.output_kb * 1024:
            raise SandboxFailed("the sandbox sent more output than its limit")
        try:
            stream.add(data)
        except OSError as error:
            raise SandboxFailed(f"the program's output cannot be kept in {stream.path}: {error.strerror}") from error
        if self._on_output is not None:
            self._on_output(name, data)

    def _take_answer(self, facts: dict[str, Any], deadline: float) -> None:
        size = facts["answer_bytes"]
        if size is None:
            return
        if not 0 <= size <= self._limits.output_kb * 1024:
            raise SandboxFailed("the sandbox sent a larger answer than its limit")
        parts: list[bytes] = []
        self._sandbox.channel.receive_data(size, parts.append, deadline=deadline)
        text = b"".join(parts)
        if values_in(text) > MOST_VALUES:
            raise SandboxFailed("the sandbox sent an answer with more values than its limit")
        try:
            json.loads(text)
        except (ValueError, RecursionError) as error:
            # The program wrote it to its channel itself: final_answer() sends JSON.
            facts["link_broken"] = f"the program garbled its own channel: {str(error)[:200]}"
        else:
            self.answer = text.decode("utf-8", "replace")

    def texts(self, facts: dict[str, Any]) -> dict[str, Any]:
        stdout, cut_out = self._streams["stdout"].text(facts["stdout_bytes"])
        stderr, cut_err = self._streams["stderr"].text(facts["stderr_bytes"])
        return {"stdout": stdout, "stderr": stderr, "truncated": cut_out or cut_err}

    def broken(self, error: SandboxFailed, limits: Limits) -> Execution:
        """The Execution of a run whose sandbox is gone: killed at the clock, killed for memory, or broken."""
        launched = self._sandbox.launched
        kept = {name: stream.kept for name, stream in self._streams.items()}
        common: dict[str, Any] = {
            "wall_s": round(time.monotonic() - self._started, 6), "stdout_bytes": kept["stdout"],
            "stderr_bytes": kept["stderr"], **self.texts({f"{name}_bytes": size for name, size in kept.items()})}
        if self._killed:
            return Execution(outcome="timeout", message=f"The program was stopped, with its sandbox, at the time limit of "
                                                        f"{limits.wall_s:g} s.", **common)
        if launched.out_of_memory():
            return Execution(outcome="out_of_memory", message=f"The kernel killed the whole sandbox because it used more "
                                                              f"memory than the limit of {limits.memory_mb} MB.", **common)
        diagnosis = launched.diagnose()
        launched.kill()
        return Execution(outcome="sandbox_failed", message=f"The sandbox failed: {error}. {diagnosis}".strip(), **common)

