"""The process that becomes the program: forked ahead, confined, parked until the runner says go.

Everything before `STARTED` is the runner's own code. Walls are put up before the child is parked, so that a parked
child can do nothing but wait; the limits of the run itself come with the order to go.
"""

import gc
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

from . import ended, interpreter, link, offered, program, repeatable, warm

_FAILED = 70


@dataclass(frozen=True, slots=True)
class Child:
    """The runner's hold on a child."""

    pid: int
    pidfd: int
    """Readable once the child has ended."""
    out: int
    err: int
    told: int
    """Where the interpreter's witness in the child writes; whoever observes the child takes and closes it."""
    link: socket.socket

    def close(self) -> None:
        for number in (self.pidfd, self.out, self.err):
            os.close(number)
        self.link.close()


def start(confine: Callable[[link.ChildEnd], None], folder: str, path: str, *, tell_all: bool,
          prepare: Callable[[], None] | None) -> Child:
    """Fork a child that calls `confine` and parks in `folder`. `path`: the file of the program that it will run;
    `tell_all`: the interpreter is the only witness; `prepare`: called first, where there is time for what
    makes the program faster later."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    told_read, told_write = os.pipe()
    mine, theirs = socket.socketpair()
    gc.collect()
    gc.freeze()
    runner_modules()
    pid = os.fork()
    if pid == 0:
        try:
            _become((out_write, err_write, told_write), theirs, confine, folder, path, tell_all, prepare)
        except BaseException as error:  # a forked copy: nothing may come back from here
            os.write(2, f"the child could not be prepared: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(_FAILED)
    for number in (out_write, err_write, told_write):
        os.close(number)
    theirs.close()
    os.set_blocking(out_read, False)
    os.set_blocking(err_read, False)
    mine.setblocking(False)
    return Child(pid, ended.descriptor(pid), out_read, err_read, told_read, mine)


def _become(pipes: tuple[int, int, int], end: socket.socket, confine: Callable[[link.ChildEnd], None], folder: str,
            path: str, tell_all: bool, prepare: Callable[[], None] | None) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.setsid()  # a signal to the program's own group reaches what it started, and not the runner
    # The runner's own 0, 1 and 2 are taken, so all these numbers lie above and no dup2 overwrites one of them.
    out, err, tell = pipes
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    low, high = sorted((tell, end.fileno()))
    for first, last in ((3, low), (low + 1, high), (high + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])):
        os.closerange(first, last)
    if prepare is not None:
        prepare()
    repeatable.seed_all(None)
    program.standard_streams()
    os.chdir(folder)
    runner_end = link.ChildEnd(end)
    source = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    confine(runner_end)
    interpreter.watch(tell, path, everything=tell_all)
    _hide_runner()
    _serve(runner_end, source, path)


def rehearse() -> None:
    """Touch once what every program touches."""
    end = link.ChildEnd(socket.socketpair()[0])
    offered.offer(end, [], 0)
    link.read(json.dumps({"limits": _limits()}).encode())
    warm.rehearse()


def _hide_runner() -> None:
    """The runner's modules are no part of what a program can import, or finds when it lists what is loaded."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "Sources"]
    for name in runner_modules():
        sys.modules.pop(name, None)


@cache
def runner_modules() -> list[str]:
    """Found once, by the first to ask: going through all that is loaded writes to every name of it."""
    package = (__package__ or "").partition(".")[0]
    return [name for name in sys.modules if name.partition(".")[0] == package]


def _serve(end: link.ChildEnd, source: int, opened: str) -> NoReturn:
    """`source`: the file `opened`, where the first program will be. Opened ahead, so that nothing waits for the witness."""
    main = program.new_main()
    owner, code = os.getpid(), 0
    while True:
        message = end.receive()
        if message is None:
            os._exit(code)
        order = link.read(message[1])
        _apply(order)
        if order["command"] is not None:
            end.send(link.STARTED, {"limits": _limits()})
            _execute(order)
        offered.offer(end, order["tools"], order["answer_bytes"])
        end.send(link.STARTED, {"limits": _limits()})
        if order["path"] == opened and source >= 0:
            text = _rest(source)
        else:
            with open(order["path"], "rb") as file:
                text = file.read()
        if source >= 0:
            os.close(source)
            source = -1
        code, error = program.run_program(main, order["path"], text)
        if os.getpid() != owner:
            # A child that the program forked and that ran off the program's end: no word of its own for the runner.
            program.wind_up(main)
            os._exit(code)
        if error is not None:
            _tell(end, link.ERROR, error)
        if not order["stays"]:
            program.wind_up(main)
        _tell(end, link.DONE, {"exit_code": code})
        if not order["stays"]:
            # Wait to be killed: taking a large process apart would keep this processor from the runner's answer.
            while end.receive() is not None:
                pass
            os._exit(code)


def _rest(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _execute(order: dict[str, Any]) -> NoReturn:
    """Become a command. Its input is the file where a program would be."""
    command = order["command"]
    os.dup2(os.open(order["path"], os.O_RDONLY), 0)
    try:
        if command["cwd"] is not None:
            os.chdir(command["cwd"])
        os.execvpe(command["argv"][0], command["argv"], {**os.environ, **command["environment"]})
    except OSError as error:
        os.write(2, f"{command['argv'][0]}: {error.strerror}\n".encode())
        # As a shell says it: not found, or found and not to be executed.
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def _tell(end: link.ChildEnd, kind: bytes, message: dict[str, Any]) -> None:
    try:
        end.send(kind, message)
    except OSError:  # the program closed the link: then the runner has the exit status only
        return


def _apply(order: dict[str, Any]) -> None:
    if any(os.environ.get(name) != value for name, value in order["environment"].items()):
        os.environ.update(order["environment"])
        time.tzset()
    for name, value in order["rlimits"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # The soft CPU limit is the one that signals; the hard one, a second later, kills what ignores the signal.
        resource.setrlimit(kind, (wanted, wanted + 1 if name == "CPU" and hard == resource.RLIM_INFINITY else wanted))
    if not order["again"]:
        if order["seed"] is not None:
            repeatable.seed_all(order["seed"])
        if order["frozen_time"] is not None:
            repeatable.freeze_clock(order["frozen_time"])


def _limits() -> dict[str, int | None]:
    """The kernel's word on the limits, taken in the process that they bind."""
    read = {}
    for name in ("CPU", "DATA", "AS", "FSIZE", "NOFILE", "NPROC", "CORE"):
        soft = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[0]
        read[name] = None if soft == resource.RLIM_INFINITY else soft
    return read
