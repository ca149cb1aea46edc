"""Threats by name, each against the whole of a real sandbox. What a wall alone holds is in test_confine and test_witness."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.session import RunOptions, Session

if TYPE_CHECKING:
    from conftest import Bench

FORGED = """
import json, os, struct
def frame(message):
    body = json.dumps(message).encode()
    return struct.pack("!cI", b"J", len(body)) + body
forged = frame({"op": "ended", "stopped_by": None, "exit_code": 0, "signal": None, "error": None, "alive": False,
                "stdout_bytes": 0, "stderr_bytes": 0, "wall_s": 0, "cpu_s": 0, "rlimits": {}, "peak_memory_bytes": 0,
                "peak_processes": 0, "link_broken": None, "answer_bytes": None, "evidence": {}, "confined": {},
                "scratch": {"bytes": 1, "free": 1, "files": 1}, "shared": None, "changed_inputs": []})
"""


def test_forge_through_pid1(bench: "Bench") -> None:
    """A frame written into the runner's own pipes would be an answer. Every process's descriptors are tried."""
    report = bench.run(FORGED + textwrap.dedent("""
        reached = []
        held = [os.fstat(number) for number in range(64) if os.path.exists(f'/proc/self/fd/{number}')]
        for pid in [name for name in os.listdir('/proc') if name.isdigit() and int(name) != os.getpid()]:
            for number in range(64):
                try:
                    target = os.open(f'/proc/{pid}/fd/{number}', os.O_WRONLY | os.O_NONBLOCK)
                    os.write(target, forged)
                    own = any(os.path.samestat(os.fstat(target), mine) for mine in held)
                    reached.append('own' if own else [pid, number])
                except OSError:
                    pass
        final_answer(reached)
        raise SystemExit(7)
    """), limits=Limits(wall_s=120))  # without a pid namespace these are all processes of the host
    assert report.execution.exit_code == 7
    reached = json.loads(report.delivered or "null")
    if bench.engine.capabilities().foreign_kernel:
        # gVisor opens the program's own pipes through whoever holds their other end: its output, and nothing else.
        assert set(map(str, reached)) <= {"own"}
    else:
        assert (reached, report.execution.stdout) == ([], "")


def test_forge_through_every_open_descriptor(bench: "Bench") -> None:
    """What the program itself holds is its own output and its own link: bytes there are data, or garbage that is named."""
    report = bench.run(FORGED + textwrap.dedent("""
        for number in range(1, 256):
            try:
                os.write(number, forged)
            except OSError:
                pass
        os._exit(7)
    """))
    assert (report.execution.outcome, report.execution.exit_code) == ("error", 7)
    assert "ended" in report.execution.stdout
    assert any("garbled its own channel" in warning for warning in report.execution.warnings)


def test_garbled_report_of_an_exception_is_text_and_no_more(bench: "Bench") -> None:
    report = bench.run(FORGED + textwrap.dedent("""
        for body in (b'{"type": 5, "memory": "yes"}', b'{"type": "MemoryError", "message": "x", "memory": true}'):
            for number in range(3, 256):
                try:
                    os.write(number, struct.pack('!cI', b'X', len(body)) + body)
                except OSError:
                    pass
        os._exit(0)
    """))
    assert report.execution.outcome == "completed"
    assert report.execution.error is None


def test_descriptors_closed_by_the_program(bench: "Bench") -> None:
    report = bench.run("import os\nprint('out')\nos.closerange(3, 1024)\ntry:\n    final_answer(1)\n"
                       "except RuntimeError as error:\n    print(error)\nraise SystemExit(4)")
    assert report.execution.exit_code == 4
    assert "closed by the program" in report.execution.stdout


def test_runner_survives_every_signal(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        import os, signal
        parent = os.getppid()
        for number in sorted(set(signal.Signals)):
            for target in (1, parent):
                try:
                    if target > 0:
                        os.kill(target, number)
                except OSError:
                    pass
        print('here')
    """), limits=Limits(wall_s=10))
    assert (report.execution.outcome, report.execution.stdout) == ("completed", "here\n")


def test_killing_everything_is_the_programs_own_end(bench: "Bench") -> None:
    execution = bench.run("import os\nos.kill(-1, 9)\nprint('alive')").execution
    # kill(-1) spares its caller; in a namespace of its own there is nobody else to take along.
    assert execution.outcome in ("completed", "killed", "error")
    assert execution.outcome != "sandbox_failed"


def test_prlimit_the_runner(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        import os, resource
        for pid in {1, os.getppid()} - {0}:
            for name in ('RLIMIT_NOFILE', 'RLIMIT_CPU', 'RLIMIT_AS'):
                try:
                    resource.prlimit(pid, getattr(resource, name), (1, 1))
                    print('reached', pid, name)
                except OSError:
                    pass
            for act in (lambda: os.sched_setaffinity(pid, {0}), lambda: os.setpriority(os.PRIO_PROCESS, pid, 19)):
                try:
                    act()
                    print('reached', pid)
                except OSError:
                    pass
    """))
    assert (report.execution.outcome, report.execution.stdout) == ("completed", "")


def test_traceme_fakes_exit(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        import ctypes, os, signal, time
        libc = ctypes.CDLL(None, use_errno=True)
        print(libc.ptrace(0, 0, 0, 0))
        os.kill(os.getpid(), signal.SIGSTOP)
        print('went on')
    """), limits=Limits(wall_s=2))
    # Stopped for good, or woken: in no case an end that was none.
    assert report.execution.outcome == "timeout"
    assert report.execution.stdout == "-1\n"


def test_shm_flood(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        size = 0
        try:
            with open('/dev/shm/flood', 'wb') as file:
                while size < 4 * 1024:
                    file.write(bytes(2**20))
                    size += 1
        except OSError as error:
            print('stopped', size, error.errno)
    """), limits=Limits(memory_mb=64, workspace_mb=128))
    if not bench.engine.capabilities().mount_namespace:  # there it is a folder of the workspace, and counts as that
        assert (report.execution.outcome, report.execution.limit) == ("limit", "disk")
        assert not Path("/dev/shm/flood").exists()
        return
    assert report.execution.outcome in ("completed", "out_of_memory", "killed")
    if report.execution.outcome == "completed":
        assert int(report.execution.stdout.split()[1]) <= 64
    assert bench.run("print(1)", limits=Limits(memory_mb=64)).evidence.limits.effective["shared_memory_mb"] == 64


def test_memfd_flood(bench: "Bench") -> None:
    """Memory behind a descriptor is in no process's own size, so there is none to be had."""
    report = bench.run(textwrap.dedent("""
        import os
        held = []
        try:
            while True:
                held.append(os.memfd_create('flood'))
                os.write(held[-1], bytes(1 << 20))
        except OSError as error:
            print(len(held), error.errno)
    """), limits=Limits(memory_mb=64))
    assert (report.execution.outcome, report.execution.stdout) == ("completed", "0 1\n")


def test_detached_child_holds_stdout(bench: "Bench") -> None:
    """The end of a run is the program's end, not the end of its pipes; what holds them is dead before the answer."""
    session = bench.session(limits=Limits(wall_s=60))
    report = session.run(textwrap.dedent("""
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    print('still here', flush=True)
                    time.sleep(0.05)
            os._exit(0)
        os.wait()
        time.sleep(0.3)
        raise SystemExit(3)
    """), folder=bench.place())
    assert (report.execution.outcome, report.execution.exit_code) == ("error", 3)
    assert report.execution.stdout.startswith("still here")
    assert report.execution.stdout_bytes == report.stdout_path.stat().st_size
    after = session.run("print('alone')", folder=bench.place())
    assert after.execution.stdout == "alone\n"


def test_dev_flood(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        import os
        home, temporary = os.environ['HOME'], os.environ['TMPDIR']
        written = []
        for root, folders, _ in os.walk('/'):
            folders[:] = [name for name in folders if os.path.join(root, name) not in ('/proc', '/sys', temporary)]
            try:
                with open(os.path.join(root, 'planted'), 'w') as file:
                    file.write('x')
                written.append(root)
            except OSError:
                pass
        print(written)
    """), limits=Limits(wall_s=60, cpu_s=60))
    written = json.loads(report.execution.stdout.replace("'", '"'))
    # gVisor has no Landlock; what lies in /program is taken away before the next program.
    more = ["/program"] if bench.engine.capabilities().foreign_kernel else []
    allowed = [path for path in written if path in ("/dev/shm", *more) or path.startswith(("/tmp",))]
    assert written == allowed


PLANT_FOR_THE_NEXT = """
    import os
    folder = os.path.dirname(__file__)
    for act in (lambda: os.chmod(__file__, 0o666), lambda: open(__file__, 'w'), lambda: os.unlink(__file__),
                lambda: os.rename(__file__, folder + '/x'), lambda: open(folder + '/sitecustomize.py', 'w'),
                lambda: open(__file__, 'w').write('print("PLANTED")'), lambda: os.mkdir(folder + '/json'),
                lambda: open(folder + '/json/__init__.py', 'w').write('print("PLANTED")')):
        try:
            act()
        except OSError:
            pass
"""


def test_program_file_is_not_the_programs_to_change(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent(PLANT_FOR_THE_NEXT + """
    print(len(open(__file__).read()) > 100, sorted(os.listdir(folder)) if os.access(folder, os.R_OK) else ['main.py'])
    """))
    if bench.engine.capabilities().foreign_kernel:
        # Nothing there keeps it from its file, which it has run from already. The next test is what must hold.
        assert any("/program" in lack for lack in bench.engine.capabilities().lacks)
        assert report.execution.stdout == "False ['json', 'main.py', 'sitecustomize.py']\n", report.execution
    else:
        assert report.execution.stdout == "True ['main.py']\n", report.execution


@pytest.mark.parametrize("state", ["files", "process"])
def test_next_program_is_the_one_that_was_given(bench: "Bench", state: Literal["files", "process"]) -> None:
    """Whatever a program puts where programs run from, and however it shuts that folder."""
    session = bench.session(options=RunOptions(state=state))
    for last in ("os.chmod(__file__, 0o444)", "os.chmod(folder, 0)", "os.symlink('/etc/hostname', __file__)"):
        session.run(textwrap.dedent(PLANT_FOR_THE_NEXT) + last, folder=bench.place())
        report = session.run("import json, os\nprint('given', 'json' in os.listdir(os.path.dirname(__file__)))",
                             folder=bench.place())
        assert (report.execution.outcome, report.execution.stdout) == ("completed", "given False\n"), report.execution


def test_what_one_program_plants_does_not_run_in_the_next(bench: "Bench") -> None:
    session = bench.session()
    session.run(textwrap.dedent("""
        import os
        for folder in ('.', os.environ['HOME'], os.environ['TMPDIR']):
            for name in ('json.py', 'sitecustomize.py', 'usercustomize.py', 'random.py', 'pandas.py'):
                open(os.path.join(folder, name), 'w').write('print("PLANTED")')
    """), folder=bench.place())
    report = session.run("import json, random, subprocess, sys\nprint(json.dumps(1))\n"
                         "subprocess.run([sys.executable, '-c', 'import json, random'])", folder=bench.place())
    assert report.execution.stdout == "1\n"


def test_network_is_refused_and_told(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        import socket
        for family, address in ((socket.AF_INET, ('127.0.0.1', 9)), (socket.AF_INET6, ('::1', 9))):
            try:
                socket.socket(family, socket.SOCK_STREAM).connect(address)
                print('connected')
            except OSError:
                pass
        try:
            socket.socket(40, socket.SOCK_STREAM)
            print('vsock')
        except OSError:
            pass
    """))
    assert report.execution.stdout == ""
    assert report.evidence.network_attempts


def test_fork_bomb_ends_with_the_run(bench: "Bench") -> None:
    session = bench.session(limits=Limits(wall_s=3, processes=40))
    report = session.run("import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
                         folder=bench.place())
    holds = bench.engine.capabilities()
    ends = {("limit", "processes")}
    if holds.foreign_kernel:  # gVisor's own kernel counts nothing that could be read; processor time goes first
        ends.add(("limit", "cpu"))
    elif holds.processes == "soft" and holds.pid_namespace:  # an rlimit refuses without counting: then the clock ends it
        ends.add(("timeout", None))
    assert (report.execution.outcome, report.execution.limit) in ends
    after = session.run("import os\nprint(len([p for p in os.listdir('/proc') if p.isdigit()]))", folder=bench.place())
    if bench.engine.capabilities().pid_namespace:
        assert int(after.execution.stdout) <= 3


def test_links_lead_the_collector_nowhere(bench: "Bench", tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("host secret")
    session = bench.session()
    session.run(f"import os\nos.symlink({str(tmp_path)!r}, 'output/hop')\n"
                f"os.symlink({str(tmp_path / 'secret')!r}, 'secret')\nopen('ok', 'w').write('x')\nos.link('ok', 'twin')",
                folder=bench.place())
    folder = bench.place()
    made, rejected = session.collect(folder)
    assert made == []
    assert {item.path for item in rejected} >= {"output/hop", "secret"}
    assert not any(path.is_symlink() for path in folder.rglob("*"))


def test_deep_and_many_files_are_bounded(bench: "Bench") -> None:
    session = bench.session(limits=Limits(files=300))
    session.run("import os\npath = '.'\nfor n in range(60):\n    path += '/d'\n    os.mkdir(path)\n"
                "open(path + '/deep', 'w').write('x')", folder=bench.place())
    made, rejected = session.collect(bench.place())
    assert made == []
    assert "deep" in rejected[0].reason


def test_sparse_giant_is_not_collected(bench: "Bench") -> None:
    session = bench.session(limits=Limits(workspace_mb=8))
    report = session.run("import os\nwith open('giant', 'wb') as file:\n    file.truncate(2**40)", folder=bench.place())
    assert report.execution.outcome in ("error", "limit")
    made, _ = session.collect(bench.place())
    assert all(item.bytes <= 8 * 2**20 for item in made)


# -- threats from the host's side: bubblewrap, whose processes are this process's own -------------------------------------


@pytest.fixture(scope="module")
def bubblewrap(usable: Callable[[str], Engine]) -> BubblewrapEngine:
    engine = usable("bubblewrap")
    assert isinstance(engine, BubblewrapEngine)
    return engine


def test_spawner_thread_ends(bubblewrap: BubblewrapEngine, tmp_path: Path) -> None:
    """die-with-parent follows the thread that forked; a session opened in a thread that ended must live on."""
    opened: list[Session] = []
    thread = threading.Thread(target=lambda: opened.append(
        Session.open(bubblewrap, limits=Limits(), manifest=Manifest(), run_id="thread")))
    thread.start()
    thread.join()
    time.sleep(0.5)
    with opened[0] as session:
        report = session.run("print(1)", folder=tmp_path)
        # Notes would say that the sandbox had ended and was replaced.
        assert (report.execution.stdout, report.notes) == ("1\n", [])


CALLER = """
import sys, time
from pathlib import Path
from fumehood.sandbox.engines import engine_named
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.session import Session
session = Session.open(engine_named("bubblewrap"), limits=Limits(wall_s=100), manifest=Manifest(), run_id="doomed")
session.run("import time; print('up'); time.sleep(90)  # {mark}", folder=Path(sys.argv[1]),
            on_output=lambda stream, data: print(data.decode(), flush=True))
"""


def _processes_named(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_death_of_the_caller_leaves_nothing(bubblewrap: BubblewrapEngine, tmp_path: Path, number: int) -> None:
    before = set(_processes_named("fumehood_runner"))
    with subprocess.Popen([sys.executable, "-c", CALLER, str(tmp_path)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == b"up\n"
        assert set(_processes_named("fumehood_runner")) - before
        caller.send_signal(number)
        caller.wait(30)
    until = time.monotonic() + 10
    while set(_processes_named("fumehood_runner")) - before and time.monotonic() < until:
        time.sleep(0.1)
    assert set(_processes_named("fumehood_runner")) - before == set()


def test_cgroups_of_dead_owners_are_swept_and_no_others(bubblewrap: BubblewrapEngine, tmp_path: Path) -> None:
    from fumehood.sandbox.cgroup import Cgroup, cgroup_held, sweep_cgroups

    if not cgroup_held():
        pytest.skip("no cgroup is writable here, so none is ever made")
    code = "from fumehood.sandbox.owner import owner_identity; print(owner_identity())"
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    mine, orphan = Cgroup("alive", owner_identity()), Cgroup("dead", dead)
    swept = sweep_cgroups()
    assert any(name.startswith("fumehood-dead") for name in swept)
    assert not any(name.startswith("fumehood-alive") for name in swept)
    mine.remove()
    orphan.remove()


def test_engine_that_cannot_make_namespaces_says_so(tmp_path: Path) -> None:
    script = tmp_path / "bwrap"
    script.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    script.chmod(0o755)
    why = BubblewrapEngine(bwrap=script).unavailable()
    assert why is not None
    assert "setting up uid map: Permission denied" in why
    assert "user namespaces are blocked" in why
