"""The kernel's witness: what it writes down is what was done, and what attacks on it come to."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from fumehood.sandbox.evidence import FileEvent, NetworkAttempt, ProcessEvent
from fumehood.sandbox.runner.ledger import MOST_EVENTS, Ledger, printable
from fumehood.sandbox.runner.sockets import read_address
from fumehood.sandbox.runner.witness import stand_in

Walled = Callable[..., dict[str, Any]]


def files(told: dict[str, Any], field: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(event["mode"], event["path"]): event for event in told["report"][field]}


def network(told: dict[str, Any]) -> dict[tuple[str, str | None, int | None], int]:
    return {(event["family"], event["host"], event["port"]): event["count"]
            for event in told["report"]["network_attempts"]}


SWAP = """
import threading
path = ctypes.create_string_buffer(b"input.csv", 64)
libc.open.restype = ctypes.c_int
over = False
def swap():
    while not over:
        ctypes.memmove(path, b"secret.txt\\0", 11)
        ctypes.memmove(path, b"input.csv\\0", 10)
swapper = threading.Thread(target=swap)
swapper.start()
got = {"input": 0, "secret": 0}
for _ in range(3000):
    fd = libc.open(path, os.O_RDONLY)
    if fd >= 0:
        got[os.read(fd, 20).decode()] += 1
        os.close(fd)
over = True
swapper.join()
print(got["input"], got["secret"])
"""


def test_path_swap(walled: Walled) -> None:
    told = walled(SWAP, files={"/work/input.csv": "input", "/work/secret.txt": "secret"}, seconds=60)
    inputs, secrets = map(int, told["output"].split())
    assert inputs > 0 < secrets, "no swap was seen at all: the attack did not work"
    read = files(told, "files_read")
    assert read["read", "input.csv"]["count"] == inputs
    assert read["read", "secret.txt"]["count"] == secrets
    assert not any(event["contestable"] for event in told["report"]["files_read"])


def test_files_are_told_by_what_was_done_with_them(walled: Walled) -> None:
    told = walled("""
open("new.txt", "w").write("five!")
open("input.csv").read(); open("input.csv").read()
os.rename("new.txt", "renamed.txt")
os.mkdir("folder"); os.rmdir("folder")
open("gone", "w"); os.unlink("gone")
os.truncate("input.csv", 1)
os.symlink("input.csv", "soft"); os.link("input.csv", "hard")
open("soft").read()
os.chdir("/tmp"); open("../work/input.csv").read()
fd = os.open("/work", os.O_RDONLY); os.close(os.open("renamed.txt", os.O_RDWR, dir_fd=fd))
""", files={"/work/input.csv": "a,b"})
    assert told["output"] == ""
    read, written = files(told, "files_read"), files(told, "files_written")
    assert read["read", "input.csv"]["count"] == 4
    assert set(written) == {
        ("write", "new.txt"), ("rename", "new.txt"), ("rename", "renamed.txt"), ("mkdir", "folder"), ("unlink", "folder"),
        ("write", "gone"), ("unlink", "gone"), ("truncate", "input.csv"), ("link", "soft"), ("link", "hard"),
        ("write", "renamed.txt")}
    assert written["write", "renamed.txt"]["bytes"] == 5
    for event in told["report"]["files_read"] + told["report"]["files_written"]:
        FileEvent.model_validate(event)
    assert told["report"]["events_lost"] == 0


def test_reads_of_libraries_are_counted_apart(walled: Walled) -> None:
    told = walled("import statistics, xml.dom.minidom, decimal")
    assert told["report"]["files_read"] == []
    assert told["report"]["library_reads"] > 5


def test_what_was_refused_is_told_so(walled: Walled) -> None:
    told = walled("""
print(tried(lambda: open("/outside/secret").read()))
print(tried(lambda: open("/outside/made", "w")))
print(tried(lambda: os.rename("/outside/secret", "/outside/other")))
print(tried(lambda: open("missing")))
""", files={"/outside/secret": "secret"})
    assert told["output"].split("\n")[:4] == ["errno 13", "errno 13", "errno 13", "errno 2"]
    read, written = files(told, "files_read"), files(told, "files_written")
    assert read["read", "/outside/secret"]["refused"]
    assert written["write", "/outside/made"]["refused"]
    assert all(event["refused"] for event in written.values())
    assert ("read", "missing") not in read


def test_raw_calls_threads_and_closed_descriptors_hide_nothing(walled: Walled) -> None:
    told = walled("""
import threading
os.closerange(3, 4096)
def read(name):
    fd = libc.open(name, os.O_RDONLY)
    os.read(fd, 1)
threads = [threading.Thread(target=read, args=(b"by-thread-%d" % n,)) for n in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
pid = os.fork()
if pid == 0:
    open("by-child").read()
    os._exit(0)
os.waitpid(pid, 0)
how = (0).to_bytes(24, "little")
assert call(437, -100, b"by-openat2", how, 24) > 0
import subprocess
subprocess.run(["/bin/cat", "by-exec"], stdout=subprocess.DEVNULL)
print("done")
""", files={f"/work/{name}": "x" for name in (*(f"by-thread-{n}" for n in range(8)), "by-child", "by-openat2", "by-exec")})
    assert told["output"] == "done\n"
    names = {path for _, path in files(told, "files_read")}
    assert names >= {f"by-thread-{n}" for n in range(8)} | {"by-child", "by-openat2", "by-exec"}


def test_openat2_keeps_its_own_rules(walled: Walled) -> None:
    told = walled("""
import struct
def openat2(dirfd, path, flags=0, mode=0, resolve=0, more=b""):
    how = struct.pack("=QQQ", flags, mode, resolve) + more
    return call(437, dirfd, path, how, len(how))
folder = os.open("/work/folder", os.O_RDONLY)
os.symlink("in", "/work/folder/link")
print(openat2(folder, b"in", resolve=8) > 0, openat2(folder, b"../out", resolve=8), openat2(folder, b"/out", resolve=8),
      openat2(folder, b"link", resolve=4), openat2(folder, b"../out", resolve=16), openat2(folder, b"in", more=b"\\1" * 8),
      openat2(folder, b"in", resolve=1 << 40), openat2(folder, b"in", flags=os.O_PATH), openat2(folder, b"../out") > 0)
""", files={"/work/folder/in": "x", "/work/out": "y"})
    assert told["output"].split() == ["True", "-18", "-18", "-40", "-2", "-7", "-22", "-1", "True"]


def test_the_runners_own_proc_is_never_handed_over(walled: Walled) -> None:
    told = walled("""
def pid_in(path):
    return [line.split()[1] for line in open(path) if line.startswith("Pid:")][0]
os.symlink("/proc/self/status", "status"); os.symlink("/proc/self/mem", "memory"); os.symlink("/proc/self", "self")
os.symlink("/proc/thread-self/status", "thread")
me = str(os.getpid())
print([pid_in(path) == me for path in ("status", "self/status", "thread", "/proc/self/status", "/proc/1/status")])
os.chdir("/proc/1"); print(pid_in("status") == me); os.chdir("/work")
for path in ("memory", "self/mem", "/proc/self/mem", "/proc/1/mem", "/proc/thread-self/mem", "self/pagemap"):
    print(tried(lambda: open(path, "r+b")), end=" ")
folder = os.open("/proc/1", os.O_PATH)
print(tried(lambda: os.open("mem", os.O_RDWR, dir_fd=folder)), tried(lambda: open("/proc/1/fd/0")))
print(sorted(os.listdir("/proc/self/fd")) == sorted(os.listdir("self/fd")))
""")
    assert told["output"].split("\n")[:4] == [
        "[True, True, True, True, True]", "True",
        "errno 13 errno 13 errno 13 errno 13 errno 13 errno 13 errno 13 errno 40", "True"]


def test_standard_streams_by_name_are_the_programs_own(walled: Walled) -> None:
    told = walled("""
open("/dev/stdout", "w").write("by name\\n")
open("/proc/self/fd/2", "w").write("by number\\n")
print(tried(lambda: open("/dev/fd/1", "r")), tried(lambda: open("/dev/fd/77")))
""")
    assert told["output"] == "by name\nby number\nerrno 13 errno 2\n"


def test_opens_mean_what_they_mean_without_a_witness(walled: Walled) -> None:
    program = """
import fcntl, tempfile, shutil, sqlite3
os.umask(0o027)
open("file", "w").write("x"); os.mkdir("folder"); os.mkdir("folder/below", 0o700)
print(oct(os.stat("file").st_mode), oct(os.stat("folder").st_mode), oct(os.stat("folder/below").st_mode))
print(tried(lambda: open("file", "x")), tried(lambda: open("folder", "w")), tried(lambda: open("")),
      tried(lambda: os.open("file", os.O_DIRECTORY)), tried(lambda: os.open("file", 0, dir_fd=99)),
      tried(lambda: os.rmdir("folder")), tried(lambda: os.unlink("folder")), tried(lambda: os.rename("no", "yes")),
      tried(lambda: os.mkdir("file/x")), tried(lambda: os.link("file", "folder")), tried(lambda: open("n" * 300)))
print(libc.open(None, 0), libc.open(b"n" * 5000, 0))
fd = os.open("file", os.O_RDWR | os.O_APPEND)
print(fcntl.fcntl(fd, fcntl.F_GETFL) & (os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK) == os.O_RDWR | os.O_APPEND,
      fcntl.fcntl(fd, fcntl.F_GETFD), fcntl.fcntl(libc.open(b"file", 0), fcntl.F_GETFD))
with tempfile.TemporaryFile() as file: file.write(b"x")
with tempfile.TemporaryDirectory() as folder: shutil.copytree("folder", folder + "/copy")
shutil.move("file", "folder/moved"); os.rename("folder", "folder2/"); print(os.listdir("folder2"))
with sqlite3.connect("db") as db: db.execute("create table t (a)"); db.execute("insert into t values (1)")
print(db.execute("select * from t").fetchall())
os.mkfifo("pipe"); print(os.open("pipe", os.O_RDONLY) > 0, os.open("pipe", os.O_WRONLY) > 0)
os.symlink("nowhere", "dangling"); print(tried(lambda: open("dangling")), tried(lambda: os.open("dangling", os.O_NOFOLLOW)))
open("dangling", "w"); print(os.path.exists("nowhere"))
print(tried(lambda: os.read(os.open("folder2", os.O_PATH), 1)))
"""
    told = walled(program)
    assert told["output"] == walled(program.replace('os.open("pipe", os.O_RDONLY)', 'os.open("pipe", os.O_RDWR)'),
                                    without=("notify", "filter"))["output"]
    assert told["exit"] == 0


def test_a_fifo_without_another_end_holds_nobody_up(walled: Walled) -> None:
    told = walled("""
os.mkfifo("pipe")
print(tried(lambda: os.open("pipe", os.O_WRONLY)), os.read(os.open("pipe", os.O_RDONLY), 1))
""", seconds=5)
    assert told["ended"]
    assert told["output"] == "errno 6 b''\n"


def test_truncate_keeps_to_the_programs_own_limit(walled: Walled) -> None:
    told = walled("""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
open("file", "w")
print(tried(lambda: os.truncate("file", 1 << 40)), tried(lambda: os.truncate("file", 900)), os.stat("file").st_size)
""")
    assert told["output"] == "errno 27 None 900\n"


def test_network_attempts_have_family_host_and_port(walled: Walled) -> None:
    told = walled("""
import socket
def to(family, kind, address, how="connect"):
    with socket.socket(family, kind) as s:
        print(tried(lambda: getattr(s, how)(*address)), end=" ")
to(socket.AF_INET, socket.SOCK_STREAM, [("192.0.2.1", 80)])
to(socket.AF_INET, socket.SOCK_STREAM, [("192.0.2.1", 80)])
to(socket.AF_INET6, socket.SOCK_STREAM, [("2001:db8::1", 443)])
to(socket.AF_INET, socket.SOCK_DGRAM, [b"x", ("192.0.2.2", 53)], "sendto")
to(socket.AF_INET, socket.SOCK_DGRAM, [[b"x"], [], 0, ("192.0.2.3", 54)], "sendmsg")
to(socket.AF_UNIX, socket.SOCK_STREAM, ["/var/run/docker.sock"])
to(socket.AF_UNIX, socket.SOCK_STREAM, ["\\0abstract"])
print(tried(lambda: socket.socket(40, socket.SOCK_STREAM)))
""")
    assert told["output"].split("errno ")[1:] == ["101 ", "101 ", "101 ", "101 ", "101 ", "13 ", "13 ", "97\n"]
    assert network(told) == {
        ("inet", "192.0.2.1", 80): 2, ("inet6", "2001:db8::1", 443): 1, ("inet", "192.0.2.2", 53): 1,
        ("inet", "192.0.2.3", 54): 1, ("unix", "/var/run/docker.sock", None): 1, ("unix", "@abstract", None): 1,
        ("vsock", None, None): 1}
    for event in told["report"]["network_attempts"]:
        NetworkAttempt.model_validate(event)


def test_sockets_of_its_own_work(walled: Walled) -> None:
    told = walled("""
import asyncio, multiprocessing, socket
left, right = socket.socketpair()
socket.send_fds(left, [b"x"], [1]); message, fds, _, _ = socket.recv_fds(right, 10, 1)
os.write(fds[0], b"handed over\\n")
async def both():
    return await asyncio.gather(asyncio.to_thread(int, "1"), asyncio.sleep(0.01, 2))
print(asyncio.run(both()))
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-1, 2]))
""")
    assert told["output"] == "handed over\n[1, 2]\n[1, 2]\n"
    assert network(told) == {}


def test_messages_without_an_address_arrive_whole_and_wait_for_their_reader(walled: Walled) -> None:
    told = walled("""
import array, hashlib, socket, threading, time
left, right = socket.socketpair()
data = os.urandom(3_000_000)
def read():
    time.sleep(0.3)
    got = hashlib.sha256()
    while part := right.recv(65536):
        got.update(part)
    print(got.hexdigest() == hashlib.sha256(data).hexdigest())
reader = threading.Thread(target=read); reader.start()
view = memoryview(data)
while view:
    view = view[left.sendmsg([view[:1], view[1:500_000]]):]
left.close(); reader.join()
left, right = socket.socketpair(type=socket.SOCK_DGRAM)
print(left.sendmsg([b"one ", b"", b"message"]), right.recv(100), tried(lambda: left.sendmsg([bytes(1 << 20)])))
left.setblocking(False)
try:
    while True:
        left.sendmsg([b"x" * 1000])
except BlockingIOError:
    print("full")
pipe = os.pipe()
left, right = socket.socketpair()
socket.send_fds(left, [b"two"], [pipe[0], 1])
data, fds, _, _ = socket.recv_fds(right, 10, 4)
os.write(pipe[1], b"through"); print(data, os.read(fds[0], 10))
print(tried(lambda: left.sendmsg([b"x"], [(socket.SOL_SOCKET, 2, bytes(12))])),
      tried(lambda: left.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [900]))])),
      tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendmsg([b"x"])))
right.close()
print(tried(lambda: left.sendmsg([b"x"])))
""", seconds=30)
    assert told["output"].splitlines() == [
        "True", "11 b'one message' errno 90", "full", "b'two' b'through'", "errno 22 errno 9 errno 89", "errno 32"]
    assert network(told) == {}


def test_a_path_out_of_shared_memory_leads_where_it_would_have_led() -> None:
    folder = b"/sandbox/shm"
    assert stand_in(b"/dev/shm/psm_1", folder) == b"/sandbox/shm/psm_1"
    assert stand_in(b"/dev/shm/a/../psm_1", folder) == b"/sandbox/shm/psm_1"
    assert stand_in(b"/dev/shm/../../sandbox/owner", folder) == b"/sandbox/owner"
    assert stand_in(b"/dev/shm/../null", folder) == b"/dev/null"
    assert stand_in(b"/dev/shm/..", folder) == b"/dev"
    assert stand_in(b"/dev/shm/..a/b", folder) == b"/sandbox/shm/..a/b"


def test_sendmsg_race(walled: Walled) -> None:
    """A second thread puts an address into a message that had none while the witness looks: nothing may go there unseen."""
    told = walled("""
import ctypes, socket, struct, sys, threading, time
class Part(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
class Message(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("name_size", ctypes.c_uint), ("parts", ctypes.POINTER(Part)),
                ("count", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_size", ctypes.c_size_t),
                ("flags", ctypes.c_int)]
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.bind(("127.0.0.1", 5353)); server.setblocking(False)
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
text = ctypes.create_string_buffer(b"past", 4); part = Part(ctypes.cast(text, ctypes.c_void_p), 4)
there = struct.pack("<H", 2) + struct.pack(">H", 5353) + socket.inet_aton("127.0.0.1") + bytes(8)
address = ctypes.create_string_buffer(there, 16)
message = Message(parts=ctypes.pointer(part), count=1, name_size=16)
name, turn = ctypes.addressof(address), [0, 0]
sys.setswitchinterval(1e-6)
def flip():
    while True:
        if turn[0]:
            for _ in range(turn[1]): pass
            message.name = name; turn[0] = 0
threading.Thread(target=flip, daemon=True).start()
seen, until, wait = {}, time.monotonic() + 4, 0
while time.monotonic() < until and "arrived" not in seen:
    wait = (wait + 3) % 2000
    message.name = None; turn[1] = wait; turn[0] = 1
    result = call({sendmsg}, client.fileno(), ctypes.byref(message), 0)
    seen[result] = seen.get(result, 0) + 1; turn[0] = 0
    try:
        server.recv(10); seen["arrived"] = 1
    except OSError: pass
print(sorted(map(str, seen))); sys.stdout.flush(); os._exit(0)
""".replace("{sendmsg}", "46" if os.uname().machine == "x86_64" else "211"), seconds=30)
    assert "arrived" not in told["output"]
    assert "-89" in told["output"]  # a destination is needed: sent without one, by the runner


def test_programs_that_are_started_are_told_with_their_words(walled: Walled) -> None:
    told = walled("""
import subprocess
subprocess.run(["/bin/echo", "one", "two"]); subprocess.run(["/bin/echo", "one", "two"])
open("own", "w").write("#!/bin/sh\\necho own\\n"); os.chmod("own", 0o755)
print(tried(lambda: subprocess.run(["./own"])), tried(lambda: subprocess.run(["missing"])))
fd = os.open("/bin/true", os.O_RDONLY)
print(call({execveat}, fd, b"", 0, 0, 0x1000))
""".replace("{execveat}", "322" if os.uname().machine == "x86_64" else "281"))
    assert told["output"] == "one two\none two\nerrno 13 errno 2\n-13\n"
    processes = {tuple(event["argv"]): event for event in told["report"]["processes"]}
    assert processes["/bin/echo", "one", "two"]["count"] == 2
    assert processes["./own",]["refused"]
    assert not any("missing" in argv for argv in processes)
    for event in processes.values():
        ProcessEvent.model_validate(event)


def test_a_flood_of_events_is_bounded_and_counted(walled: Walled) -> None:
    told = walled("""
for number in range(2600):
    os.close(os.open(f"file-{number}", os.O_CREAT | os.O_WRONLY))
print("done")
""", seconds=60)
    assert told["output"] == "done\n"
    assert len(told["report"]["files_written"]) == MOST_EVENTS
    assert told["report"]["events_lost"] == 600


def test_killing_a_thread_in_the_middle_of_a_call_stops_nothing(walled: Walled) -> None:
    told = walled("""
import signal, time
for round in range(60):
    pid = os.fork()
    if pid == 0:
        while True:
            os.close(os.open("input.csv", os.O_RDONLY))
    time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
for number in range(2000):
    # Interrupted before the runner took it up, the call was not made, and Python makes it again. Interrupted after
    # that it must not be: then the file would be there already.
    os.close(os.open(f"made-{number}", os.O_CREAT | os.O_WRONLY | os.O_EXCL))
print("done")
""", files={"/work/input.csv": "x"}, seconds=60)
    assert told["output"] == "done\n"
    assert told["exit"] == 0


# -- without a sandbox: bounds on hostile data -------------------------------------------------------------------------

def test_names_are_data() -> None:
    assert printable(b"tab\there\n\xff\xe2\x80\xae") == "tab\\there\\n\\xff\\u202e"
    assert len(printable(b"x" * 100_000)) < 1100
    ledger = Ledger("kernel", "/work")
    ledger.file("read", b"/workshop/a")
    ledger.file("read", b"/work/a\xff")
    assert [event["path"] for event in ledger.report()["files_read"]] == ["/workshop/a", "a\\xff"]


@pytest.mark.parametrize(("data", "told"), [
    (b"", ("unspec", None, None)),
    (b"\2\0", ("inet", None, None)),
    (b"\2\0\0\x50\x7f\0\0\1" + bytes(8), ("inet", "127.0.0.1", 80)),
    (b"\1\0/run/x\0junk", ("unix", "/run/x", None)),
    (b"\x28\0\0\0\0\0\0\0", ("vsock", None, None)),
    (b"\xff\xff", ("65535", None, None)),
])
def test_addresses_are_read_as_far_as_they_go(data: bytes, told: tuple[str, str | None, int | None]) -> None:
    assert read_address(data) == told
