"""Hostile programs with no gate before them: what each must not reach, on every engine.

`tests/corpus/malicious` holds those that the gate refuses, `tests/corpus/contained` those that it may let pass. They say
themselves what they reached (`VERDICT: BREACH`); what they say is not believed alone: secrets lie on the host's disk, in
its environment, on its loopback and in its process table, and nothing of them may show or change. Two programs at a time.
"""

import json
import os
import re
import resource
import secrets
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from docker.errors import DockerException
from fumehood.sandbox.daemon import OWNER_LABEL
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.evidence import Artifact
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import InputFile, Manifest
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.session import RunReport, Session

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
TOKEN = secrets.token_hex(8)
LIMITS = Limits(wall_s=3, cpu_s=6, memory_mb=256, processes=32, workspace_mb=32, files=500, output_kb=256)
GRACE_S = 30.0
"""For starting, answering and taking apart on a host that others use too."""
SALES = b"region,amount\nnorth,3\nsouth,4\n"
PORTS = (8000, 2375)
"""Loopback ports that programs of the corpus name."""

CANARY = f"""
import os
print('clean', sorted(os.listdir('.')), sorted(os.listdir('inputs')), open('inputs/sales.csv').read() == {SALES.decode()!r})
"""
CLEAN = "clean ['inputs', 'output'] ['sales.csv'] True\n"
AFTERWARDS = """
import csv, json, random, subprocess, sys
print('PLANTED' if hasattr(csv, 'planted') else 'after', open('inputs/sales.csv').read().count('north,3'))
print(subprocess.run([sys.executable, '-c', 'import csv, random; print(1)'], capture_output=True, text=True).stdout)
"""
WITH_NUMPY = "import numpy\nprint(numpy.arange(3).sum())\n"

LISTS_WHAT_IS_ITS_OWN = {
    "235_delete_inputs": "its copies of the inputs: they are put back, and it is told",
    "236_poison_input_csv": "its copies of the inputs: they are put back, and it is told",
    "329_probe_inherited_fds": "its own two channels to the runner",
}
LACKED = {("328_probe_processes", "landlock"): "which processes run", ("320_probe_uid", "landlock"): "runs as root"}
"""A probe whose finding an engine's capabilities name as what it lacks here, in these words (docs/threats.md)."""
LEFT_TOO_MUCH = {("224_deep_directories", "landlock"): ("limit", "files")}
"""Where a program's files count against the limit that the next one has too, and no file system forgets them."""


def programs() -> dict[str, str]:
    found = {path.stem: path.read_text("utf-8") for folder in ("malicious", "contained")
             for path in (CORPUS / folder).glob("*.py")}
    found["425_many_matches"] = ("# kind: scanner-exhaustion; want: deny; why: more matches than a scanner reports\n"
                                 "import os\nos.system('echo REACHED')\n" + "x = os.system if 0 else None\n" * 9000)
    return dict(sorted(found.items()))


PROGRAMS = programs()


@dataclass
class Host:
    """What a program must not find, and what is there afterwards if it did not."""

    secret: Path
    sleeper: subprocess.Popen[bytes]
    listeners: list[socket.socket]
    reached: list[str] = field(default_factory=list)
    at_first: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path) -> "Host":
        secret = folder / f"secret-{TOKEN}.txt"
        secret.write_text(f"content {TOKEN}")
        secret.chmod(0o666)
        sleeper = subprocess.Popen(["sleep", "3600.125"], env={"FUMEHOOD_CANARY": TOKEN})
        host = cls(secret, sleeper, [])
        for port in (0, *PORTS):
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:  # somebody's server is there; it is no canary of ours
                listener.close()
                continue
            listener.listen()
            host.listeners.append(listener)
            threading.Thread(target=host._count, args=(listener,), daemon=True).start()
        host.at_first = host.state()
        return host

    def _count(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, address = listener.accept()
                self.reached.append(f"{address} at {listener.getsockname()}")
                connection.close()

    def state(self) -> dict[str, Any]:
        status = self.secret.stat()
        pid = self.sleeper.pid
        limits = Path(f"/proc/{pid}/limits").read_text()
        return {"content": self.secret.read_text(), "mode": status.st_mode, "changed": status.st_mtime_ns,
                "attributes": status.st_ctime_ns, "beside": sorted(path.name for path in self.secret.parent.iterdir()),
                "running": self.sleeper.poll(), "nice": os.getpriority(os.PRIO_PROCESS, pid), "limits": limits,
                "processors": os.sched_getaffinity(pid), "environment": os.environ.get("FUMEHOOD_CANARY")}

    def close(self) -> None:
        self.sleeper.kill()
        self.sleeper.wait()
        for listener in self.listeners:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()


@dataclass(frozen=True)
class Seen:
    """One program and what came after it."""

    before: str
    report: RunReport
    wall_s: float
    output: bytes
    artifacts: list[Artifact]
    contents: list[bytes]
    links: list[Path]
    after: RunReport | None


class Campaign:
    """The programs that were selected, in sandboxes of one engine."""

    def __init__(self, engine: Engine, folder: Path, host: Host) -> None:
        self.engine = engine
        self.host = host
        self._folder = folder
        self._manifest = self._inputs()
        self._pool = ThreadPoolExecutor(2)
        self._futures: dict[str, Future[Seen]] = {}

    def _inputs(self) -> Manifest:
        import hashlib

        source = self._folder / "sales.csv"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(SALES)
        return Manifest(inputs=[InputFile(name="inputs/sales.csv", source=str(source), bytes=len(SALES),
                                          sha256=hashlib.sha256(SALES).hexdigest())])

    def start(self, names: list[str]) -> None:
        for name in names:
            self._futures[name] = self._pool.submit(self._run, name)

    def seen(self, name: str) -> Seen:
        return self._futures[name].result()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _run(self, name: str) -> Seen:
        folder, code = self._folder / name, PROGRAMS[name]
        with Session.open(self.engine, limits=LIMITS, manifest=self._manifest, run_id=f"corpus-{TOKEN}") as session:
            # The sandbox before this one was a hostile program's.
            before = session.run(CANARY, folder=folder / "before").execution
            begin = time.monotonic()
            report = session.run(code, folder=folder / "run")
            wall_s = time.monotonic() - begin
            stored = folder / "collected"
            artifacts = session.collect(stored)[0] if session.alive else []
            paths = [path for path in stored.rglob("*") if not path.is_dir() or path.is_symlink()]
            after = None
            if "PLANT" in code or name in LISTS_WHAT_IS_ITS_OWN:
                after = session.run(AFTERWARDS + (WITH_NUMPY if "numpy" in code else ""), folder=folder / "after",
                                    limits=LIMITS.model_copy(update={"wall_s": 20.0}))
        return Seen(before=f"{before.stdout}{before.stderr}", report=report, wall_s=wall_s,
                    output=report.stdout_path.read_bytes() + report.stderr_path.read_bytes(), artifacts=artifacts,
                    contents=[path.read_bytes() for path in paths if path.is_file() and not path.is_symlink()],
                    links=[path for path in paths if not path.is_file() or path.is_symlink()], after=after)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    os.environ["FUMEHOOD_CANARY"] = TOKEN
    made = Host.make(tmp_path_factory.mktemp("host"))
    yield made
    made.close()
    del os.environ["FUMEHOOD_CANARY"]


@pytest.fixture(scope="module")
def campaign(engine: Engine, host: Host, tmp_path_factory: pytest.TempPathFactory,
             request: pytest.FixtureRequest) -> Iterator[Campaign]:
    made = Campaign(engine, tmp_path_factory.mktemp("corpus"), host)
    selected = {item.callspec.params["name"] for item in request.session.items
                if item.path == Path(__file__) and isinstance(item, pytest.Function) and hasattr(item, "callspec")
                and "name" in item.callspec.params}
    made.start([name for name in PROGRAMS if name in selected])
    yield made
    made.close()


def breaches(name: str, engine: Engine, output: str) -> list[str]:
    """What a program says it has reached and should not have."""
    said = re.findall(r"VERDICT:? BREACH[^\n]*", output)
    lacked = LACKED.get((name, engine.name))
    if said and lacked is not None and any(lacked in lack for lack in engine.capabilities().lacks):
        return []
    if name == "322_probe_nnp_seccomp" and engine.capabilities().foreign_kernel:
        # gVisor's /proc does not tell of it; `floor_probe` asks by prctl and refuses a runtime where it is off.
        return [text for text in said if text != "VERDICT: BREACH ['NoNewPrivs']"]
    if name == "329_probe_inherited_fds":
        kinds = re.findall(r"'\d+', '(\w+):", " ".join(said))
        return [] if sorted(kinds) == ["pipe", "socket"] or not said else said
    return [] if name in LISTS_WHAT_IS_ITS_OWN else said


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_contained(campaign: Campaign, name: str) -> None:
    seen = campaign.seen(name)
    execution = seen.report.execution
    output = seen.output.decode("utf-8", "replace")
    assert seen.before == CLEAN
    assert breaches(name, campaign.engine, output) == []
    assert execution.outcome != "sandbox_failed", execution
    assert seen.wall_s <= LIMITS.wall_s + GRACE_S
    for content in (seen.output, json.dumps([item.path for item in seen.artifacts]).encode(), *seen.contents):
        assert TOKEN.encode() not in content
    assert seen.links == []
    if seen.after is not None and (name, campaign.engine.name) in LEFT_TOO_MUCH:
        assert (seen.after.execution.outcome, seen.after.execution.limit) == LEFT_TOO_MUCH[name, campaign.engine.name]
    elif seen.after is not None:
        assert (seen.after.execution.outcome, seen.after.execution.stdout.split()[:3]) == (
            "completed", ["after", "1", "1"]), seen.after.execution
        assert "PLANTED" not in seen.after.execution.stdout + seen.after.execution.stderr
    expected = re.search(r"^# expect: (.*)$", PROGRAMS[name], re.MULTILINE)
    no_shell = execution.error is not None and execution.error.message.endswith("'sh'")
    if expected is not None and expected[1] == "timeout" and not no_shell:
        assert execution.outcome in ("timeout", "limit", "out_of_memory"), execution


def test_host_is_as_it_was(campaign: Campaign, host: Host) -> None:
    """After all of them: secrets, loopback and processes of the host untouched, nothing of ours left."""
    for name in list(PROGRAMS):
        with suppress(KeyError, OSError):
            campaign.seen(name)
    campaign.close()
    assert host.reached == []
    assert host.at_first["content"] == f"content {TOKEN}"
    assert host.state() == host.at_first
    until = time.monotonic() + GRACE_S
    while left_behind(campaign.engine) and time.monotonic() < until:
        time.sleep(0.2)
    assert left_behind(campaign.engine) == []


@pytest.mark.parametrize("touch", [
    lambda host: host.secret.write_text("other"), lambda host: host.secret.chmod(0o600),
    lambda host: os.utime(host.secret, (1, 1)), lambda host: (host.secret.parent / "new").write_text(""),
    lambda host: host.sleeper.terminate(), lambda host: os.setpriority(os.PRIO_PROCESS, host.sleeper.pid, 19),
    lambda host: resource.prlimit(host.sleeper.pid, resource.RLIMIT_CPU, (100, 100)),
    lambda host: os.sched_setaffinity(host.sleeper.pid, {min(os.sched_getaffinity(0))}),
], ids=["written", "mode", "times", "beside", "ended", "priority", "limits", "processors"])
def test_canary_tells_when_it_is_touched(touch: Callable[[Host], object], tmp_path: Path) -> None:
    """With no sandbox in between: what the campaign looks at does change when somebody gets there."""
    host = Host.make(tmp_path)
    try:
        touch(host)
        until = time.monotonic() + GRACE_S
        while not touched(host) and time.monotonic() < until:
            time.sleep(0.05)
        assert touched(host)
    finally:
        host.close()


def touched(host: Host) -> bool:
    try:
        return host.state() != host.at_first
    except (ProcessLookupError, FileNotFoundError):  # it is gone, and so are its files in /proc
        return True


def test_canary_port_tells_when_it_is_reached(tmp_path: Path) -> None:
    host = Host.make(tmp_path)
    try:
        socket.create_connection(host.listeners[0].getsockname()).close()
        until = time.monotonic() + GRACE_S
        while not host.reached and time.monotonic() < until:
            time.sleep(0.05)
        assert len(host.reached) == 1
    finally:
        host.close()


def left_behind(engine: Engine) -> list[str]:
    """Sandboxes of this process that are still there in any form."""
    found = [f"cgroup {path}" for path in Path("/sys/fs/cgroup").glob(f"**/fumehood-corpus-{TOKEN}*")]
    found += [f"folder {path.parent}" for path in Path("/tmp").glob("fumehood-landlock-*/owner")
              if _text(path) == owner_identity()]
    found += [f"mount {line}" for line in Path("/proc/self/mountinfo").read_text().splitlines() if TOKEN in line]
    found += [f"process {pid}" for pid in _runners_below(os.getpid())]
    if isinstance(engine, DockerEngine):
        try:
            containers = engine.daemon.api().containers(
                all=True, quiet=True, filters={"label": f"{OWNER_LABEL}={owner_identity()}"})
        except DockerException as error:
            pytest.fail(f"the daemon does not tell which containers there are: {error}")
        found += [f"container {entry['Id']}" for entry in containers]
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _runners_below(top: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            line = _text(entry / "stat")
            if line:
                parents[int(entry.name)] = int(line.rpartition(")")[2].split()[1])
    below = []
    for pid in parents:
        above = pid
        while above in parents and above != top:
            above = parents[above]
        if above == top and pid != top and "fumehood_runner" in _text(Path(f"/proc/{pid}/cmdline")):
            below.append(pid)
    return below
