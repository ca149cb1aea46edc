"""One run: a poll loop over the host, the child's pipes, its link, its end, and the witness, until the child has ended.

The end of a run is the child's end, read from the kernel, not the end of its pipes: a background process that holds
them is killed, then they are drained.
"""

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import child as children
from . import frames, link, reap, watch
from .observers import Observers

_READ = 128 * 1024
_DRAIN_S = 5.0
_HOLD_S = 0.002
"""Output waits so long for more to go with it, the end of the run at best: each message wakes all who carry it."""
_HOLD_BYTES = 32 * 1024


class HostGone(Exception):
    """The host closed its end: nobody waits for an answer any more."""


@dataclass(slots=True)
class Facts:
    """What the runner measured and what the child said, kept apart."""

    stopped_by: str | None = None
    """The limit for which the runner killed the run: wall, cpu, memory, processes, files, stdout, stderr; or cancel."""
    output: dict[str, int] = field(default_factory=lambda: {"stdout": 0, "stderr": 0})
    limits: dict[str, Any] = field(default_factory=dict)
    answer: bytes | None = None
    error: dict[str, Any] | None = None
    done: int | None = None
    """Exit code of a program whose child stays for the next one."""
    link_broken: str | None = None


class Run:
    """Runs one program in a parked child. `host` is the descriptor that the host's frames come in on."""

    def __init__(self, *, child: children.Child, order: dict[str, Any], host: int, decoder: frames.Decoder,
                 send: Callable[[bytes], None], reaper: reap.Reaper, watcher: watch.Watch, observers: Observers) -> None:
        self._child = child
        self._order = order
        self._host = host
        self._decoder = decoder
        self._send = send
        self._reaper = reaper
        self._watch = watcher
        self._observers = observers
        self._from_child = link.from_child(order["answer_bytes"])
        self._to_child = bytearray()
        self._streams = {child.out: ("stdout", frames.STDOUT), child.err: ("stderr", frames.STDERR)}
        self._poll = select.poll()
        self._started = 0.0
        self._ended = False
        self._link_open = True
        self._used: tuple[float, int] | None = None
        self._held = bytearray()
        self._held_since = 0.0
        self.facts = Facts()

    def go(self) -> dict[str, Any]:
        """Run to the end; the facts for the host. Raises HostGone."""
        self._poll.register(self._host, select.POLLIN)
        for number in (self._child.pidfd, self._child.link.fileno(), *self._streams):
            self._poll.register(number, select.POLLIN)
        self._observed = set(self._observers.filenos())
        for number in self._observed:
            self._poll.register(number, select.POLLIN)
        self._to_child += frames.encode_json(self._order["go"], link.GO)
        if self._order["go"]["again"]:
            os.kill(self._child.pid, signal.SIGCONT)
        self._started = time.monotonic()
        self._loop()
        wall_s = time.monotonic() - self._started
        end = self._settle()
        return self._result(end, wall_s)

    def held(self) -> bytes:
        """Frames that were not sent yet and go before whatever is sent next."""
        held = bytes(self._held)
        self._held.clear()
        return held

    def rehearse(self) -> dict[str, Any]:
        """The facts of a run that never began."""
        frames.encode_json(self._order["go"], link.GO)
        self._take(frames.encode_json({"limits": {}}, link.STARTED))
        self._take(frames.encode_json({"exit_code": 0}, link.DONE))
        return self._result(None, 0.0)

    def _loop(self) -> None:
        deadline = self._started + self._order["wall_s"]
        while not self._ended and self.facts.done is None:
            left = deadline - time.monotonic()
            if left <= 0:
                self._stop("wall")
                left = 1.0
            self._write_child()
            longest = min(left, self._watch.wait_s(), _HOLD_S if self._held else left)
            for number, event in self._poll.poll(max(1, int(1000 * longest) + 1)):
                self._serve(number, event)
            if self._held and time.monotonic() - self._held_since >= _HOLD_S:
                self._send(self.held())
            self._observers.tick()
            if self._watch.due() and not self._ended:
                self._reap()
                broken = self._watch.look()
                if broken is not None:
                    self._stop(broken)

    def _serve(self, number: int, event: int) -> None:
        if number in self._streams:
            self._read_stream(number)
        elif number == self._child.pidfd:
            self._reap()
        elif number == self._host:
            self._read_host()
        elif number == self._child.link.fileno():
            self._read_link(event)
        elif number in self._observed and not self._observers.handle(number):
            self._poll.unregister(number)

    def _reap(self) -> None:
        self._reaper.collect()
        self._ended = self._child.pid in self._reaper.ends

    def _stop(self, reason: str) -> None:
        if self.facts.stopped_by is None:
            self.facts.stopped_by = reason
        reap.kill_all()

    def _read_stream(self, number: int) -> bool:
        """One read of one pipe; False when there is nothing more for now."""
        name, kind = self._streams[number]
        try:
            data = os.read(number, _READ)
        except BlockingIOError:
            return False
        if not data:
            self._unregister(number)
            return False
        seen = self.facts.output[name]
        self.facts.output[name] = seen + len(data)
        kept = data[:max(0, self._order["output_bytes"] - seen)]
        if kept:
            self._hold(frames.encode(kind, kept))
        if len(kept) < len(data):
            self._stop(name)
        return True

    def _hold(self, frame: bytes) -> None:
        if not self._held:
            self._held_since = time.monotonic()
        self._held += frame
        if len(self._held) > _HOLD_BYTES:
            self._send(self.held())

    def _read_host(self) -> None:
        data = os.read(self._host, _READ)
        if not data:
            raise HostGone
        self._decoder.feed(data)
        while (frame := self._decoder.next()) is not None:
            message = frames.decode_json(frame[1]) if frame[0] == frames.JSON else {}
            if message.get("op") == "tool_reply":
                self._to_child += frames.encode_json(message["reply"], link.REPLY)
            elif message.get("op") == "cancel":
                self._stop("cancel")
            else:
                raise frames.BrokenFrame("only tool replies and a cancel may come during a run")

    def _write_child(self) -> None:
        while self._to_child:
            if not self._link_open:
                self._to_child.clear()
                return
            try:
                sent = self._child.link.send(self._to_child)
            except BlockingIOError:
                self._poll.modify(self._child.link.fileno(), select.POLLIN | select.POLLOUT)
                return
            except OSError:  # it closed its end; its exit says the rest
                self._to_child.clear()
                return
            del self._to_child[:sent]
            if not self._to_child:
                self._poll.modify(self._child.link.fileno(), select.POLLIN)

    def _read_link(self, event: int) -> bool:
        """One read of the link; False when there is nothing more for now."""
        if not event & ~select.POLLOUT:
            return False
        try:
            data = self._child.link.recv(_READ)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._link_open = False
            self._unregister(self._child.link.fileno())
            return False
        try:
            self._take(data)
        except (frames.BrokenFrame, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
                MemoryError) as error:
            # The program wrote to the link itself. That is its word against nobody's: hear no more of it; its end is then
            # its exit.
            self.facts.link_broken = f"the program garbled its own channel: {str(error)[:200]}"
            self._link_open = False
            self._unregister(self._child.link.fileno())
            self._child.link.shutdown(socket.SHUT_RDWR)
            return False
        return True

    def _take(self, data: bytes) -> None:
        self._from_child.feed(data)
        while (message := self._from_child.next()) is not None:
            kind, payload = message
            if kind == link.ANSWER:
                # Not parsed here: what it would take lies outside of the program's limits.
                if link.values_in(payload) > link.MOST_VALUES:
                    raise ValueError(f"a delivered value with more than {link.MOST_VALUES} values in it")
                self.facts.answer = payload
            elif kind == link.STARTED:
                self.facts.limits = self.facts.limits or frames.decode_json(payload)["limits"]
            elif kind == link.ERROR:
                self.facts.error = _flat(frames.decode_json(payload))
            elif kind == link.DONE:
                self.facts.done = int(frames.decode_json(payload)["exit_code"]) & 0xFF
            elif kind == link.CALL:
                call = frames.decode_json(payload)
                asked = {"op": "tool", "name": str(call["name"]), "args": list(call["args"]), "kwargs": dict(call["kwargs"])}
                self._send(self.held() + frames.encode_json(asked))

    @property
    def stays(self) -> bool:
        """The child lives on, with its variables."""
        return not self._ended and bool(self._order["go"]["stays"])

    def _settle(self) -> reap.End | None:
        """Kill what is left, then take what still lies in the pipes."""
        if self._ended:
            reap.end_all(self._reaper)
        elif self.stays:
            reap.end_others(self._reaper, self._child.pid)
            # Threads it left stand still until the next program: the time between is nobody's. Nothing inside can wake
            # it: there is no other process, and no timer that sends signals (seccomp.py).
            reap.stop(self._child.pid)
        else:
            # It has said its exit code. What it used is read while it is still there; the kernel takes its time.
            table = reap.descendants()
            self._used = self._watch.cpu_s(table), reap.peak_bytes(self._child.pid)
            if len(table) > 1:
                reap.end_all(self._reaper)  # whatever else still runs is dead before the answer
            else:
                reap.kill_all()
        until = time.monotonic() + _DRAIN_S
        for number in self._streams:
            while self._read_stream(number) and time.monotonic() < until:
                pass
        while self._read_link(select.POLLIN):
            pass
        return self._reaper.ends.get(self._child.pid)

    def _result(self, end: reap.End | None, wall_s: float) -> dict[str, Any]:
        exit_code = self.facts.done if self.facts.done is not None or end is None else end.exit_code
        if self._used is not None:
            cpu_s, peak = self._used
        else:
            cpu_s = self._watch.cpu_s(reap.descendants() if end is None else None)
            peak = end.peak_bytes if end else reap.peak_bytes(self._child.pid)
        return {
            "op": "ended", "stopped_by": self.facts.stopped_by, "exit_code": exit_code,
            "signal": end.signal if end and self.facts.done is None else None, "error": self.facts.error,
            "alive": self.stays,
            "stdout_bytes": self.facts.output["stdout"], "stderr_bytes": self.facts.output["stderr"],
            "wall_s": wall_s, "cpu_s": cpu_s, "rlimits": self.facts.limits,
            "peak_memory_bytes": max(self._watch.peak_bytes, peak),
            "peak_processes": self._watch.peak_processes, "link_broken": self.facts.link_broken,
            "answer_bytes": len(self.facts.answer) if self.facts.answer is not None else None,
        }

    def _unregister(self, number: int) -> None:
        try:
            self._poll.unregister(number)
        except KeyError:
            return


def _flat(error: dict[str, Any]) -> dict[str, Any]:
    """What the child says of its exception, by known keys and with nothing nested: the host parses it again."""
    values = error.get("values")
    return {"type": str(error["type"])[:200], "message": str(error["message"])[:4000],
            "line": int(error["line"]) if isinstance(error.get("line"), int) else None,
            "traceback": str(error.get("traceback", ""))[:20_000],
            "values": {str(name)[:100]: str(value)[:300] for name, value in list(values.items())[:20]}
            if isinstance(values, dict) else {},
            **{cause: error.get(cause) is True for cause in ("memory", "disk", "processes")}}
