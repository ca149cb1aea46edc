"""One harmless attack per wall, for `doctor`: programs that try what must not be possible, and tell how it went.

They run in sandboxes only, like every program. What they tell is checked against what the host itself saw.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .session import RunReport

_TOOLS = """
import ctypes, errno, os, socket
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_numbers = {"x86_64": 0, "aarch64": 1}[os.uname().machine]
def call(numbers, *arguments):
    ctypes.set_errno(0)
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    done = _libc.syscall(ctypes.c_long(numbers[_numbers]), *words) >= 0
    return "done" if done else errno.errorcode.get(ctypes.get_errno(), "failed")
def attempt(act, *arguments):
    try:
        act(*arguments)
        return "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, "failed")
tried = {}
"""
_TELL = "\nfinal_answer(tried)\n"

Judge = Callable[[RunReport, dict[str, str]], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the host put up for the attackers."""

    canary_file: str
    canary_folder: str
    port: int
    """A listener on the host's loopback."""
    pid: int
    """The process that asks, outside of every sandbox."""
    processes: int
    """The sandbox's limit of processes."""
    memory_mb: int
    workspace_mb: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """`judge` gives why the wall fell, or None where it held. It gets the report and what the program told."""

    wall: str
    program: str
    judge: Judge


def attacks(scene: Scene) -> list[Attack]:
    """All of them; those that may cost the sandbox its life or its space come last."""
    return [
        _refused("network", f"""
def reach(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(3)
        s.connect(address)
tried["the host's loopback"] = attempt(reach, socket.AF_INET, ("127.0.0.1", {scene.port}))
tried["the internet"] = attempt(reach, socket.AF_INET, ("192.0.2.1", 80))
tried["the cloud's metadata"] = attempt(reach, socket.AF_INET, ("169.254.169.254", 80))
tried["IPv6"] = attempt(reach, socket.AF_INET6, ("2001:db8::1", 80))
tried["a host name"] = attempt(socket.getaddrinfo, "example.com", 80)
"""),
        _refused("other ways out", """
tried["the VM's host"] = attempt(socket.socket, 40, socket.SOCK_STREAM)
tried["the kernel's routes"] = attempt(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW)
tried["raw packets"] = attempt(socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
tried["the Docker socket"] = attempt(lambda: socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock"))
"""),
        _refused("files of the host: reading", f"""
tried["a canary file"] = attempt(open, {scene.canary_file!r})
tried["password hashes"] = attempt(open, "/etc/shadow")
tried["through PID 1"] = attempt(open, "/proc/1/root" + {scene.canary_file!r})
"""),
        _refused("files outside: writing", f"""
for place in ("/", "/etc", "/usr", "/var/tmp", "/dev", {scene.canary_folder!r}):
    tried[place] = attempt(open, place + "/fumehood-was-here", "w")
"""),
        _refused("other processes", f"""
if {scene.pid} not in (os.getpid(), os.getppid()):  # else the number means somebody in here
    tried["signal the host's process"] = attempt(os.kill, {scene.pid}, 0)
    tried["its environment"] = attempt(open, "/proc/{scene.pid}/environ")
tried["memory of PID 1"] = attempt(open, "/proc/1/mem", "r+b")
tried["pipes of PID 1"] = attempt(open, "/proc/1/fd/1", "wb")
tried["orders for PID 1"] = attempt(open, "/proc/1/fd/0", "rb")
"""),
        _refused("tracing", """
tried["attach to the parent"] = call((101, 117), 16, os.getppid(), 0, 0)
tried["trace me"] = call((101, 117), 0, 0, 0, 0)
buffer = ctypes.create_string_buffer(16)
tried["read the parent's memory"] = call((310, 270), os.getppid(), buffer, 1, buffer, 1, 0)
"""),
        _refused("namespaces and mounts", """
tried["a user namespace"] = call((272, 97), 0x10000000)
tried["a mount"] = call((165, 40), b"none", b"/tmp", b"tmpfs", 0, 0)
tried["become root"] = attempt(os.setuid, 0)
tried["a device"] = attempt(os.mknod, "device", 0o20666, os.makedev(1, 1))
"""),
        _refused("memory that nobody counts", """
tried["io_uring"] = call((425, 425), 8, ctypes.create_string_buffer(256))
tried["memfd"] = call((319, 279), b"hidden", 0)
tried["keys"] = call((248, 217), b"user", b"k", b"v", 1, -3)
"""),
        Attack(wall="processes", judge=_processes(scene.processes), program=_TOOLS + f"""
import signal, time
made = 0
def bomb():
    global made
    while made < {scene.processes * 4}:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        made += 1
tried["fork"] = attempt(bomb)
tried["made"] = str(made)
""" + _TELL),
        Attack(wall="memory", judge=_memory, program=f"""
held = []
for _ in range({scene.memory_mb * 2}):
    held.append(bytearray(b"x" * (1 << 20)))
final_answer({{"allocated": "twice the limit"}})
"""),
        Attack(wall="disk", judge=_disk, program=_TOOLS + f"""
import time
def fill():
    for number in range({scene.workspace_mb * 2}):
        with open(f"fill-{{number}}", "wb") as file:
            file.write(bytes(1 << 20))
tried["fill the workspace"] = attempt(fill)
time.sleep(1)  # a limit that is watched, not fixed, may be passed for a moment
""" + _TELL),
    ]


def _refused(wall: str, program: str) -> Attack:
    return Attack(wall=wall, program=_TOOLS + program + _TELL, judge=_all_refused)


def _all_refused(report: RunReport, told: dict[str, str]) -> str | None:
    done = [name for name, answer in told.items() if answer == "done"]
    if done:
        return f"possible: {', '.join(done)}"
    if not told and report.execution.outcome != "killed":
        return f"not settled: the attack ended with {report.execution.outcome}: {report.execution.message}"
    return None


def _disk(report: RunReport, told: dict[str, str]) -> str | None:
    if told.get("fill the workspace") == "done":
        return "twice the workspace's size could be written"
    if told or report.execution.limit == "disk":
        return None
    return f"not settled: the attack ended with {report.execution.outcome}: {report.execution.message}"


def _processes(limit: int) -> Judge:
    def judge(report: RunReport, told: dict[str, str]) -> str | None:
        if report.execution.limit == "processes" or report.execution.outcome == "out_of_memory":
            return None
        if told.get("fork") == "done" or int(told.get("made", "0")) > limit:
            return f"{told['made']} processes were possible where {limit} are the limit"
        return None if told else f"not settled: the attack ended with {report.execution.outcome}"

    return judge


def _memory(report: RunReport, told: dict[str, str]) -> str | None:
    if told:
        return "twice the memory limit could be used"
    if report.execution.outcome == "out_of_memory":
        return None
    return f"not settled: the attack ended with {report.execution.outcome}: {report.execution.message}"
