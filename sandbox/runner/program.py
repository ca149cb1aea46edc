"""Runs in the child: one program as `__main__`, from its file, the way `python main.py` does it."""

import atexit
import builtins
import errno
import gc
import io
import os
import sys
import threading
import traceback
import types
from typing import Any

_compile, _exec = compile, exec
"""Bound before there is a program: one that replaces the names for later steps replaces them for itself."""
_TEXT = 2000
_VALUES = 20
_CAUSES = 10


def new_main() -> types.ModuleType:
    """A `__main__` as the interpreter makes it for a script; pickling and spawn look it up in sys.modules."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __spec__=None, __cached__=None)
    return main


def run_program(main: types.ModuleType, path: str, source: bytes) -> tuple[int, dict[str, Any] | None]:
    """Exit code as the shell would see it, and the exception that ended the program, if one did."""
    main.__dict__["__file__"] = path
    sys.modules["__main__"] = main
    sys.argv = [path]
    try:
        _exec(_compile(source, path, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as exit_request:
        return _exit_code(exit_request, path)
    except BaseException as error:  # the program's own end, whatever it raises
        return 1, _report(error, path)
    return 0, None


def _exit_code(request: SystemExit, path: str) -> tuple[int, dict[str, Any] | None]:
    code = request.code
    if code is None:
        return 0, None
    if isinstance(code, int):
        return code & 0xFF, None
    _print_error(str(code))
    return 1, describe(request, path)


def _report(error: BaseException, path: str) -> dict[str, Any]:
    error.__traceback__ = _own(error.__traceback__)
    described = describe(error, path)
    if len(_message(error)) > 100 * _TEXT:
        # The whole text would only fill the output limit and hide what happened.
        _print_error(described["traceback"])
        return described
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException as second:  # the program's own hook
        _print_error(described["traceback"])
        _print_error(f"and sys.excepthook raised {type(second).__name__}")
    return described


def _own(tb: types.TracebackType | None) -> types.TracebackType | None:
    while tb is not None and tb.tb_frame.f_code.co_filename.startswith("<fumehood_runner"):
        tb = tb.tb_next
    return tb


def describe(error: BaseException, path: str) -> dict[str, Any]:
    """The exception in the program's own coordinates; every text bounded."""
    line, frame = None, None
    for tb, number in traceback.walk_tb(_own(error.__traceback__)):
        if tb.f_code.co_filename == path:
            line, frame = number, tb
    if line is None and isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    chain = _chain(error)
    numbers = [e.errno for e in chain if isinstance(e, OSError) and e.errno is not None]
    return {
        "type": _name(type(error)),
        "message": bounded(_message(error)),
        "line": line,
        "traceback": bounded(_traceback(error)),
        "values": _values(frame),
        "memory": any(isinstance(e, MemoryError) for e in chain),
        "disk": any(n in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT) for n in numbers),
        "processes": any(isinstance(e, BlockingIOError) and e.errno == errno.EAGAIN for e in chain)
        or any(isinstance(e, RuntimeError) and "can't start new thread" in str(e) for e in chain),
    }


def bounded(text: str, limit: int = _TEXT) -> str:
    """Head and tail of a text, with the number of characters between them."""
    if len(text) <= limit:
        return text
    note = f" … {len(text) - limit} characters left out … "
    half = (limit - len(note)) // 2
    return text[:half] + note + text[-half:]


def _name(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException as second:  # the program's own __str__
        return f"<its text cannot be made: {type(second).__name__}>"


def _traceback(error: BaseException) -> str:
    try:
        lines = traceback.TracebackException(type(error), error, _own(error.__traceback__), compact=True).format()
        return "".join(lines)
    except BaseException as second:  # the program's own __str__, or no memory left to write about having none
        return f"{_name(type(error))}: {_message(error)} <its traceback cannot be made: {type(second).__name__}>"


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and len(chain) < _CAUSES:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


def _values(frame: types.FrameType | None) -> dict[str, str]:
    if frame is None:
        return {}
    local = dict(frame.f_locals)
    names = [n for n in local if not n.startswith("__") and not isinstance(local[n], types.ModuleType)]
    return {bounded(name, 100): _kind(local[name]) for name in names[-_VALUES:]}


def _kind(value: object) -> str:
    kind = type(value)
    text = bounded(_name(kind), 100)
    if kind in (list, dict, set, tuple, str, bytes, frozenset, bytearray):
        return f"{text} of {len(value)}"  # type: ignore[arg-type]
    # Only of libraries: an attribute of the program's own classes is the program's code.
    if kind.__module__.partition(".")[0] in ("numpy", "pandas"):
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple):
            return f"{text} {shape}"
    return text


def _print_error(text: str) -> None:
    try:
        print(text, file=sys.stderr)
    except (OSError, ValueError, AttributeError):  # closed or replaced by the program
        return


def wind_up(main: types.ModuleType) -> None:
    """What the interpreter does at its end and `os._exit` does not: threads, atexit, finalizers, unwritten buffers.

    A full finalization of an interpreter with pandas in it takes 50 ms, and only frees what dies anyway.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    _flush(sys.stdout, sys.stderr)
    for name in [n for n in main.__dict__ if not (n.startswith("__") and n.endswith("__"))]:
        main.__dict__[name] = None
    gc.collect()
    # The runner froze what was there before the fork, so these are only what the program made.
    _flush(*[found for found in gc.get_objects() if isinstance(found, (io.TextIOWrapper, io.BufferedWriter,
                                                                      io.BufferedRandom))])
    _flush(sys.stdout, sys.stderr)


def _flush(*streams: Any) -> None:
    for stream in streams:
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # full disk, closed, replaced by the program: as at exit
            continue


def standard_streams() -> None:
    """stdout and stderr as `python -u` has them: what was printed survives whatever comes next."""
    sys.stdin = os.fdopen(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = _unbuffered(1, "surrogateescape")
    sys.stderr = _unbuffered(2, "backslashreplace")
    # The double ones keep alive what a program replaces.
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))


def _unbuffered(number: int, errors: str) -> io.TextIOWrapper:
    raw = os.fdopen(number, "wb", buffering=0, closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, write_through=True)
