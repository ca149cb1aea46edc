"""The filter and the file rules: what they decide, call by call, and the attacks that they stop.

Each attack is run twice: behind the walls, and with the wall that should stop it taken away, where it must succeed. An
attack that fails for some other reason proves nothing.
"""

import errno
import platform
import struct
from collections.abc import Callable
from typing import Any

import pytest
from fumehood.sandbox.runner import seccomp
from fumehood.sandbox.runner.numbers import numbers

ALLOW, NOTIFY, KILL = 0x7FFF0000, 0x7FC00000, 0x80000000
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PROCESSORS = sorted(ARCHITECTURE)

Walled = Callable[..., dict[str, Any]]


def refusal(number: int) -> int:
    return 0x00050000 | number


def decide(program: bytes, processor: str, number: int, *arguments: int) -> int:
    """What the kernel's BPF machine answers."""
    data = struct.pack("=iIQ6Q", number - (1 << 32 if number >> 31 else 0), ARCHITECTURE[processor], 0,
                       *[*arguments, *[0] * 6][:6])
    accumulator = at = 0
    while True:
        code, then, otherwise, value = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x54:
                accumulator &= value
            case 0x06:
                return value
            case 0x15:
                at += then if accumulator == value else otherwise
            case 0x35:
                at += then if accumulator >= value else otherwise
            case 0x45:
                at += then if accumulator & value else otherwise
            case _:
                raise AssertionError(f"instruction {code:#x} is none that this filter uses")


def by_name(processor: str, name: str, *arguments: int, notify: bool = True, sockets: seccomp.Sockets = "notify",
            alone: bool = False) -> int:
    program = seccomp.child_filter(notify, sockets, alone=alone, processor=processor)
    return decide(program, processor, numbers(processor)[name], *arguments)


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("notify", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_every_call_that_is_not_named_is_refused(processor: str, notify: bool, alone: bool) -> None:
    program = seccomp.child_filter(notify, "refuse" if alone else "notify", alone=alone, processor=processor)
    named = {numbers(processor).get(name) for text in (
        seccomp.ALLOWED, seccomp.PATHS, seccomp.ADDRESSES, seccomp.SERVING, seccomp.SIGNALS, seccomp.MORE_SIGNALS,
        seccomp.OWNERSHIP, seccomp.ATTRIBUTES) for name in text.split()}
    conditional = {numbers(processor).get(name) for name in (
        "clone", "fork", "vfork", "fcntl", "ioctl", "prctl", "personality", "prlimit64", "sched_setaffinity",
        "sched_setscheduler", "sched_setparam", "setpriority", "ioprio_set", "socket", "socketpair", "sendto")}
    let_on = {number for number in range(1024) if decide(program, processor, number) in (ALLOW, NOTIFY)}
    assert let_on <= named | conditional
    assert len(program) // 8 < 4096, "the kernel takes no longer program"


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("name", seccomp.REFUSED.split())
def test_refused_by_name(processor: str, name: str) -> None:
    if name in numbers(processor):
        assert by_name(processor, name) == refusal(errno.EPERM)


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("name", [*seccomp.PATHS.split(), *seccomp.ADDRESSES.split(), "fork", "vfork", "clone"])
def test_the_runner_is_asked(processor: str, name: str) -> None:
    if name in numbers(processor):
        assert by_name(processor, name) == NOTIFY


@pytest.mark.parametrize(("name", "arguments", "answer"), [
    ("clone", (0x10000000,), refusal(errno.EPERM)),
    ("clone", (0x7E020000,), refusal(errno.EPERM)),
    ("clone", (0x3D0F00,), ALLOW),
    ("clone", (0x3D0F00 | 0x20000000,), refusal(errno.EPERM)),
    ("clone", (0x8011,), refusal(errno.EPERM)),
    ("clone3", (), refusal(errno.ENOSYS)),
    ("prlimit64", (0, 7), ALLOW),
    ("prlimit64", (1, 7), refusal(errno.EPERM)),
    ("prlimit64", (5 << 32, 7), ALLOW),  # the kernel reads a process id of 32 bits: this is 0
    ("sched_setaffinity", (1,), refusal(errno.EPERM)),
    ("setpriority", (0, 0), ALLOW),
    ("setpriority", (0, 1), refusal(errno.EPERM)),
    ("setpriority", (2, 0), refusal(errno.EPERM)),
    ("ioprio_set", (1, 0), ALLOW),
    ("ioprio_set", (3, 0), refusal(errno.EPERM)),
    ("socket", (1, 1), ALLOW),
    ("socket", (2, 0o2000001), ALLOW),
    ("socket", (10, 2, 17), ALLOW),
    ("socket", (2, 3, 1), refusal(errno.EPERM)),
    ("socket", (2, 10), refusal(errno.EPERM)),  # SOCK_PACKET in disguise
    ("socket", (2, 1, 262), refusal(errno.EPERM)),
    ("socket", (16, 3), refusal(errno.EAFNOSUPPORT)),
    ("socket", (40, 1), NOTIFY),  # never goes on: the runner writes the family down and refuses
    ("socket", (7 << 32 | 40, 1), NOTIFY),
    ("socketpair", (2, 1), refusal(errno.EPERM)),
    ("sendmmsg", (3, 4096, 1), refusal(errno.ENOSYS)),
    ("sendto", (3, 4096, 10, 0, 0, 0), ALLOW),
    ("sendto", (3, 4096, 10, 0, 4096, 16), NOTIFY),
    ("sendto", (3, 4096, 10, 0, 1 << 40, 16), NOTIFY),
    ("fcntl", (0, 8, 1), refusal(errno.EPERM)),
    ("fcntl", (0, 10, 9), refusal(errno.EPERM)),
    ("fcntl", (0, 1024, 1), refusal(errno.EPERM)),
    ("fcntl", (0, 1031, 1 << 20), refusal(errno.EPERM)),
    ("ioctl", (0, 0x5412), refusal(errno.ENOTTY)),
    ("prctl", (1, 0), refusal(errno.EPERM)),
    ("prctl", (4, 0), refusal(errno.EPERM)),
    ("prctl", (22, 1), refusal(errno.EPERM)),
    ("prctl", (36, 1), refusal(errno.EPERM)),
    ("prctl", (15, 4096), ALLOW),
    ("personality", (0xFFFFFFFF,), ALLOW),
    ("personality", (8,), refusal(errno.EPERM)),
])
@pytest.mark.parametrize("processor", PROCESSORS)
def test_decided_by_arguments(processor: str, name: str, arguments: tuple[int, ...], answer: int) -> None:
    assert by_name(processor, name, *arguments) == answer


@pytest.mark.parametrize(("name", "arguments", "answer"), [
    ("connect", (3, 4096, 16), refusal(errno.ENETUNREACH)),
    ("sendmmsg", (3, 4096, 1), refusal(errno.ENOSYS)),  # one address in a batch could hide behind another
    ("sendto", (3, 4096, 10, 0, 4096, 16), refusal(errno.ENETUNREACH)),
    ("socket", (40, 1), refusal(errno.EAFNOSUPPORT)),
    ("openat", (), ALLOW),
    ("execve", (), ALLOW),
])
def test_without_a_witness_addresses_are_refused_by_the_filter(name: str, arguments: tuple[int, ...],
                                                               answer: int) -> None:
    assert by_name("x86_64", name, *arguments, notify=False) == answer


@pytest.mark.parametrize(("name", "arguments", "answer"), [
    ("socket", (2, 1), NOTIFY),
    ("socket", (1, 1), NOTIFY),
    ("socketpair", (1, 1), ALLOW),
    ("socketpair", (1, 2), refusal(errno.EPERM)),
    ("bind", (), refusal(errno.EACCES)),
    ("listen", (), refusal(errno.EACCES)),
    ("chmod", (), NOTIFY),
    ("fchmod", (), NOTIFY),
    ("utimensat", (), NOTIFY),
    ("chown", (), refusal(errno.EPERM)),
    ("setxattr", (), refusal(errno.ENOTSUP)),
    ("kill", (), NOTIFY),
    ("tgkill", (), NOTIFY),
    ("pidfd_send_signal", (), refusal(errno.EPERM)),
    ("shmget", (), refusal(errno.EPERM)),
])
def test_alone_shuts_what_landlock_leaves_open(name: str, arguments: tuple[int, ...], answer: int) -> None:
    assert by_name("x86_64", name, *arguments, sockets="refuse", alone=True) == answer


def test_alone_without_a_witness_changes_no_attributes_and_sends_no_signals() -> None:
    for name in ("chmod", "fchmod", "utimensat", "kill", "tgkill"):
        assert by_name("x86_64", name, notify=False, sockets="refuse", alone=True) == refusal(errno.EPERM)


@pytest.mark.parametrize("processor", PROCESSORS)
def test_another_processors_calls_are_killed(processor: str) -> None:
    program = seccomp.child_filter(True, processor=processor)
    other = next(name for name in PROCESSORS if name != processor)
    assert decide(program, other, 0) == KILL
    if processor == "x86_64":
        assert decide(program, processor, 0x40000000 | 39) == KILL
        assert decide(program, processor, 0xFFFFFFFF) == KILL


# -- against the kernel ------------------------------------------------------------------------------------------------

SYSTEM_CALL = numbers() if platform.machine() in ARCHITECTURE else {}


def code(text: str) -> str:
    """A program with the numbers of this machine's calls in place of {name}."""
    return text.format(**SYSTEM_CALL)


ATTACKS = {
    "prlimit-the-runner": (("filter", "notify"), """
import resource
resource.prlimit(1, resource.RLIMIT_NOFILE, (64, 64))
"""),
    "renice-the-runner": (("filter", "notify"), "os.setpriority(os.PRIO_PROCESS, 1, 19)"),
    "pin-the-runner": (("filter", "notify"), "os.sched_setaffinity(1, {{0}})"),
    "traceme": (("filter", "notify"), "assert call({ptrace}, 0, 0, 0, 0) == 0"),
    "memfd": (("filter", "notify"), "assert call({memfd_create}, b'x', 0) > 0"),
    "memfd-and-execveat": (("filter", "notify"), """
fd = call({memfd_create}, b"x", 0)
with open("/bin/true", "rb") as program:
    os.write(fd, program.read())
pid = os.fork()
if pid == 0:
    call({execveat}, fd, b"", 0, 0, 0x1000)
    os._exit(9)
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
"""),
    "name-to-handle": (("filter", "notify"), """
handle = ctypes.create_string_buffer((128).to_bytes(4, "little"), 200)
assert call({name_to_handle_at}, -100, b"/work", handle, ctypes.create_string_buffer(8), 0) == 0
"""),
    "new-user-namespace": (("filter", "notify"), "assert call({unshare}, 0x10000000) == 0"),
    "own-filter": (("filter", "notify"), """
import struct
allow = struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000)
buffer = ctypes.create_string_buffer(allow, 8)
program = struct.pack("=HxxxxxxQ", 1, ctypes.addressof(buffer))
assert call({seccomp}, 1, 8, program) > 0
"""),
    "undo-death-signal": (("filter", "notify"), "assert libc.prctl(1, 0, 0, 0, 0) == 0"),
    "blind-the-witness": (("filter", "notify"), "assert libc.prctl(4, 0, 0, 0, 0) == 0"),
    "signal-of-choice": (("filter", "notify"), """
import fcntl
read, write = os.pipe()
fcntl.fcntl(read, 10, 9)
"""),
    "lease": (("filter", "notify"), """
import fcntl
with open("/work/own", "w"):
    pass
fd = os.open("/work/own", os.O_RDONLY)
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
"""),
    "netlink": (("filter", "notify"), "import socket; socket.socket(16, socket.SOCK_RAW)"),
    "vsock": (("filter", "notify"), "import socket; socket.socket(40, socket.SOCK_STREAM)"),
    "write-outside": (("landlock",), "os.mkdir('/outside/made')"),
    "read-outside": (("landlock",), "assert open('/outside/secret').read() == 'secret'"),
    "read-the-runners-memory": (("hidden", "landlock", "filter", "notify"), "open('/proc/1/mem', 'rb').close()"),
    "write-to-the-runners-pipe": (("hidden", "landlock", "filter", "notify"), "os.open('/proc/1/fd/1', os.O_WRONLY)"),
}


def attempt(name: str) -> str:
    body = code(ATTACKS[name][1]).strip().replace("\n", "\n    ")
    return f"""
try:
    {body}
except (OSError, AssertionError) as error:
    print("HELD", repr(error))
else:
    print("BREACH")
"""


@pytest.mark.parametrize("name", ATTACKS)
def test_held(walled: Walled, name: str) -> None:
    told = walled(attempt(name), files={"/outside/secret": "secret"})
    assert told["output"].startswith("HELD"), told
    assert told["exit"] == 0


@pytest.mark.parametrize("name", ATTACKS)
def test_breached_where_the_wall_is_missing(walled: Walled, name: str) -> None:
    told = walled(attempt(name), files={"/outside/secret": "secret"}, without=ATTACKS[name][0])
    assert told["output"].startswith("BREACH"), told


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the calls exist on x86-64 only")
@pytest.mark.parametrize("attack", ["call(0x40000000 | 39)", """
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid of i386); int 0x80; ret
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""], ids=["x32", "int80"])
def test_calls_of_other_tables_kill(walled: Walled, attack: str) -> None:
    told = walled(attack + "\nprint('went on')")
    assert (told["exit"], told["signal"]) == (None, 31), told
    assert "went on" in walled(attack + "\nprint('went on')", without=("filter", "notify"))["output"]


def test_io_uring_is_refused(walled: Walled) -> None:
    attack = code("print(call({io_uring_setup}, 8, ctypes.create_string_buffer(120)))")
    assert walled(attack)["output"].strip() == str(-errno.EPERM)
    bare = int(walled(attack, without=("filter", "notify"))["output"])
    if bare in (-errno.EPERM, -errno.ENOSYS):
        pytest.skip("this kernel has io_uring switched off, so that there is nothing to refuse")
    assert bare > 0


def test_nothing_is_left_of_privileges(walled: Walled) -> None:
    told = walled("""
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
for name in ("CapEff", "CapPrm", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp"):
    print(name, int(status[name], 16))
""")
    assert told["output"].split("\n")[:6] == ["CapEff 0", "CapPrm 0", "CapInh 0", "CapAmb 0", "NoNewPrivs 1", "Seccomp 2"]


def test_signals_do_not_reach_the_runner(walled: Walled) -> None:
    told = walled("""
for number in (2, 9, 15, 19, 29):
    tried(lambda: os.kill(1, number))
print("alive")
""")
    assert (told["exit"], told["output"]) == (0, "alive\n")


def test_signals_reach_a_runner_that_is_not_pid_1(walled: Walled) -> None:
    """The wall taken away: a runner that is nobody's first process, and no filter that answers for it."""
    attack = "tried(lambda: os.kill(os.getppid(), 9))\nprint('sent')"
    held = walled(attack, alone=True, sockets="refuse", bystander=True, readable=("/outside",),
                  execute=("/python/bin", "/usr/lib", "/lib64", "/lib"))
    assert (held["exit"], held["output"]) == (0, "sent\n")
    with pytest.raises(AssertionError):
        walled(attack, alone=True, sockets="refuse", bystander=True, without=("filter", "notify", "landlock"), seconds=2)


def test_a_fork_bomb_ends_with_the_sandbox(walled: Walled) -> None:
    told = walled("""
import resource
resource.setrlimit(resource.RLIMIT_NPROC, (40, 40))
try:
    while True:
        os.fork()
except OSError:
    pass
""", seconds=10)
    (forks,) = told["report"]["processes"]
    assert (forks["argv"], forks["refused"]) == (["(fork)"], False)
    assert forks["count"] > 10
