"""inspect-ai's own conformance suite for sandboxes, over the engines whose sandboxes hold a shell: the suite drives one.

bubblewrap and Landlock sandboxes hold a Python and nothing else to execute.
inspect-ai is in a dependency group of its own, `make sandbox SYNC="--group conformance"`; where it is installed, this runs.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.engines import engine_named
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.session import RunReport, Session

if os.environ.get("FUMEHOOD_REQUIRE_INSPECT") != "1":
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: uv sync --group conformance")
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
)
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

pytestmark = pytest.mark.anyio

CANNOT = {"test_exec_as_user": "programs are one unprivileged user; there is no root to add another",
          "test_exec_input_large": "standard input is handed over whole, as a file of at most 8 MB"}

_PIECE = 4 * 1024 * 1024
_FILE = """
import os, sys
mode, path = sys.argv[1:]
try:
    if mode == "read":
        with open(path, "rb") as file: sys.stdout.buffer.write(file.read())
    elif mode == "size":
        print(os.stat(path).st_size)
    else:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, mode) as file: file.write(sys.stdin.buffer.read())
except (FileNotFoundError, NotADirectoryError): sys.exit(41)
except PermissionError: sys.exit(42)
except IsADirectoryError: sys.exit(43)
"""
_ERRORS = {41: FileNotFoundError, 42: PermissionError, 43: IsADirectoryError}


class FumehoodEnvironment(SandboxEnvironment):  # type: ignore[misc]
    """A session as inspect-ai wants to see one."""

    def __init__(self, session: Session, folder: Path) -> None:
        self._session = session
        self._folder = folder
        self._count = 0

    def _execute(self, argv: list[str], stdin: bytes, limits: Limits | None = None, **more: Any) -> RunReport:
        self._count += 1
        return self._session.execute(argv, folder=self._folder / str(self._count), stdin=stdin, limits=limits, **more)

    async def exec(self, cmd: list[str], input: str | bytes | None = None, cwd: str | None = None,
                   env: dict[str, str] | None = None, user: str | None = None, timeout: int | None = None,
                   timeout_retry: bool = True, concurrency: bool = True) -> Any:
        if user is not None:
            raise SandboxUserUnsupportedError(f"there is no user {user}")
        stdin = input.encode() if isinstance(input, str) else input or b""
        limits = Limits(wall_s=timeout, output_kb=100_000) if timeout else None
        report = await asyncio.to_thread(self._execute, cmd, stdin, limits, cwd=cwd, environment=env)
        execution = report.execution
        if execution.outcome == "timeout":
            raise TimeoutError(execution.message)
        code = 128 + execution.signal if execution.signal else execution.exit_code
        if code == 126 and execution.stderr == f"{cmd[0]}: Permission denied\n":
            raise PermissionError(execution.stderr)
        assert code is not None, execution
        return ExecResult(success=code == 0, returncode=code, stdout=report.stdout_path.read_bytes().decode(),
                          stderr=report.stderr_path.read_bytes().decode())

    async def write_file(self, file: str, contents: str | bytes) -> None:
        data = contents.encode() if isinstance(contents, str) else contents
        for start in range(0, max(1, len(data)), _PIECE):
            await self._file("ab" if start else "wb", file, data[start:start + _PIECE])

    async def read_file(self, file: str, text: bool = True) -> Any:
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        if int(await self._file("size", file)) > limit:
            raise OutputLimitExceededError(limit_str=SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, truncated_output=None)
        data = await self._file("read", file)
        return data.decode() if text else data

    async def _file(self, mode: str, path: str, stdin: bytes = b"") -> bytes:
        report = await asyncio.to_thread(self._execute, ["python3", "-I", "-c", _FILE, mode, path], stdin)
        code = report.execution.exit_code
        if code in _ERRORS:
            raise _ERRORS[code](f"{path}: {'is a directory' if code == 43 else _ERRORS[code].__name__}")
        assert code == 0, report.execution
        return report.stdout_path.read_bytes()

    @classmethod
    async def sample_cleanup(cls, task_name: str, config: Any, environments: Any, interrupted: bool) -> None:
        """Nothing: the fixture closes the session."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", params=["docker", "docker:runsc"])
def engine(request: pytest.FixtureRequest) -> Engine:
    found = engine_named(request.param)
    why = found.unavailable()
    if why is not None:
        if request.param in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
            pytest.fail(f"{request.param} is required and not available: {why}")
        pytest.skip(why)
    return found


@pytest.fixture
def workplace(engine: Engine, tmp_path: Path) -> Iterator[FumehoodEnvironment]:
    limits = Limits(wall_s=60, cpu_s=60, memory_mb=1024, workspace_mb=256, output_kb=100_000)
    with Session.open(engine, limits=limits, manifest=Manifest(), run_id=f"inspect-{os.urandom(3).hex()}") as session:
        yield FumehoodEnvironment(session, tmp_path)


@pytest.fixture
async def sandbox_env(request: pytest.FixtureRequest, workplace: FumehoodEnvironment) -> FumehoodEnvironment:
    name = getattr(request.node, "originalname", "")
    if name in CANNOT:
        request.node.add_marker(pytest.mark.xfail(reason=CANNOT[name], strict=True))
    return workplace
