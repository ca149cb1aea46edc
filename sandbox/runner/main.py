"""The runner: PID 1 of a sandbox. Reads orders on stdin, answers on stdout, and never hands either to a child."""

import gc
import os
import platform
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from . import child as children
from . import confine, frames, link, pages, quota, reap, walls, warm, watch, workspace
from .interpreter import InterpreterWitness
from .observers import Observers
from .program_files import ProgramFiles
from .run import HostGone, Run
from .witness import KernelWitness, Rules

_PREPARE_S = 30.0
_IDLE_MS = 100


@dataclass(frozen=True, slots=True)
class Written:
    """Memory pages that are written to in every sandbox, as a fork server has learned them; empty where none did."""

    by_runner: pages.Ranges = field(default_factory=list)
    by_program: pages.Ranges = field(default_factory=list)


class Refused(Exception):
    """The host is told in its words; the sandbox goes on."""


class Runner:
    """One sandbox, from its first order to the host's end of file."""

    def __init__(self, written: "Written | None" = None) -> None:
        self._written = written or Written()
        self._decoder = frames.Decoder()
        self._reaper = reap.Reaper()
        self._parked: children.Child | None = None
        self._observers: Observers | None = None
        self._has_run = False
        self._lacks_input: str | None = None
        self._idle_poll: select.poll | None = None

    def serve(self) -> None:
        """Answer orders until the host is gone."""
        while True:
            order = self._order()
            try:
                getattr(self, f"_do_{order['op']}")(order)
            except Refused as refusal:
                self._send_json({"op": "refused", "message": str(refusal)})

    def _send(self, frame: bytes) -> None:
        view = memoryview(frame)
        while view:
            view = view[os.write(1, view):]

    def _send_json(self, message: dict[str, Any]) -> None:
        self._send(frames.encode_json(message))

    def _frame(self) -> tuple[bytes, bytes]:
        while (frame := self._decoder.next()) is None:
            self._park_when_idle()
            data = os.read(0, 256 * 1024)
            if not data:
                raise HostGone
            self._decoder.feed(data)
        return frame

    def _park_when_idle(self) -> None:
        """Fork the next child ahead, but not for a host that sends the next order (or the end of file) at once."""
        if self._idle_poll is not None and self._parked is None and not self._idle_poll.poll(_IDLE_MS):
            self._park()

    def _order(self) -> dict[str, Any]:
        kind, payload = self._frame()
        if kind != frames.JSON:
            raise frames.BrokenFrame("data without an order before it")
        return frames.decode_json(payload)

    def _data(self, size: int) -> Iterator[bytes]:
        while size > 0:
            kind, payload = self._frame()
            if kind != frames.DATA or not payload or len(payload) > size:
                raise frames.BrokenFrame("other data than was announced")
            size -= len(payload)
            yield payload

    def _do_open(self, order: dict[str, Any]) -> None:
        if order["protocol"] != frames.VERSION:
            raise Refused(f"the host speaks protocol {order['protocol']}, this runner {frames.VERSION}")
        self._layout = workspace.Layout(order["scratch"], order["program"], alone=order["alone"],
                                        font_list=warm.font_list())
        self._layout.make()
        self._ahead = bool(order["ahead"])
        os.chdir(self._layout.workspace)
        lacking = warm.preload([name for name in order["preload"] if name not in sys.modules], ahead=self._ahead)
        # With pandas the pages would cost more of the memory of each that waits than of the time of each run.
        if self._ahead and not self._written.by_runner and "pandas" not in sys.modules:
            self._written = Written(by_runner=_written_by_runner())
        # Opened before the runner closes itself in: from then on nobody can write there, whoever asks the runner to.
        self._files = ProgramFiles(self._layout.program, order["programs"])
        self._walls = walls.build(self._layout, alone=order["alone"], read_only=order["read_only"],
                                  execute=order["execute"])
        self._confine = walls.confiner(self._walls)
        self._park()
        self._idle_poll = select.poll()
        self._idle_poll.register(0, select.POLLIN)
        self._send_json({"op": "ready", "protocol": frames.VERSION, "python": platform.python_version(),
                         "pid": os.getpid(), "witness": "kernel" if self._walls.notify else "interpreter",
                         "witness_lacks": self._walls.witness_lacks, "landlock": self._walls.landlock,
                         "not_preloaded": lacking})

    def _do_zone(self, order: dict[str, Any]) -> None:
        if not warm.is_timezone(order["timezone"]):
            raise Refused(f"there is no time zone {order['timezone']!r}; use a name of the IANA database, such as "
                          "Europe/Paris")
        self._send_json({"op": "zone"})

    def _do_forks(self, order: dict[str, Any]) -> None:
        """Become a fork server: this process runs no program, its clones do."""
        from .forks import ForkServer

        lacking = warm.preload(order["preload"], ahead=True)
        written = Written(by_runner=_written_by_runner(), by_program=pages.learn(children.rehearse))
        confine.set_non_dumpable()
        walls.prepare()
        channel = socket.socket(fileno=os.dup(0))
        channel.sendall(frames.encode_json({"op": "forking", "not_preloaded": lacking}))
        ForkServer(channel, lambda: live(written)).run()
        raise HostGone

    def _park(self) -> None:
        """Fork the next child ahead, put its walls up, and take its listener."""
        self._files.restore()  # the child opens its file now
        child = children.start(self._confine, self._layout.workspace, self._files.next_path(),
                               tell_all=not self._walls.notify, prepare=self._prepare_child if self._ahead else None)
        libraries, kernel = warm.libraries(self._layout.program), None
        listener = self._listener(child)
        if listener >= 0:
            kernel = KernelWitness(listener, self._layout.workspace,
                                   Rules(libraries=libraries, alone=self._walls.alone, writable=self._walls.writable,
                                         shared_memory=self._layout.shared_memory))
        self._observers = Observers(kernel, InterpreterWitness(child.told, self._layout.workspace, libraries))
        child.link.setblocking(True)
        child.link.sendall(frames.encode(link.REPLY, b"taken"))
        child.link.setblocking(False)
        confined = watch.confinement(child.pid)
        # gVisor tells nothing of NoNewPrivs; without capabilities it takes no filter where that is off.
        if confined.get("Seccomp") != 2 or confined.get("NoNewPrivs", 1) != 1 or confined.get("CapEff") != 0:
            raise frames.BrokenFrame(f"the child is not confined: {confined}")
        self._confined = confined
        self._parked = child
        self._has_run = False
        if self._ahead:
            pages.copy_ahead(self._written.by_runner)

    def _prepare_child(self) -> None:
        if not pages.copy_ahead(self._written.by_program):
            children.rehearse()

    def _listener(self, child: children.Child) -> int:
        """The runner's own descriptor of the child's seccomp listener, -1 where there is none."""
        decoder, sent = link.from_child(0), list[int]()
        poll = select.poll()
        poll.register(child.link.fileno(), select.POLLIN)
        until = time.monotonic() + _PREPARE_S
        while (message := decoder.next()) is None:
            if not poll.poll(max(0, int(1000 * (until - time.monotonic())))):
                raise frames.BrokenFrame(f"the child was not ready after {_PREPARE_S:.0f} s")
            data, descriptors, _, _ = socket.recv_fds(child.link, 4096, 1)
            sent += descriptors
            if not data:
                said = os.read(child.err, 4096).decode("utf-8", "replace")
                raise frames.BrokenFrame(said.strip() or "the child ended while it was prepared")
            decoder.feed(data)
        number = int(frames.decode_json(message[1])["number"])
        return sent[0] if sent else confine.take_descriptor(child.pidfd, number) if number >= 0 else -1

    def _do_tool_reply(self, order: dict[str, Any]) -> None:
        """For a run that has ended meanwhile."""

    def _do_cancel(self, order: dict[str, Any]) -> None:
        """For a run that has ended meanwhile."""

    def _do_put(self, order: dict[str, Any]) -> None:
        problem = self._layout.put(order, self._data(order["bytes"]))
        if problem is not None and order["read_only"]:
            self._lacks_input = order["path"]
        self._send_json({"op": "put", "problem": problem})

    def _do_folders(self, order: dict[str, Any]) -> None:
        for path in order["paths"]:
            os.makedirs(f"{self._layout.workspace}/{path}", exist_ok=True)
        self._send_json({"op": "folders"})

    def _do_mounted(self, order: dict[str, Any]) -> None:
        self._send_json({"op": "mounted", "problem": self._layout.check_mounted(order["path"], order["sha256"])})

    def _do_clear(self, order: dict[str, Any]) -> None:
        self._drop_child()
        self._layout.clear()
        self._lacks_input = None
        self._send_json({"op": "cleared"})

    def _do_run(self, order: dict[str, Any]) -> None:
        program = b"".join(self._data(order["bytes"]))
        if self._lacks_input is not None:
            raise Refused(f"the input {self._lacks_input} could not be put")
        if self._parked is None:
            self._park()
        child, observers = self._parked, self._observers
        assert child is not None
        assert observers is not None
        if self._has_run:
            self._files.restore()
        try:
            order["go"]["path"] = self._files.write(program)
        except OSError as error:
            raise Refused(f"the program's {len(program)} bytes cannot be stored in the sandbox: {error.strerror}") from None
        self._rlimits(order, child.pid)
        self._reaper.forget()
        bounds = watch.Bounds(cpu_s=order["cpu_s"], memory_bytes=order["memory_bytes"],
                              processes=order["processes"], files=order["files"])
        folder = self._quota(order)
        watcher = watch.Watch(bounds, self._reaper, self._layout.scratch, child.pid, folder)
        run = Run(child=child, order=order, host=0, decoder=self._decoder, send=self._send, reaper=self._reaper,
                  watcher=watcher, observers=observers)
        result = run.go()
        self._has_run = True
        self._add_facts(result, observers, folder)
        message, answer = run.held() + frames.encode_json(result), run.facts.answer or b""
        for start in range(0, len(answer), frames.CHUNK):
            self._send(message + frames.encode(frames.DATA, answer[start:start + frames.CHUNK]))
            message = b""
        self._send(message)
        if not run.stays:
            # Answered first: the old child is taken apart while the host works on the answer.
            self._drop_child()

    def _add_facts(self, result: dict[str, Any], observers: Observers, folder: quota.FolderQuota | None) -> None:
        """What is to be said of a run beside how it went."""
        result["evidence"] = observers.report()
        result["confined"] = self._confined
        if folder is None:
            result["scratch"] = watch.space(self._layout.scratch)
            result["shared"] = watch.space("/dev/shm") if os.path.isdir("/dev/shm") else None
        else:
            result["stopped_by"] = result["stopped_by"] or folder.measure([])
            result["scratch"], result["shared"] = folder.space(), None
        result["changed_inputs"] = self._layout.changed_inputs()

    def _quota(self, order: dict[str, Any]) -> quota.FolderQuota | None:
        """Alone, the scratch folder lies on the host's file system, which bounds nothing."""
        if not self._walls.alone:
            return None
        return quota.FolderQuota(self._layout.scratch, order["go"]["rlimits"]["FSIZE"], order["files"])

    def _rlimits(self, order: dict[str, Any], pid: int) -> None:
        """RLIMIT_DATA counts what the preloaded libraries have already; the limit is for what the program adds."""
        limits = order["go"]["rlimits"]
        for name in ("DATA", "AS"):
            if name in limits:
                limits[name] += watch.mapped_bytes(pid, name)
        if self._walls.alone:
            limits["NPROC"] = quota.tasks_of_user() + order["processes"] + quota.OTHERS
        if order["go"]["stays"]:
            limits.pop("CPU")  # it counts all steps of a process; the watch counts each
        else:
            # Preparing the child took a little of it already; the watch holds the exact sum.
            limits["CPU"] += 1
        order["go"]["again"] = self._has_run

    def _do_changed(self, order: dict[str, Any]) -> None:
        self._send_json({"op": "changed", "paths": self._layout.changed_inputs()})

    def _do_collect(self, order: dict[str, Any]) -> None:
        collector = workspace.Collector(self._layout, order, self._send)
        collector.run()
        self._send_json({"op": "collected", "rejected": collector.rejected, "present": collector.present})

    def _drop_child(self) -> None:
        """Let go of the child there is, dead or alive."""
        if self._observers is not None:
            self._observers.close()
            self._observers = None
        if self._parked is not None:
            self._parked.close()
            self._parked = None
        reap.end_all(self._reaper)


def _written_by_runner() -> pages.Ranges:
    """What a runner writes to in a run, where this process's memory is as it will be then."""
    from . import rehearsal

    children.runner_modules()
    gc.collect()
    gc.freeze()  # before anything is learned: a collection writes to every object that it looks at
    return pages.learn(rehearsal.rehearse_alone)


def main() -> None:
    """Entry: called by the boot code in a bare interpreter. Never returns."""
    # PID 1 has no default actions, but Python's own SIGINT handler would end it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    live()


def live(written: Written | None = None) -> None:
    """Serve until the host is gone. Never returns."""
    try:
        Runner(written).serve()
    except HostGone:
        os._exit(0)
    except Exception as error:
        # Whatever broke, the sandbox must end and its engine be able to say why.
        print(f"runner: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(71)
