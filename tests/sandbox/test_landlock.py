"""The Landlock engine: what stands in for namespaces, attacked; and that nothing of a sandbox outlives it."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.sandbox.engine import LaunchRequest, Requirements
from fumehood.sandbox.landlock import LandlockEngine, sweep_folders
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.runner.keeper import below
from fumehood.sandbox.runner.numbers import numbers
from fumehood.sandbox.session import RunReport, Session

Walled = Callable[..., dict[str, Any]]

FILTER, EVERYTHING = ("filter", "notify"), ("landlock", "filter", "notify")

# -- the walls, in bubblewrap, with the wall taken away for comparison ---------------------------------------------------

ATTACKS = {
    "chmod-outside": (FILTER, "os.chmod('/outside/file', 0o777)"),
    "chmod-outside-by-descriptor": (FILTER, "os.fchmod(os.open('/outside/file', os.O_RDONLY), 0o777)"),
    "chmod-outside-through-a-link": (FILTER, "os.symlink('/outside/file', 'link'); os.chmod('link', 0o777)"),
    "utime-outside": (FILTER, "os.utime('/outside/file', (1, 1))"),
    "utime-outside-by-descriptor": (FILTER, "os.utime(os.open('/outside/file', os.O_RDONLY), (1, 1))"),
    "chown-outside": (FILTER, "os.chown('/outside/file', os.getuid(), os.getgid())"),
    "setxattr-outside": (FILTER, "os.setxattr('/outside/file', 'user.mark', b'x')"),
    "limit-a-bystander": (FILTER, "import resource; resource.prlimit(2, resource.RLIMIT_CPU, (1, 1))"),
    "renice-a-bystander": (FILTER, "os.setpriority(os.PRIO_PROCESS, 2, 19)"),
    "pin-a-bystander": (FILTER, "os.sched_setaffinity(2, {0})"),
    "kill-a-bystander": (EVERYTHING, "os.kill(2, 9)"),
    "kill-all": (EVERYTHING, "os.kill(-1, 0)"),
    "kill-a-bystanders-thread": (EVERYTHING, f"assert call({numbers().get('tgkill')}, 2, 2, 9) == 0"),
    "queue-a-signal": (EVERYTHING, f"assert call({numbers().get('rt_sigqueueinfo')}, 2, 9, (b'\\0' * 8) + "
                                   "b'\\xff\\xff\\xff\\xff' + b'\\0' * 116) == 0"),
    "signal-by-pidfd": (EVERYTHING, "import signal; signal.pidfd_send_signal(os.pidfd_open(2), 9)"),
    "udp": (FILTER, "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"),
    "unix-socket": (FILTER, "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)"),
    "datagram-pair": (FILTER, "import socket; socket.socketpair(type=socket.SOCK_DGRAM)"),
    "shared-memory": (FILTER, f"assert call({numbers().get('shmget')}, 0, 4096, 0o1600) >= 0"),
    "another-program": (EVERYTHING, "import subprocess; subprocess.run(['/bin/true'])"),
    "read-outside": (("landlock",), "open('/closed/file').read()"),
    "list-processes": (("landlock", *FILTER), "assert '2' in os.listdir('/proc') and open('/proc/2/cmdline').read()"),
}


def attempt(body: str) -> str:
    return f"""
try:
    {body}
except (OSError, AssertionError) as error:
    print("HELD", repr(error))
else:
    print("BREACH")
"""


def attack(walled: Walled, name: str, without: tuple[str, ...] = ()) -> dict[str, Any]:
    return walled(attempt(ATTACKS[name][1]), without=without, alone=True, sockets="refuse", bystander=True,
                  readable=("/outside",), execute=("/python/bin", "/usr/lib", "/lib64", "/lib"),
                  files={"/outside/file": "x", "/closed/file": "x"})


@pytest.mark.parametrize("name", ATTACKS)
def test_held(walled: Walled, name: str) -> None:
    told = attack(walled, name)
    assert told["output"].startswith("HELD"), told
    assert told["bystander_lives"]


@pytest.mark.parametrize("name", ATTACKS)
def test_breached_where_the_wall_is_missing(walled: Walled, name: str) -> None:
    assert attack(walled, name, ATTACKS[name][0])["output"].startswith("BREACH")


@pytest.mark.parametrize("name", [name for name in ATTACKS if "bystander" in name or "kill" in name or "signal" in name])
def test_the_filter_alone_holds_signals_where_landlock_is_too_old_for_them(walled: Walled, name: str) -> None:
    told = attack(walled, name, ("landlock",))
    assert told["output"].startswith("HELD"), told
    assert told["bystander_lives"]


def test_a_program_does_with_its_own_files_and_processes_as_it_likes(walled: Walled) -> None:
    told = walled("""
import asyncio, functools, shutil, signal, subprocess, threading
print = functools.partial(print, flush=True)
open("own", "w").write("x")
os.chmod("own", 0o4751); print(oct(os.stat("own").st_mode))
fd = os.open("own", os.O_RDONLY); os.fchmod(fd, 0o640); print(oct(os.stat("own").st_mode))
os.utime("own", (1, 2)); os.utime(fd, ns=(3, 4 * 10**9)); print(os.stat("own").st_mtime)
shutil.copy2("own", "copy"); os.utime("copy"); print(os.stat("copy").st_mtime > 1e9)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
child.terminate(); print(child.wait())
signal.signal(signal.SIGUSR1, lambda *_: print("signalled"))
os.kill(os.getpid(), signal.SIGUSR1); signal.raise_signal(signal.SIGUSR1)
signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
async def later():
    await asyncio.sleep(0.01)
    return "slept"
print(asyncio.run(later()))
print(tried(lambda: os.kill(1, 0)), tried(lambda: os.kill(0, 0)))
os.abort()
""", alone=True, sockets="refuse")
    assert told["output"].split("\n")[:-1] == ["0o100751", "0o100640", "4.0", "True", "-15", "signalled", "signalled",
                                               "signalled", "slept", "errno 1 errno 1"], told
    assert told["signal"] == signal.SIGABRT


def test_sockets_that_are_refused_are_told_by_family(walled: Walled) -> None:
    told = walled("""
import socket
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
    print(tried(lambda: socket.socket(family)))
""", alone=True, sockets="refuse")
    assert told["output"].split("\n")[:3] == [f"errno {errno.ENETUNREACH}"] * 3
    assert {event["family"] for event in told["report"]["network_attempts"]} == {"inet", "inet6", "unix"}


# -- the engine --------------------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def engine() -> LandlockEngine:
    made = LandlockEngine()
    why = made.unavailable()
    if why is not None:
        if "landlock" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
            pytest.fail(why)
        pytest.skip(why)
    return made


@pytest.fixture
def session(engine: LandlockEngine) -> Iterator[Session]:
    with Session.open(engine, limits=Limits(), manifest=Manifest(), run_id="test") as opened:
        yield opened


def run(engine: LandlockEngine, program: str, folder: Path, **limits: Any) -> RunReport:
    with Session.open(engine, limits=Limits(**limits), manifest=Manifest(), run_id="test") as session:
        return session.run(program, folder=folder)


def test_the_host_is_out_of_reach(engine: LandlockEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUMEHOOD_CANARY", "in the environment")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o644)
    before = secret.stat()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        report = run(engine, f"""
import os, socket
def tried(act):
    try:
        return act()
    except OSError as error:
        return error.errno
print([tried(act) for act in (
    lambda: open({str(secret)!r}).read(),
    lambda: open({str(secret)!r}, "a"),
    lambda: os.listdir({str(tmp_path)!r}),
    lambda: os.chmod({str(secret)!r}, 0o600),
    lambda: os.utime({str(secret)!r}, (1, 1)),
    lambda: os.rename({str(secret)!r}, {str(tmp_path / "moved")!r}),
    lambda: os.truncate({str(secret)!r}, 0),
    lambda: open("/etc/passwd").read(),
    lambda: open("/proc/{os.getpid()}/environ").read(),
    lambda: open("/proc/{os.getpid()}/mem", "rb"),
    lambda: os.kill({os.getpid()}, 0),
    lambda: socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 1))])
print("CANARY" in str(os.environ), "CANARY" in str(tried(lambda: open("/proc/self/environ").read())))
""", tmp_path / "run")
        with pytest.raises(TimeoutError):
            server.accept()
    refused, environment = report.execution.stdout.strip().split("\n")
    assert refused == "[13, 13, 13, 1, 1, 13, 13, 13, 13, 13, 1, 101]", report.execution
    assert environment == "False False"
    after = secret.stat()
    assert (after.st_mode, after.st_mtime, after.st_size) == (before.st_mode, before.st_mtime, before.st_size)
    assert str(secret) in {event.path for event in report.evidence.files_read if event.refused}


def test_capabilities_are_honest(engine: LandlockEngine) -> None:
    told = engine.capabilities()
    assert (told.network, told.pid_namespace, told.mount_namespace) == ("filter", False, False)
    assert {told.memory, told.cpu, told.processes, told.disk} == {"soft"}
    assert any("stat()" in lack for lack in told.lacks)
    assert told.lacking(Requirements(hard=["memory"], pid_namespace=True)) != []


DETACH = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("pid", "w").write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
while not os.path.exists("pid") or not open("pid").read():
    time.sleep(0.01)
print(open("pid").read())
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def gone(check: Callable[[], bool], seconds: float = 20.0) -> bool:
    until = time.monotonic() + seconds
    while not check() and time.monotonic() < until:
        time.sleep(0.02)
    return check()


def test_a_detached_child_is_dead_before_the_next_frame(session: Session, tmp_path: Path) -> None:
    report = session.run(DETACH, folder=tmp_path / "one")
    assert report.execution.outcome == "completed", report.execution
    assert not alive(int(report.execution.stdout))


def launched(engine: LandlockEngine) -> Any:
    return engine.launch(LaunchRequest(limits=Limits(), run_id="test", owner=owner_identity()))


def test_when_the_runner_is_killed_nothing_of_it_stays(engine: LandlockEngine, tmp_path: Path) -> None:
    with Session.open(engine, limits=Limits(wall_s=60), manifest=Manifest(), run_id="test") as session:
        seen: list[int] = []

        def kill_the_runner(stream: str, data: bytes) -> None:
            detached = int(data)
            parent = int(Path(f"/proc/{detached}/stat").read_text().rpartition(")")[2].split()[1])
            seen.append(detached)
            os.kill(parent, signal.SIGKILL)  # the orphan's parent is the runner: it is the subreaper

        report = session.run(DETACH + "\ntime.sleep(600)", folder=tmp_path / "run", on_output=kill_the_runner)
    assert report.execution.outcome == "sandbox_failed"
    assert gone(lambda: not alive(seen[0]))


OWNER = f"""
import os, sys, time
from pathlib import Path
from fumehood.sandbox.landlock import LandlockEngine
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.session import Session
session = Session.open(LandlockEngine(), limits=Limits(wall_s=600), manifest=Manifest(), run_id="test")
program = {DETACH!r} + "\\nprint(os.getcwd(), flush=True)\\ntime.sleep(600)"
session.run(program, folder=Path(sys.argv[1]), on_output=lambda stream, data: os.write(1, data))
"""


@pytest.mark.usefixtures("engine")
def test_when_the_owner_is_killed_processes_and_folder_go(tmp_path: Path) -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path / "run")], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    detached, workspace = int(owner.stdout.readline()), Path(owner.stdout.readline().strip())
    assert alive(detached)
    assert workspace.is_dir()
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert gone(lambda: not alive(detached))
    assert gone(lambda: not workspace.parent.parent.exists())


def test_close_leaves_neither_processes_nor_folder(engine: LandlockEngine) -> None:
    sandbox = launched(engine)
    keeper = sandbox._process.pid
    assert gone(lambda: len(below(keeper)) == 1)
    (runner, _), = below(keeper)
    folder = Path(sandbox.scratch).parent
    sandbox.close()
    sandbox.close()
    assert not alive(keeper)
    assert not alive(runner)
    assert not folder.exists()


def test_folders_of_dead_owners_are_swept_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    identity = owner_identity(dead.pid)
    dead.wait()
    for name, owner in (("dead", identity), ("live", owner_identity()), ("foreign", "elsewhere:x/y/z/1/2")):
        (tmp_path / f"fumehood-landlock-{name}").mkdir()
        (tmp_path / f"fumehood-landlock-{name}" / "owner").write_text(owner)
    (tmp_path / "fumehood-landlock-new").mkdir()
    assert [Path(path).name for path in sweep_folders()] == ["fumehood-landlock-dead"]


@pytest.mark.parametrize("program", [
    "for n in range(100): open(f'{n}', 'wb').write(bytes(2**20))",
    "os.mkdir('shut')\nfor n in range(100): open(f'shut/{n}', 'wb').write(bytes(2**20)); os.chmod('shut', 0o700)\n"
    "os.chmod('shut', 0)\ntime.sleep(60)",
    "held = []\nfor n in range(100):\n    held.append(open('one', 'wb')); held[-1].write(bytes(2**20)); os.unlink('one')\n"
    "time.sleep(60)",
    "import mmap\nheld = []\nfor n in range(10):\n    f = open('one', 'w+b'); f.truncate(2**23)\n"
    "    held.append(mmap.mmap(f.fileno(), 0)); held[-1].write(bytes(2**23)); f.close(); os.unlink('one')\ntime.sleep(60)",
], ids=["files", "closed-folder", "deleted-but-open", "deleted-but-mapped"])
def test_the_workspace_is_watched(engine: LandlockEngine, tmp_path: Path, program: str) -> None:
    execution = run(engine, f"import os, time\n{program}", tmp_path / "run", workspace_mb=20, wall_s=30).execution
    assert (execution.outcome, execution.limit) == ("limit", "disk"), execution


def test_too_many_files_and_too_deep_folders_end_a_program(engine: LandlockEngine, tmp_path: Path) -> None:
    many = "for n in range(3000): open(str(n), 'w')"
    deep = "import os, time\nfor n in range(1500): os.mkdir('d'); os.chdir('d')\ntime.sleep(60)"
    for name, program in (("many", many), ("deep", deep)):
        execution = run(engine, program, tmp_path / name, files=1000, wall_s=30).execution
        assert (execution.outcome, execution.limit) == ("limit", "files"), execution


def test_a_fork_bomb_is_stopped_and_gone(engine: LandlockEngine, tmp_path: Path) -> None:
    execution = run(engine, "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", tmp_path / "run",
                    processes=20, wall_s=20).execution
    assert (execution.outcome, execution.limit) == ("limit", "processes"), execution


def test_two_sandboxes_do_not_see_each_other(engine: LandlockEngine, tmp_path: Path) -> None:
    with Session.open(engine, limits=Limits(), manifest=Manifest(), run_id="one") as one:
        one.run("open('mine', 'w').write('x')", folder=tmp_path / "one")
        place = one.run("import os; print(os.getcwd())", folder=tmp_path / "where").execution.stdout.strip()
        report = run(engine, f"open('{place}/mine').read()", tmp_path / "two")
        assert report.execution.error is not None
        assert report.execution.error.type == "PermissionError"
