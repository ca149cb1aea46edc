"""What a runner does in a run, done once without a program: the first to write to a memory page after a fork waits for
its copy, and that shall not be a run."""

import os
import socket
from typing import Any

from . import child as children
from . import frames, reap, watch
from .files import Files
from .interpreter import InterpreterWitness
from .ledger import Ledger
from .observers import Observers
from .run import Run
from .tracee import AT_FDCWD, Program


def rehearse(child: children.Child, observers: Observers, scratch: str) -> None:
    """With a child that waits and has run nothing."""
    order: dict[str, Any] = {"wall_s": 1.0, "answer_bytes": 0, "output_bytes": 0, "go": {"stays": True}}
    reaper = reap.Reaper()
    watcher = watch.Watch(watch.Bounds(cpu_s=1.0, memory_bytes=None, processes=1, files=1), reaper, scratch, child.pid)
    watcher.look()
    reap.peak_bytes(child.pid)
    run = Run(child=child, order=order, host=0, decoder=frames.Decoder(), send=lambda frame: None, reaper=reaper,
              watcher=watcher, observers=observers)
    result = run.rehearse()
    result |= {"evidence": observers.report(), "scratch": watch.space(scratch), "shared": watch.space("/dev/shm")}
    decoder = frames.Decoder()
    decoder.feed(frames.encode_json(result))
    while (frame := decoder.next()) is not None:
        frames.decode_json(frame[1])


def rehearse_alone() -> None:
    """The same in a process that is thrown away, for `pages.learn`."""
    pidfd, out, err, tell, told_handle = (os.open("/dev/null", os.O_RDONLY) for _ in range(5))
    ledger, program = Ledger("kernel", "/"), Program()
    Files(program, ledger, lambda call, index: b"", lambda call, descriptor, flags: None).handlers()
    descriptor, _ = program.open(os.getpid(), AT_FDCWD, b"/dev/null", os.O_RDONLY)
    os.close(descriptor)
    program.umask(os.getpid())
    ledger.file("read", b"/dev/null")
    child = children.Child(os.getpid(), pidfd, out, err, tell, socket.socketpair()[0])
    rehearse(child, Observers(None, InterpreterWitness(told_handle, "/", [])), "/")
