"""The Docker engine's walls, each attacked from inside a real container, and every way a daemon can be unusable."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.sandbox import docker as docker_module
from fumehood.sandbox.cgroup_files import CgroupFiles
from fumehood.sandbox.daemon import OWNER_LABEL, RUN_LABEL, Daemon, sweep
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.engine import LaunchRequest
from fumehood.sandbox.errors import BadRequest, EngineUnavailable, LimitsNotEnforced
from fumehood.sandbox.floor import RUNNER_MB, RUNNER_TASKS, check_overrides, processors
from fumehood.sandbox.floor_probe import measure_floor
from fumehood.sandbox.image_record import BUILD_COMMAND, LABEL_PYTHON
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.owner import owner_identity
from fumehood.sandbox.session import Session

pytestmark = pytest.mark.docker

_PREAMBLE = """
import ctypes, errno, json, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    return "ok" if result >= 0 else errno.errorcode[ctypes.get_errno()]
def tried(act, *arguments):
    try:
        act(*arguments)
        return "ok"
    except OSError as error:
        return errno.errorcode[error.errno]
def tell(value):
    sys.stdout.write(json.dumps(value) + "\\n"); sys.stdout.flush()
"""


def usable(name: str) -> DockerEngine:
    """The engine, or a skip; a failure where FUMEHOOD_REQUIRE_ENGINES asks for it."""
    engine = DockerEngine(name.partition(":")[2] or None)
    reason = engine.unavailable()
    if reason is None:
        return engine
    if name in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
        pytest.fail(f"{name} is required and not available: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="module")
def engine() -> DockerEngine:
    return usable("docker")


@pytest.fixture(scope="module", params=["docker", "docker:runsc"])
def any_engine(request: pytest.FixtureRequest) -> DockerEngine:
    return usable(request.param)


def asking(**limits: Any) -> LaunchRequest:
    return LaunchRequest(limits=Limits(**limits), run_id=f"test-{uuid.uuid4().hex[:8]}", owner=owner_identity())


def inside(engine: DockerEngine, code: str, request: LaunchRequest | None = None, seconds: float = 60) -> Any:
    """What the attack told, as JSON, from a container on the engine's floor."""
    sandbox = engine.start_command(request or asking(), engine.image(),
                                   [engine.image().executable, "-I", "-B", "-c", _PREAMBLE + code])
    timer = threading.Timer(seconds, sandbox.kill)
    timer.start()
    try:
        said = b"".join(iter(lambda: sandbox.stdout.read(65536), b""))
        assert said, sandbox.diagnose()
        return json.loads(said)
    finally:
        timer.cancel()
        sandbox.close()


def containers_of(request: LaunchRequest) -> list[dict[str, Any]]:
    return Daemon().api().containers(all=True, filters={"label": f"{RUN_LABEL}={request.run_id}"})


# Walls


# What each would give away stands in the profile and its reasons; each is tried, in one container.
_REFUSED = {
    "AF_VSOCK, in a VM guest the way to its host": "call(41, 40, 1, 0)",
    "AF_NETLINK": "call(41, 16, 3, 0)",
    "AF_PACKET": "call(41, 17, 3, 0)",
    "AF_ALG": "call(41, 38, 5, 0)",
    "AF_BLUETOOTH": "call(41, 31, 5, 0)",
    "AF_XDP": "call(41, 44, 3, 0)",
    "AF_VSOCK behind a set upper half": "call(41, 0x100000028, 1, 0)",
    "socketpair of another family": "call(53, 40, 1, 0, 0)",
    "io_uring_setup": "call(425, 8, ctypes.create_string_buffer(256))",
    "memfd_create": "call(319, b'x', 0)",
    "memfd_secret": "call(447, 0)",
    "ptrace TRACEME": "call(101, 0, 0, 0, 0)",
    "process_vm_readv": "call(310, 1, 0, 0, 0, 0, 0)",
    "process_vm_writev": "call(311, 1, 0, 0, 0, 0, 0)",
    "kcmp": "call(312, 1, 1, 0, 0, 0)",
    "userfaultfd": "call(323, 0)",
    "bpf": "call(321, 0, 0, 0)",
    "perf_event_open": "call(298, 0, 0, -1, -1, 0)",
    "keyctl": "call(250, 0, -3, 0, 0, 0)",
    "add_key": "call(248, b'user', b'k', b'v', 1, -3)",
    "unshare of a user namespace": "call(272, 0x10000000)",
    "clone into a user namespace": "call(56, 0x10000011, 0, 0, 0, 0)",
    "setns": "call(308, 0, 0)",
    "mount": "call(165, b'a', b'/tmp', b'tmpfs', 0, 0)",
    "pivot_root": "call(155, b'/', b'/')",
    "chroot": "call(161, b'/tmp')",
    "name_to_handle_at": "call(303, -100, b'/', 0, 0, 0)",
    "open_by_handle_at": "call(304, -100, 0, 0)",
    "fanotify_init": "call(300, 0, 0)",
    "execveat": "call(322, -100, b'/bin/sh', 0, 0, 0)",
    "setxattr": "call(188, b'/tmp', b'user.a', b'b', 1, 0)",
    "chown": "call(92, b'/tmp', 0, 0)",
    "setuid": "call(105, 0)",
    "shmget": "call(29, 0, 4096, 0x3b6)",
    "mq_open": "call(240, b'/q', 0x42, 0x1b6, 0)",
    "init_module": "call(175, 0, 0, b'')",
    "reboot": "call(169, 0, 0, 0, 0)",
    "clock_settime": "call(227, 0, 0)",
    "mknod of a device": "call(133, b'/tmp/n', 0x2180, 0x103)",
    "personality": "call(135, 0xffffffff)",
}


@pytest.fixture(scope="module")
def answers(engine: DockerEngine) -> dict[str, str]:
    tries = "\n".join(f"seen[{what!r}] = {attempt}" for what, attempt in _REFUSED.items())
    told: dict[str, str] = inside(engine, f"seen = {{}}\n{tries}\ntell(seen)")
    return told


@pytest.mark.parametrize("what", _REFUSED)
def test_a_system_call_that_no_analysis_needs_is_refused(answers: dict[str, str], what: str) -> None:
    assert answers[what] in {"EPERM", "ENOSYS"}


def test_a_call_by_another_architectures_number_ends_the_program(engine: DockerEngine) -> None:
    """A filter by number that forgot x32 would let it pass."""
    sandbox = engine.start_command(asking(), engine.image(), [
        engine.image().executable, "-I", "-c", _PREAMBLE + "tell(call(0x40000000 | 41, 2, 1, 0))"])
    try:
        assert sandbox.stdout.read(100) == b""
        assert "exit code 159" in sandbox.diagnose()
    finally:
        sandbox.close()


def test_what_runner_and_libraries_need_is_allowed(engine: DockerEngine) -> None:
    answers = inside(engine, """
import asyncio, multiprocessing.shared_memory, socket, threading
families = {f: tried(socket.socket, getattr(socket, f), socket.SOCK_STREAM) for f in ("AF_UNIX", "AF_INET", "AF_INET6")}
tell({**families, "pair": tried(socket.socketpair), "pidfd": tried(os.pidfd_open, os.getpid()),
      "landlock": call(444, 0, 0, 1), "notify": call(317, 3, 0, ctypes.create_string_buffer(6)),
      "asyncio": asyncio.run(asyncio.sleep(0, "ok")), "fork": tried(lambda: os.waitpid(os.fork() or os._exit(0), 0)),
      "fifo": tried(os.mkfifo, "/tmp/pipe"), "link": tried(os.symlink, "a", "/tmp/link")})
""")
    assert set(answers.values()) == {"ok"}, answers


def test_no_network_but_its_own_loopback(any_engine: DockerEngine) -> None:
    seen = inside(any_engine, """
import socket
def reach(host, port):
    s = socket.socket(); s.settimeout(3); return tried(s.connect, (host, port))
listener = socket.create_server(("127.0.0.1", 0))
tell({"interfaces": sorted(name for _, name in socket.if_nameindex()) if os.uname().release != "4.4.0" else ["lo"],
      "out": [reach("1.1.1.1", 53), reach("172.17.0.1", 2375), reach("169.254.169.254", 80)],
      "own": reach("127.0.0.1", listener.getsockname()[1])})
""".replace("socket.if_nameindex()", "enumerate(os.listdir('/sys/class/net'))"))
    assert seen["interfaces"] == ["lo"]
    assert seen["own"] == "ok"
    assert set(seen["out"]) <= {"ENETUNREACH", "EHOSTUNREACH"}, seen


def test_the_hosts_loopback_is_out_of_reach(any_engine: DockerEngine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as canary:
        port = canary.getsockname()[1]
        attempt = f"import socket\ntell(tried(socket.socket().connect, ('127.0.0.1', {port})))"
        assert inside(any_engine, attempt) == "ECONNREFUSED"
        canary.settimeout(0)
        with pytest.raises(BlockingIOError):
            canary.accept()


def test_programs_are_nobody_without_capabilities(any_engine: DockerEngine) -> None:
    seen = inside(any_engine, """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
tell({"ids": [os.getresuid(), os.getresgid(), os.getgroups()],
      "caps": [int(status[n], 16) for n in ("CapEff", "CapPrm", "CapInh", "CapBnd")],
      "no_new_privs": libc.prctl(39, 0, 0, 0, 0), "pid": os.getpid(), "become_root": tried(os.setuid, 0)})
""")
    assert seen["ids"] == [[65534] * 3, [65534] * 3, [65534]]
    assert seen["caps"] == [0, 0, 0, 0]
    assert (seen["no_new_privs"], seen["pid"], seen["become_root"]) == (1, 1, "EPERM")


def test_nothing_of_the_root_can_be_written(any_engine: DockerEngine) -> None:
    seen = inside(any_engine, """
places = ["/", "/etc", "/usr", "/usr/lib", "/usr/bin", "/var", "/var/tmp", "/root", "/home", "/opt", "/dev", "/proc",
          "/sys", "/run"]
tell({p: tried(os.open, p + "/written", os.O_CREAT | os.O_WRONLY) for p in places})
""")
    assert "ok" not in seen.values(), seen


@pytest.mark.parametrize("place", ["/tmp", "/program", "/dev/shm"])
def test_every_writable_place_is_bounded_in_bytes(any_engine: DockerEngine, place: str) -> None:
    seen = inside(any_engine, f"""
def fill():
    for n in range(40):
        with open("{place}/fill%d" % n, "wb") as f: f.write(bytes(4 << 20))
tell([tried(fill), sum(e.stat().st_size for e in os.scandir("{place}")) >> 20])
""", asking(workspace_mb=32, memory_mb=64))
    assert seen[0] in {"ENOSPC", "EFBIG"}, seen
    assert seen[1] <= 64


def test_files_are_bounded_in_number(engine: DockerEngine) -> None:
    answer, made = inside(engine, """
made = 0
def fill():
    global made
    while made < 5000: open("/tmp/f%d" % made, "w").close(); made += 1
tell([tried(fill), made])
""", asking(files=200))
    assert answer == "ENOSPC"
    assert 200 <= made <= 300


def test_a_file_larger_than_the_workspace_cannot_be_pretended(engine: DockerEngine) -> None:
    assert inside(engine, """
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
tell(tried(os.truncate, open("/tmp/sparse", "w").name, 1 << 40))
""", asking(workspace_mb=16)) == "EFBIG"


def test_nothing_written_can_be_executed(engine: DockerEngine) -> None:
    assert inside(engine, """
import shutil
shutil.copy(sys.executable, "/tmp/python"); os.chmod("/tmp/python", 0o755)
tell(tried(os.execv, "/tmp/python", ["python", "-c", "print(1)"]))
""") == "EACCES"


def test_shared_memory_follows_the_memory_limit(engine: DockerEngine) -> None:
    """A fixed /dev/shm of 64 MB ends programs by SIGBUS without a word."""
    assert inside(engine, """
from multiprocessing import shared_memory
m = shared_memory.SharedMemory(create=True, size=100 << 20)
for i in range(0, m.size, 4096): m.buf[i] = 1
m.unlink()
tell("filled")
""", asking(memory_mb=256)) == "filled"


def test_a_fork_bomb_stops_at_the_limit(engine: DockerEngine) -> None:
    made, answer = inside(engine, """
made = 0
def bomb():
    global made
    while made < 2000:
        if os.fork() == 0: time.sleep(30); os._exit(0)
        made += 1
answer = tried(bomb)
tell([made, answer])
os.kill(-1, 9)
""", asking(processes=20))
    assert answer == "EAGAIN"
    assert made <= 20 + RUNNER_TASKS


def test_the_process_table_holds_nobody_else(any_engine: DockerEngine) -> None:
    assert inside(any_engine, "tell([n for n in os.listdir('/proc') if n.isdigit()])") == ["1"]


def test_the_hosts_environment_and_files_stay_outside(any_engine: DockerEngine, monkeypatch: pytest.MonkeyPatch,
                                                      tmp_path: Path) -> None:
    monkeypatch.setenv("CANARY_SECRET", "canary-7f3a")
    (tmp_path / "canary").write_text("canary-7f3a")
    seen = inside(any_engine, f"""
tell([open("/proc/1/environ").read(), tried(open, {str(tmp_path / "canary")!r}), tried(open, "/var/run/docker.sock")])
""")
    assert "canary-7f3a" not in seen[0]
    assert seen[1:] == ["ENOENT", "ENOENT"]


# Limits: held, and read back from the kernel


def test_memory_is_held_by_the_kernel_and_its_counter_proves_it(any_engine: DockerEngine) -> None:
    sandbox = any_engine.start_command(asking(memory_mb=64), any_engine.image(), [
        any_engine.image().executable, "-I", "-c", "x = bytearray(1 << 20)\nwhile True: x += bytes(1 << 20)"])
    try:
        assert sandbox.stdout.read(1) == b""
        assert sandbox.out_of_memory() is True
        assert "memory limit" in sandbox.diagnose()
        # The daemon's report is there whichever of the two, end or memory, it heard of first.
        assert any_engine.daemon.memory_limit_hit(sandbox.id, within_s=3)
        assert not any_engine.daemon.memory_limit_hit("f" * 64, within_s=0.1)
    finally:
        sandbox.close()
    assert sandbox.out_of_memory() is True


def test_a_killed_sandbox_is_no_proof_of_memory(engine: DockerEngine) -> None:
    sandbox = engine.start_command(asking(), engine.image(), [engine.image().executable, "-c", "input()"])
    sandbox.kill()
    assert sandbox.out_of_memory() is False
    sandbox.close()
    assert sandbox.out_of_memory() is False


def test_a_childs_memory_kill_is_counted_while_the_parent_lives(engine: DockerEngine) -> None:
    code = """
import os
pid = os.fork()
if pid == 0:
    open("/proc/self/oom_score_adj", "w").write("1000")
    x = bytearray(1 << 20)
    while True: x += bytes(1 << 20)
print(os.waitpid(pid, 0)[1], flush=True)
input()
"""
    sandbox = engine.start_command(asking(memory_mb=64), engine.image(), [engine.image().executable, "-I", "-c", code])
    try:
        assert sandbox.stdout.read(100) == b"9\n"
        assert (sandbox.memory_kills(), sandbox.out_of_memory()) == (1, True)
    finally:
        sandbox.close()


def test_limits_are_read_back_from_the_kernel(engine: DockerEngine) -> None:
    request = asking(memory_mb=100, processes=10, wall_s=10, cpu_s=10)
    sandbox = engine.start_command(request, engine.image(), [engine.image().executable, "-c", "input()"])
    try:
        assert sandbox.effective() == {"memory_mb": 100 + RUNNER_MB, "swap_mb": 0.0, "tasks": 10 + RUNNER_TASKS,
                                       "processors": 1.0, "seen_by": "cgroup"}
        sandbox.ready()
        memory = sandbox.effective()["memory_mb"]
        assert isinstance(memory, float)
        assert 100 < memory < 100 + RUNNER_MB, "the runner's own memory, measured, replaces the room it was given"
    finally:
        sandbox.close()


def test_processors_follow_from_the_limits() -> None:
    assert processors(Limits(cpu_s=20, wall_s=20)) == 1
    assert processors(Limits(cpu_s=5, wall_s=20)) == 1
    assert processors(Limits(cpu_s=30, wall_s=20)) == 2


@pytest.mark.parametrize(("weakened", "named"), [
    ({"User": "0:0"}, "uid 0"), ({"User": "65534:0"}, "groups"),
    ({"SecurityOpt": ["no-new-privileges:true", "seccomp=unconfined"]}, "seccomp"),
    ({"SecurityOpt": None}, "no-new-privileges"), ({"ReadonlyRootfs": False, "User": "0:0"}, "root is writable"),
    ({"Init": True}, "PID 1"), ({"User": "0:0", "CapDrop": None}, "capabilities"), ({"NetworkMode": "host"}, "interfaces"),
], ids=["root", "group", "unconfined", "privileges", "writable", "init", "capabilities", "network"])
def test_a_daemon_that_does_not_hold_the_floor_is_refused(engine: DockerEngine, monkeypatch: pytest.MonkeyPatch,
                                                          weakened: dict[str, Any], named: str) -> None:
    """The same request with one wall taken out on its way, as a daemon would that ignores a field."""
    honest = docker_module.container_config

    def lying(*args: Any, **kwargs: Any) -> dict[str, Any]:
        config = honest(*args, **kwargs)
        config["NetworkDisabled"] = "NetworkMode" not in weakened
        for key, value in weakened.items():
            (config if key in config else config["HostConfig"])[key] = value
        return config

    monkeypatch.setattr(docker_module, "container_config", lying)
    with pytest.raises(LimitsNotEnforced, match=named):
        measure_floor(engine, engine.image(), engine.daemon.info())


# Overrides


@pytest.mark.parametrize(("name", "value"), [
    ("network_mode", "host"), ("privileged", True), ("cap_add", ["SYS_ADMIN"]), ("security_opt", ["seccomp=unconfined"]),
    ("devices", ["/dev/kvm"]), ("volumes", {"/": "/host"}), ("mounts", []), ("user", "0"), ("pid_mode", "host"),
    ("ipc_mode", "host"), ("userns_mode", "host"), ("read_only", False), ("init", True), ("runtime", "runc"),
    ("tmpfs", {}), ("mem_limit", "0"), ("pids_limit", -1), ("group_add", ["docker"]), ("log_config", {}),
    ("NetworkMode", "host"), ("something_new", 1), ("cap_drop", []), ("ulimits", []), ("environment", {}),
])
def test_an_override_that_could_weaken_the_floor_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(BadRequest, match=f"'{name}' is refused"):
        DockerEngine(overrides={name: value})


def test_an_override_that_cannot_is_taken(engine: DockerEngine) -> None:
    chosen = DockerEngine(overrides={"cpuset_cpus": "0", "cpu_shares": 512})
    assert chosen.unavailable() is None
    assert inside(chosen, "tell(sorted(os.sched_getaffinity(0)))") == [0]
    with pytest.raises(BadRequest, match="cpu_shares"):
        check_overrides({"cpu_shares": "many"})


# Pipes and ends


def test_many_bytes_pass_both_ways_unchanged(any_engine: DockerEngine) -> None:
    sandbox = any_engine.start_command(asking(), any_engine.image(), [any_engine.image().executable, "-I", "-c", """
import os, sys
left = 8 << 20
while left:
    data = os.read(0, min(left, 65536)); left -= len(data)
    view = memoryview(data)
    while view: view = view[os.write(1, view):]
"""])
    sent = os.urandom(8 << 20)

    def feed() -> None:
        view = memoryview(sent)
        while view:
            view = view[sandbox.stdin.write(view):]

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        assert b"".join(iter(lambda: sandbox.stdout.read(65536), b"")) == sent
    finally:
        feeder.join()
        sandbox.close()


@pytest.mark.parametrize("stream", [1, 2])
def test_a_flood_that_nobody_reads_delays_no_kill(engine: DockerEngine, stream: int) -> None:
    request = asking()
    sandbox = engine.start_command(request, engine.image(), [
        engine.image().executable, "-I", "-c", f"import os\nwhile True: os.write({stream}, b'x' * 65536)"])
    time.sleep(1.0)
    assert len(sandbox.diagnose()) < 40_000
    closer = threading.Thread(target=sandbox.close)
    closer.start()
    closer.join(30)
    assert not closer.is_alive()
    assert containers_of(request) == []


def test_ending_twice_from_many_threads_leaves_nothing(engine: DockerEngine) -> None:
    request = asking()
    before = len(os.listdir("/proc/self/fd"))
    sandbox = engine.launch(request)
    enders = [threading.Thread(target=end) for end in (sandbox.kill, sandbox.close) * 4]
    for ender in enders:
        ender.start()
    for ender in enders:
        ender.join()
    assert containers_of(request) == []
    assert len(os.listdir("/proc/self/fd")) <= before + 2  # a pooled connection or two to the daemon


def test_a_large_input_is_mounted_read_only_among_writable_files(engine: DockerEngine, tmp_path: Path) -> None:
    (tmp_path / "big.csv").write_text("a\n1\n")
    (tmp_path / "big.csv").chmod(0o644)
    request = LaunchRequest(limits=Limits(), run_id="mounts", owner=owner_identity(),
                            mounts=[(tmp_path / "big.csv", "big.csv")])
    seen = inside(engine, """
tell([open("/tmp/work/big.csv").read(), tried(open, "/tmp/work/big.csv", "w"), tried(os.unlink, "/tmp/work/big.csv"),
      tried(open, "/tmp/work/new", "w")])
""", request)
    assert seen == ["a\n1\n", "EROFS", "EBUSY", "ok"]


def test_an_input_that_the_daemon_cannot_see_is_an_error_of_the_mount(engine: DockerEngine, tmp_path: Path) -> None:
    request = LaunchRequest(limits=Limits(), run_id="nomount", owner=owner_identity(),
                            mounts=[(tmp_path / "gone.csv", "gone.csv")])
    with pytest.raises(EngineUnavailable, match=r"not visible to the daemon.*mount"):
        engine.launch(request)
    assert containers_of(request) == []


# Orphans


def test_the_sweep_takes_orphans_of_dead_owners_and_nobody_else(engine: DockerEngine) -> None:
    child = subprocess.Popen(["sleep", "600"])
    dying = owner_identity(child.pid)
    elsewhere = dying.replace(dying.split("/")[0], "another-host:0123")
    requests = [LaunchRequest(limits=Limits(), run_id=f"sweep-{uuid.uuid4().hex[:8]}", owner=owner)
                for owner in (dying, owner_identity(), elsewhere, "nonsense")]
    sandboxes = [engine.launch(request) for request in requests]
    try:
        assert not set(sweep()) & {sandbox.id for sandbox in sandboxes}, "its owner was alive"
        child.kill()
        child.wait()
        swept = sweep()
        assert sandboxes[0].id in swept
        assert [len(containers_of(request)) for request in requests] == [0, 1, 1, 1]
    finally:
        for sandbox in sandboxes:
            sandbox.close()


# A daemon that cannot be used


@pytest.fixture
def silent_socket(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "silent.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(1)
        yield path


def reason_at(monkeypatch: pytest.MonkeyPatch, url: str) -> str:
    monkeypatch.setenv("DOCKER_HOST", url)
    begin = time.monotonic()
    reason = DockerEngine().unavailable()
    assert time.monotonic() - begin < 15
    assert reason is not None
    return reason


def test_daemon_down_names_its_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    reason = reason_at(monkeypatch, "unix:///nonexistent/docker.sock")
    assert "/nonexistent/docker.sock" in reason
    assert "tart it" in reason


def test_docker_not_installed_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    reason = DockerEngine(url=f"unix://{tmp_path}/docker.sock").unavailable()
    assert reason is not None
    assert "docker" in reason
    assert "not found" in reason


def test_permission_denied_is_no_advice_to_start_docker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if os.geteuid() == 0:  # the way must be open to the user that root turns into
        for folder in [tmp_path, *list(tmp_path.parents)[:3]]:
            folder.chmod(folder.stat().st_mode | 0o055)
    path = tmp_path / "closed.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(1)
        path.chmod(0)
        was = os.geteuid()
        if was == 0:
            os.seteuid(65534)  # root may open any socket
        try:
            reason = reason_at(monkeypatch, f"unix://{path}")
        finally:
            os.seteuid(was)
    assert "permission denied" in reason
    assert "start" not in reason.lower()


def test_a_daemon_that_hangs_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch, silent_socket: Path) -> None:
    assert "no answer" in reason_at(monkeypatch, f"unix://{silent_socket}")


def test_a_dead_daemons_socket_is_told_from_a_missing_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "stale.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    assert "daemon is down" in reason_at(monkeypatch, f"unix://{path}")


def test_no_daemon_behind_a_tcp_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "tcp://127.0.0.1:9" in reason_at(monkeypatch, "tcp://127.0.0.1:9")


def test_something_else_behind_the_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "odd.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(1)

        def answer() -> None:
            connection, _ = listener.accept()
            connection.recv(100)
            connection.sendall(b"220 mail ready\r\n")
            connection.close()

        server = threading.Thread(target=answer)
        server.start()
        assert "no Docker daemon" in reason_at(monkeypatch, f"unix://{path}")
        server.join()


def test_launching_on_a_daemon_that_is_down_is_an_error_of_the_engine() -> None:
    with pytest.raises(EngineUnavailable, match=r"/nonexistent/docker\.sock"):
        DockerEngine(url="unix:///nonexistent/docker.sock", image="any").launch(asking())


def test_a_missing_image_is_named_with_the_command_that_makes_it(engine: DockerEngine) -> None:
    reason = DockerEngine(image="no-such-sandbox:0").unavailable()
    assert reason is not None
    assert "no-such-sandbox:0" in reason
    assert BUILD_COMMAND in reason


def test_before_the_first_build_the_command_is_named(engine: DockerEngine, tmp_path: Path) -> None:
    assert BUILD_COMMAND in (DockerEngine(home=tmp_path).unavailable() or "")


def test_an_unknown_runtime_is_told_with_the_known_ones(engine: DockerEngine) -> None:
    reason = DockerEngine("kata-of-nobody").unavailable()
    assert reason is not None
    assert "kata-of-nobody" in reason
    assert "runc" in reason


@pytest.fixture
def variant(engine: DockerEngine) -> Iterator[Callable[[str], str]]:
    """A local image made from the sandbox image by one more line of Dockerfile."""
    made: list[str] = []

    def make(line: str) -> str:
        tag = f"fumehood-test:{uuid.uuid4().hex[:8]}"
        subprocess.run(["docker", "build", "-q", "-t", tag, "-"], input=f"FROM {engine.image().id}\n{line}\n", text=True,
                       check=True, capture_output=True, env={**os.environ, "DOCKER_BUILDKIT": "0"})
        made.append(Daemon().api().inspect_image(tag)["Id"])
        return tag

    yield make
    for image in made:
        Daemon().api().remove_image(image, force=True)


def test_an_image_of_another_python_is_refused(variant: Callable[[str], str]) -> None:
    reason = DockerEngine(image=variant(f"LABEL {LABEL_PYTHON}=3.9.18")).unavailable()
    assert reason is not None
    assert "3.9.18" in reason
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in reason


def test_an_image_with_a_volume_is_refused(variant: Callable[[str], str]) -> None:
    assert "/data" in (DockerEngine(image=variant("VOLUME /data")).unavailable() or "")


def test_an_image_by_tag_is_pinned_to_what_it_was(variant: Callable[[str], str]) -> None:
    tag = variant("LABEL moved=no")
    chosen = DockerEngine(image=tag)
    pinned = chosen.runtime()
    assert pinned.startswith("sha256:")
    Daemon().api().tag(variant("LABEL moved=yes"), *tag.split(":"), force=True)
    sandbox = chosen.launch(asking())
    try:
        assert Daemon().api().inspect_container(sandbox.id)["Image"] == pinned
    finally:
        sandbox.close()


def test_what_the_container_is_made_of(engine: DockerEngine) -> None:
    request = asking()
    sandbox = engine.launch(request)
    try:
        made = Daemon().api().inspect_container(sandbox.id)
    finally:
        sandbox.close()
    host, config = made["HostConfig"], made["Config"]
    assert config["Labels"][OWNER_LABEL] == request.owner
    assert host["LogConfig"]["Type"] == "none"
    assert made["Image"] == engine.runtime()
    assert (host["Binds"], host["Privileged"], host["AutoRemove"]) == (None, False, False)
    assert not made["Mounts"]
    assert host["MemorySwap"] == host["Memory"]


def test_limits_are_lowered_through_the_daemon_where_the_cgroup_may_not_be_written(
        engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(group: CgroupFiles, size: int) -> None:
        raise PermissionError

    monkeypatch.setattr(CgroupFiles, "limit_memory", refused)
    with Session.open(engine, limits=Limits(), manifest=Manifest(), run_id="lowered") as session:
        report = session.run("print(1)", folder=tmp_path, limits=Limits(memory_mb=100, processes=10))
    effective = report.evidence.limits.effective
    assert report.execution.stdout == "1\n"
    assert 100 <= float(effective["memory_mb"] or 0) < 200
    assert 10 <= float(effective["processes"] or 0) <= 12
