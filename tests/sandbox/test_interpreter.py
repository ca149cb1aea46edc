"""The interpreter's witness: what audit hooks add to the kernel's, stand in for it with, and what forging comes to."""

import json
import os
from collections.abc import Callable
from typing import Any

from fumehood.sandbox.runner.interpreter import InterpreterWitness, add_lines

Walled = Callable[..., dict[str, Any]]


def test_lines_and_names_come_from_the_interpreter(walled: Walled) -> None:
    told = walled("""
import socket
def reach():
    socket.create_connection(("192.0.2.9", 8080))  # here
try:
    reach()
except OSError:
    pass
try:
    socket.getaddrinfo("data.example.org", 443)
except OSError:
    pass
""", hook="net")
    line = told["hook"]["network_attempts"][-1]["line"]
    merged = {(e["family"], e["host"], e["port"]): e
              for e in add_lines(told["report"], told["hook"])["network_attempts"]}
    assert merged["inet", "192.0.2.9", 8080]["witness"] == "kernel"
    assert merged["inet", "192.0.2.9", 8080]["line"] == line - 6
    assert merged["dns", "data.example.org", 443]["witness"] == "interpreter"


def test_where_the_kernel_cannot_notify_the_interpreter_tells_the_same(walled: Walled) -> None:
    told = walled("""
import socket, subprocess
open("input.csv").read(); open("out.txt", "w").write("x"); os.rename("out.txt", "final.txt"); os.mkdir("folder")
os.remove("final.txt"); os.symlink("input.csv", "soft")
tried(lambda: socket.create_connection(("192.0.2.9", 8080)))
subprocess.run(["/bin/true", "word"])
""", hook="all", without=("notify",), files={"/work/input.csv": "x"})
    hook = told["hook"]
    assert told["report"] is None
    assert {(e["mode"], e["path"]) for e in hook["files_read"]} == {("read", "input.csv")}
    assert {(e["mode"], e["path"]) for e in hook["files_written"]} == {
        ("write", "out.txt"), ("rename", "out.txt"), ("rename", "final.txt"), ("mkdir", "folder"),
        ("unlink", "final.txt"), ("link", "soft")}
    assert all(e["contestable"] and e["witness"] == "interpreter" for e in hook["files_written"] + hook["files_read"])
    assert ("inet", "192.0.2.9", 8080) in {(e["family"], e["host"], e["port"]) for e in hook["network_attempts"]}
    assert ["/bin/true", "word"] in [e["argv"] for e in hook["processes"]]


def test_cutting_the_interpreters_pipe_stops_what_would_have_been_told(walled: Walled) -> None:
    told = walled("""
os.close(9)
print(tried(lambda: open("input.csv")))
os.open  # a descriptor of the same number is not the pipe
read, write = os.pipe(); os.dup2(write, 9)
print(tried(lambda: open("input.csv")))
""", hook="all", without=("notify",), files={"/work/input.csv": "x"})
    assert told["output"].split() == ["errno", "None"] * 2


def test_what_the_program_writes_into_the_pipe_itself_is_counted_as_lost() -> None:
    read, write = os.pipe()
    witness = InterpreterWitness(read, "/work", ())
    forged: list[bytes] = [b"[" * 3000, b"nonsense", b"{}", b"[]", b'{"paths": [1], "mode": "read"}', b"1" * 4000,
                           b'{"paths": ["a"], "mode": "erase"}', b'{"family": "x", "host": 1, "port": null, "line": 1}',
                           b'{"argv": "words"}'[:-1]]
    os.write(write, b"\n".join(forged) + b"\n" + json.dumps({"paths": ["/work/real"], "mode": "read"}).encode() + b"\n")
    os.close(write)
    report = witness.report()
    witness.close()
    assert report["events_lost"] == len(forged)
    assert [event["path"] for event in report["files_read"]] == ["real"]
