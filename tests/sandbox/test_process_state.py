"""Programs that leave something behind for the next step of a session that keeps its variables."""

import json
import os
import textwrap
import time
from typing import TYPE_CHECKING

from fumehood.sandbox.limits import Limits
from fumehood.sandbox.session import RunOptions

if TYPE_CHECKING:
    from .conftest import Bench

KEEPING = RunOptions(state="process")
BETWEEN_S = 2.0


def test_threads_left_behind_stand_still_between_steps(bench: "Bench") -> None:
    session = bench.session(options=KEEPING, limits=Limits(cpu_s=30))
    left = session.run(textwrap.dedent("""
        import threading, time
        def burn():
            while True:
                sum(range(10_000))
        threading.Thread(target=burn, daemon=True).start()
        print(time.process_time())
    """), folder=bench.place())
    time.sleep(BETWEEN_S)
    after = session.run("print(time.process_time())", folder=bench.place())
    used = float(after.execution.stdout) - float(left.execution.stdout)
    assert used < BETWEEN_S / 2
    assert after.notes == []  # the same process, not one that was made anew


def test_what_stands_still_changes_no_file_while_files_are_collected(bench: "Bench") -> None:
    session = bench.session(options=KEEPING)
    session.run(textwrap.dedent("""
        import os, threading
        def write():
            for number in range(10**9):
                with open('alive.txt', 'w') as file:
                    file.write(str(number))
        threading.Thread(target=write, daemon=True).start()
        while not os.path.exists('alive.txt'):
            pass
    """), folder=bench.place())
    first, _ = session.collect(bench.place())
    second, _ = session.collect(bench.place())
    assert [item.sha256 for item in first] == [item.sha256 for item in second] != []


def test_no_timer_wakes_a_step_that_is_over(bench: "Bench") -> None:
    number = 222 if os.uname().machine == "x86_64" else 107
    report = bench.run(textwrap.dedent(f"""
        import ctypes, errno
        libc = ctypes.CDLL(None, use_errno=True)
        event = ctypes.create_string_buffer((18).to_bytes(12, 'little'), 64)
        made = libc.syscall({number}, 1, event, ctypes.create_string_buffer(8))
        print(made, ctypes.get_errno() in (errno.EPERM, errno.ENOSYS))
    """))
    assert report.execution.stdout == "-1 True\n"


def test_a_step_that_replaces_what_runs_programs_does_not_choose_the_next(bench: "Bench") -> None:
    session = bench.session(options=KEEPING)
    session.run(textwrap.dedent("""
        import builtins
        real = builtins.compile
        builtins.compile = lambda source, *rest, **more: real(b"print('another'); final_answer(42)", *rest, **more)
        builtins.exec = lambda *arguments: None
    """), folder=bench.place())
    report = session.run("final_answer(1)", folder=bench.place())
    assert (report.delivered, report.execution.stdout) == ("1", "")


def test_a_step_that_replaces_json_does_not_change_how_the_next_ends(bench: "Bench") -> None:
    session = bench.session(options=KEEPING)
    session.run("import json\njson.dumps = lambda *a, **k: '{\"exit_code\": 0}'\njson.loads = None", folder=bench.place())
    report = session.run("raise SystemExit(5)", folder=bench.place())
    assert (report.execution.outcome, report.execution.exit_code) == ("error", 5)
    report = session.run("1 / 0", folder=bench.place())
    assert report.execution.error is not None
    assert report.execution.error.type == "ZeroDivisionError"
    assert report.execution.warnings == []


def test_facts_that_the_kernel_knows_are_not_the_programs_to_say(bench: "Bench") -> None:
    """Whatever a step does to the modules it shares with the runner's child, limits and use are read outside of it."""
    session = bench.session(options=KEEPING)
    session.run(textwrap.dedent("""
        import os, resource, sys, time
        resource.getrlimit = lambda kind: (1, 1)
        time.process_time = time.monotonic = lambda: 0.0
        os.getpid = lambda: 1
    """), folder=bench.place())
    report = session.run("x = sum(range(3_000_000))\nprint(x)", folder=bench.place())
    assert report.execution.outcome == "completed"
    assert report.execution.cpu_s > 0
    assert report.execution.wall_s > 0
    assert json.loads(report.execution.stdout) == sum(range(3_000_000))
