"""What every engine must do alike: outcomes, output, files, environment, limits, sessions."""

import json
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fumehood.sandbox.errors import BadRequest, InputChanged, SandboxFailed
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import InputFile, Manifest
from fumehood.sandbox.session import RunOptions, Session

if TYPE_CHECKING:
    from conftest import Bench


def test_completed_program_and_its_output(bench: "Bench") -> None:
    report = bench.run("import sys\nprint('out')\nprint('err', file=sys.stderr)")
    execution = report.execution
    assert (execution.outcome, execution.exit_code, execution.signal) == ("completed", 0, None)
    assert (execution.stdout, execution.stderr) == ("out\n", "err\n")
    assert (execution.stdout_bytes, execution.stderr_bytes, execution.truncated) == (4, 4, False)
    assert report.stdout_path.read_bytes() == b"out\n"
    assert execution.wall_s > 0


def test_pandas_reads_an_input_and_writes_files(bench: "Bench") -> None:
    session = bench.session(inputs={"data/sales.csv": b"day,leads\n1,10\n2,30\n"})
    report = session.run(
        "import pandas as pd\nframe = pd.read_csv('data/sales.csv')\nframe.to_csv('output/copy.csv', index=False)\n"
        "final_answer({'sum': int(frame.leads.sum())})", folder=bench.place())
    assert report.execution.outcome == "completed", report.execution
    assert json.loads(report.delivered or "") == {"sum": 40}
    made, rejected = session.collect(bench.place())
    assert [(a.path, a.media_type) for a in made] == [("output/copy.csv", "text/csv")]
    assert rejected == []
    assert [(i.path, i.read) for i in report.evidence.inputs] == [("data/sales.csv", True)]


def test_exception_is_told_in_the_programs_own_lines(bench: "Bench") -> None:
    report = bench.run("import json\n\ndef half(n):\n    return json.loads(n)\n\nhalf('nonsense')\n")
    error = report.execution.error
    assert report.execution.outcome == "error"
    assert report.execution.exit_code == 1
    assert error is not None
    assert (error.type, error.line) == ("json.decoder.JSONDecodeError", 4)
    assert error.values == {"n": "str of 8"}
    assert "runner" not in error.traceback
    assert 'main.py", line 6' in error.traceback
    assert error.traceback in report.execution.stderr


def test_syntax_error_has_its_line(bench: "Bench") -> None:
    error = bench.run("x = 1\ny = = 2\n").execution.error
    assert error is not None
    assert (error.type, error.line) == ("SyntaxError", 2)


@pytest.mark.parametrize(("program", "code"), [("import os; os._exit(3)", 3), ("import sys; sys.exit(137)", 137),
                                               ("import sys; sys.exit(124)", 124), ("raise SystemExit(-1)", 255)])
def test_chosen_exit_codes_are_errors_and_nothing_more(bench: "Bench", program: str, code: int) -> None:
    execution = bench.run(program).execution
    assert (execution.outcome, execution.exit_code, execution.signal) == ("error", code, None)


def test_self_inflicted_kill_is_killed(bench: "Bench") -> None:
    execution = bench.run("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)").execution
    assert (execution.outcome, execution.signal, execution.exit_code) == ("killed", 9, None)
    assert "SIGKILL" in execution.message


def test_crash_names_its_signal(bench: "Bench") -> None:
    execution = bench.run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)").execution
    assert (execution.outcome, execution.signal) == ("killed", 11)


def test_kill_after_a_handled_childs_memory_error_is_no_out_of_memory(bench: "Bench") -> None:
    program = ("import os, signal, subprocess, sys\n"
               "subprocess.run([sys.executable, '-c', 'raise MemoryError'])\nos.kill(os.getpid(), signal.SIGKILL)")
    assert bench.run(program).execution.outcome == "killed"


def test_timeout_keeps_what_was_printed_and_names_the_limit(bench: "Bench") -> None:
    report = bench.run("import time\nprint('before')\ntime.sleep(60)", limits=Limits(wall_s=1.0))
    assert report.execution.outcome == "timeout"
    assert report.execution.stdout == "before\n"
    assert "1 s" in report.execution.message
    assert 1.0 <= report.execution.wall_s < 10


def test_session_goes_on_after_a_timeout_with_its_files(bench: "Bench") -> None:
    session = bench.session(limits=Limits(wall_s=1.5))
    session.run("import time\nopen('kept.txt', 'w').write('x')\ntime.sleep(60)", folder=bench.place())
    assert session.run("print(open('kept.txt').read())", folder=bench.place()).execution.stdout == "x\n"


def test_memory_is_bounded_and_proved(bench: "Bench") -> None:
    execution = bench.run("print('start')\nb = bytearray(900 * 2**20)\nb[::4096] = b'x' * len(b[::4096])\nprint('end')",
                          limits=Limits(memory_mb=128)).execution
    assert execution.outcome == "out_of_memory", execution
    assert execution.stdout == "start\n"
    assert "128" in execution.message


def test_memory_of_many_processes_is_summed(bench: "Bench") -> None:
    program = ("import os, time\nfor n in range(6):\n    if os.fork() == 0:\n        b = bytearray(60 * 2**20)\n"
               "        b[::4096] = b'x' * len(b[::4096])\n        time.sleep(20)\n        os._exit(0)\n"
               "time.sleep(20)\nprint('all lived')")
    execution = bench.run(program, limits=Limits(memory_mb=128, wall_s=10)).execution
    # Where the kernel takes a child, the parent may live on; it must not have got the memory for all.
    assert execution.outcome in ("out_of_memory", "timeout"), execution
    assert "all lived" not in execution.stdout
    assert (execution.peak_memory_bytes or 0) < 300 * 2**20


def test_processor_time_is_bounded(bench: "Bench") -> None:
    execution = bench.run("while True: pass", limits=Limits(cpu_s=1, wall_s=30)).execution
    assert (execution.outcome, execution.limit) == ("limit", "cpu")
    assert "1 s" in execution.message


def test_processor_time_of_many_processes_is_summed(bench: "Bench") -> None:
    program = ("import os, signal\nfor n in range(4): os.fork()\n"
               "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass")
    execution = bench.run(program, limits=Limits(cpu_s=2, wall_s=30)).execution
    assert (execution.outcome, execution.limit) == ("limit", "cpu"), execution


def test_self_sent_sigxcpu_is_no_limit(bench: "Bench") -> None:
    execution = bench.run("import os, signal\nos.kill(os.getpid(), signal.SIGXCPU)").execution
    assert (execution.outcome, execution.signal) == ("killed", 24)


def test_output_flood_is_cut_at_the_source(bench: "Bench") -> None:
    report = bench.run("import sys\nwhile True: sys.stdout.write('x' * 65536)", limits=Limits(output_kb=256))
    assert (report.execution.outcome, report.execution.limit) == ("limit", "output")
    assert "256 KB" in report.execution.message
    assert report.stdout_path.stat().st_size == 256 * 1024
    assert report.execution.truncated
    assert len(report.execution.stdout) < 80 * 1024


def test_long_output_keeps_head_and_tail(bench: "Bench") -> None:
    report = bench.run("for n in range(100_000): print('line', n)", limits=Limits(output_kb=4096, wall_s=120, cpu_s=120))
    assert report.execution.outcome == "completed"
    assert report.execution.stdout.startswith("line 0\n")
    assert report.execution.stdout.endswith("line 99999\n")
    assert "bytes left out" in report.execution.stdout
    assert report.execution.stdout_bytes == report.stdout_path.stat().st_size == 1088890


@pytest.mark.parametrize("folder", [".", "{temporary}", "output"])
def test_disk_is_bounded(bench: "Bench", folder: str) -> None:
    program = ("import itertools, os\ntemporary = os.environ['TMPDIR']\nfor n in itertools.count():\n"
               f"    with open(f'{folder}/{{n}}.bin', 'wb') as f:\n        f.write(bytes(2**20))")
    execution = bench.run(program, limits=Limits(workspace_mb=20)).execution
    assert (execution.outcome, execution.limit) == ("limit", "disk"), execution
    assert "20 MB" in execution.message


def test_number_of_files_is_bounded(bench: "Bench") -> None:
    program = "import itertools\nfor n in itertools.count(): open(f'{n}.txt', 'w').close()"
    execution = bench.run(program, limits=Limits(files=500)).execution
    assert (execution.outcome, execution.limit) == ("limit", "files"), execution
    assert "500" in execution.message


def test_number_of_processes_is_bounded(bench: "Bench") -> None:
    program = "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(30); os._exit(0)"
    execution = bench.run(program, limits=Limits(processes=20)).execution
    assert (execution.outcome, execution.limit) == ("limit", "processes"), execution
    assert "20" in execution.message


def test_a_program_too_large_to_store_is_a_clear_error(bench: "Bench") -> None:
    session = bench.session()
    with pytest.raises(BadRequest, match="put data into an input file"):
        session.run("#" * 9_000_000, folder=bench.place())
    with pytest.raises(BadRequest, match="command input"):
        session.execute(["python3", "-c", "pass"], folder=bench.place(), stdin=bytes(9_000_000))
    assert session.run("#" * 3_000_000 + "\nprint(1)", folder=bench.place()).execution.stdout == "1\n"


def test_programs_of_many_steps_never_fill_their_folder(bench: "Bench") -> None:
    session = bench.session(options=RunOptions(state="process"))
    for step in range(5):
        assert session.run("#" * 3_000_000 + f"\nprint({step})", folder=bench.place()).execution.stdout == f"{step}\n"


def test_threads_count_as_processes(bench: "Bench") -> None:
    program = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(30,), daemon=True).start()"
    execution = bench.run(program, limits=Limits(processes=20)).execution
    assert (execution.outcome, execution.limit) == ("limit", "processes"), execution


def test_effective_limits_are_read_back(bench: "Bench") -> None:
    asked = Limits(workspace_mb=48, cpu_s=7, memory_mb=160)
    limits = bench.run("print(1)", limits=asked).evidence.limits
    assert limits.requested["workspace_mb"] == 48
    assert limits.effective["workspace_mb"] == pytest.approx(48, abs=1)
    assert limits.effective["cpu_s"] in (7, 8)
    assert limits.effective["core_bytes"] == 0
    assert limits.effective["seccomp_mode"] == 2
    assert limits.effective["no_new_privs"] == 1
    assert limits.effective["capabilities"] == 0
    memory = limits.effective["memory_mb"]
    assert isinstance(memory, float)
    assert 160 <= memory <= 400


def test_background_child_ends_with_the_program(bench: "Bench") -> None:
    session = bench.session(limits=Limits(wall_s=30))
    report = session.run(
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(2); open(\"late.txt\", \"w\").write(\"x\")'],"
        " start_new_session=True)\nprint('main done')", folder=bench.place())
    assert (report.execution.outcome, report.execution.stdout) == ("completed", "main done\n")
    assert report.execution.wall_s < 20
    time.sleep(2.5)
    assert "False" in session.run("import os\nprint(os.path.exists('late.txt'))", folder=bench.place()).execution.stdout


def test_environment_is_fixed_and_short(bench: "Bench", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_TOKEN", "canary")
    report = bench.run("import os, json\nprint(json.dumps(dict(os.environ)))\n"
                       "shown = os.access('/proc/1/environ', os.R_OK)\n"
                       "print(shown and b'canary' in open('/proc/1/environ', 'rb').read())")
    environment = json.loads(report.execution.stdout.splitlines()[0])
    assert "canary" not in report.execution.stdout
    assert environment["TZ"] == "UTC"
    assert environment["PYTHONHASHSEED"] == "0"
    assert environment["OPENBLAS_NUM_THREADS"] == "1"
    allowed = ("PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "TZ", "PWD", "HOSTNAME",
               "ARROW_DEFAULT_MEMORY_POOL")
    assert [name for name in environment if not name.startswith(("PYTHON", "MPL"))
            and not name.endswith("_NUM_THREADS") and name not in allowed] == []


def test_home_tmp_and_matplotlib_are_writable(bench: "Bench") -> None:
    report = bench.run(
        "import os, tempfile, pathlib\nopen(os.path.expanduser('~/x'), 'w').close()\n"
        "tempfile.NamedTemporaryFile().close()\n"
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('output/c.png')\n"
        "print(open('output/c.png', 'rb').read(4))", limits=Limits(wall_s=60, cpu_s=60))
    assert report.execution.stdout == "b'\\x89PNG'\n", report.execution


def test_hashing_is_the_same_in_every_sandbox(bench: "Bench") -> None:
    program = "print(hash('a'), list({'x', 'y', 'z'}))"
    assert bench.run(program).execution.stdout == bench.run(program).execution.stdout


def test_seed_makes_runs_alike_and_its_lack_does_not(bench: "Bench") -> None:
    program = "import random, numpy\nprint(random.random(), numpy.random.rand())"
    seeded = [bench.run(program, options=RunOptions(seed=7)).execution.stdout for _ in range(2)]
    assert seeded[0] == seeded[1]
    session = bench.session()
    free = [session.run(program, folder=bench.place()).execution.stdout for _ in range(2)]
    assert free[0] != free[1]


def test_clock_can_stand_still(bench: "Bench") -> None:
    report = bench.run("import time, datetime\nprint(int(time.time()), datetime.datetime.now(), datetime.date.today(), "
                       "isinstance(datetime.datetime(2020, 1, 1), datetime.datetime), time.strftime('%Y'))",
                       options=RunOptions(frozen_time=86400.0))
    assert report.execution.stdout == "86400 1970-01-02 00:00:00 1970-01-02 True 1970\n"


def test_unknown_time_zone_is_refused_before_anything_runs(bench: "Bench") -> None:
    with pytest.raises(BadRequest, match="Mars/Olympus"):
        bench.session(options=RunOptions(timezone="Mars/Olympus"))


def test_input_is_read_only_and_what_a_program_does_to_it_is_not_kept(bench: "Bench") -> None:
    session = bench.session(inputs={"data.csv": b"a\n1\n"})
    refused = session.run("open('data.csv', 'w')", folder=bench.place())
    assert refused.execution.error is not None
    assert refused.execution.error.type == "PermissionError"
    forced = session.run("import os\nos.chmod('data.csv', 0o666)\nopen('data.csv', 'w').write('forged')",
                         folder=bench.place())
    assert any("data.csv" in warning for warning in forced.execution.warnings)
    assert session.collect(bench.place()) == ([], [])
    again = session.run("print(open('data.csv').read())", folder=bench.place())
    assert again.execution.stdout == "a\n1\n\n"
    assert again.notes == ["Inputs that a program had changed were put back: data.csv."]


def test_changed_input_is_refused(bench: "Bench", tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(b"changed meanwhile")
    item = InputFile(name="in.csv", source=str(source), bytes=17, sha256="0" * 64)
    with pytest.raises(InputChanged, match=r"in\.csv"):
        Session.open(bench.engine, limits=Limits(), manifest=Manifest(inputs=[item]), run_id="changed")


def test_large_input_is_there_too(bench: "Bench") -> None:
    content = os.urandom(1024) * 40 * 1024
    report = bench.run("import hashlib\nprint(hashlib.sha256(open('big.bin', 'rb').read()).hexdigest())",
                       inputs={"big.bin": content}, limits=Limits(workspace_mb=64))
    assert report.execution.stdout.strip() == report.evidence.inputs[0].sha256


def test_only_json_is_delivered(bench: "Bench") -> None:
    report = bench.run(
        "import decimal\nfor value in (float('nan'), {1, 2}, decimal.Decimal('1.5'), object()):\n"
        "    try:\n        final_answer(value)\n    except (TypeError, ValueError) as error:\n"
        "        print(type(error).__name__, error)\n"
        "final_answer(1)\nfinal_answer([2, 'last'])\nprint('goes on')")
    assert report.delivered == '[2, "last"]'
    lines = report.execution.stdout.splitlines()
    assert "NaN" in lines[0]
    assert "sorted()" in lines[1]
    assert "Decimal" in lines[2]
    assert "object" in lines[3]
    assert lines[4] == "goes on"


def test_tools_are_called_checked_and_written_down(bench: "Bench") -> None:
    def lookup(name: str, times: int = 1) -> list[str]:
        if name == "nobody":
            raise KeyError(name)
        return [name] * times

    report = bench.run(
        "print(tools.lookup('ann', times=2))\n"
        "for act in (lambda: tools.lookup('nobody'), lambda: tools.lookup('x', times='many'), lambda: tools.lookup(),\n"
        "            lambda: tools.other()):\n"
        "    try:\n        act()\n    except Exception as error:\n        print(type(error).__name__)",
        tools={"lookup": lookup})
    assert report.execution.stdout.splitlines() == ["['ann', 'ann']", *["ToolError"] * 3, "AttributeError"]
    assert [call.outcome for call in report.evidence.tool_calls] == ["returned", "raised", "refused", "refused"]


def test_tool_budget_and_permission(bench: "Bench") -> None:
    report = bench.run("for n in range(4):\n    try:\n        print(tools.add(n, n))\n    except ToolError as error:\n"
                       "        print(error)", tools={"add": lambda a, b: a + b}, tool_budget=3,
                       permit=lambda name, arguments: "a person said no" if arguments["a"] == 1 else None)
    lines = report.execution.stdout.splitlines()
    assert lines[0] == "0"
    assert "a person said no" in lines[1]
    assert lines[2] == "4"
    assert "budget of 3" in lines[3]


def test_files_stay_between_programs_and_variables_do_not(bench: "Bench") -> None:
    session = bench.session()
    session.run("x = 1\nopen('a.txt', 'w').write('kept')", folder=bench.place())
    report = session.run("print(open('a.txt').read(), 'x' in globals())", folder=bench.place())
    assert report.execution.stdout == "kept False\n"


def test_fresh_keeps_nothing(bench: "Bench") -> None:
    session = bench.session(inputs={"in.txt": b"input"}, options=RunOptions(state="fresh"))
    session.run("open('a.txt', 'w').write('kept')", folder=bench.place())
    report = session.run("import os\nprint(os.path.exists('a.txt'), open('in.txt').read())", folder=bench.place())
    assert report.execution.stdout == "False input\n"


def test_process_keeps_variables_and_says_when_it_rebuilt_them(bench: "Bench") -> None:
    session = bench.session(options=RunOptions(state="process"))
    session.run("x = 41\ndef f(n):\n    return n / 0\nopen('kept.txt', 'w').write('on disk')", folder=bench.place())
    failed = session.run("\n\n\nf(x)", folder=bench.place()).execution
    assert failed.error is not None
    assert failed.error.line == 4
    assert "return n / 0" in failed.error.traceback
    assert session.run("print(x + 1)", folder=bench.place()).execution.stdout == "42\n"
    assert session.run("import os\nos._exit(3)", folder=bench.place()).execution.exit_code == 3
    rebuilt = session.run("print(x + 1, open('kept.txt').read())", folder=bench.place())
    assert rebuilt.execution.stdout == "42 on disk\n"
    assert any("rebuilt" in note for note in rebuilt.notes)


def test_lost_sandbox_is_rebuilt_from_the_last_collection(bench: "Bench") -> None:
    session = bench.session(inputs={"in.txt": b"input"})
    session.run("open('output/made.txt', 'w').write('made')", folder=bench.place())
    session.collect(bench.place())
    session.cancel()
    report = session.run("print(open('output/made.txt').read(), open('in.txt').read())", folder=bench.place())
    assert report.execution.stdout == "made input\n"
    assert report.notes


def test_another_process_restores_files_and_variables(bench: "Bench") -> None:
    first = bench.session(options=RunOptions(state="process"))
    program = "x = 41\nopen('made.txt', 'w').write('made')"
    first.run(program, folder=bench.place())
    folder = bench.place()
    made, _ = first.collect(folder)
    first.close()
    second = bench.session(options=RunOptions(state="process"))
    second.restore({a.path: folder / a.stored for a in made}, [program])
    assert second.run("print(x, open('made.txt').read())", folder=bench.place()).execution.stdout == "41 made\n"
    assert second.files == {"made.txt"}


def test_collect_sends_only_what_is_new_or_changed(bench: "Bench") -> None:
    session = bench.session()
    session.run("open('a.txt', 'w').write('a')\nopen('b.txt', 'w').write('b')", folder=bench.place())
    first, _ = session.collect(bench.place())
    session.run("open('b.txt', 'w').write('changed')", folder=bench.place())
    second, _ = session.collect(bench.place(), known={a.path: a.sha256 for a in first})
    assert [a.path for a in first] == ["a.txt", "b.txt"]
    assert [a.path for a in second] == ["b.txt"]


def test_names_are_data(bench: "Bench") -> None:
    session = bench.session()
    session.run("import os\nfor name in (b'plain.txt', b'new\\nline', b'\\xff\\xfe', b'back\\\\slash',\n"
                "             '\u03b3.txt'.encode(), b'-rf'):\n"
                "    open(b'output/' + name, 'w').write('x')", folder=bench.place())
    folder = bench.place()
    made, rejected = session.collect(folder)
    assert rejected == []
    assert sorted(a.path for a in made) == sorted(
        f"output/{name}" for name in ("plain.txt", "new\\x0aline", "\\xff\\xfe", "back\\\\slash", "\u03b3.txt", "-rf"))
    for artifact in made:
        stored = folder / artifact.stored
        assert stored.read_text() == "x"
        assert stored.stat().st_mode & 0o777 == 0o644
        assert folder in stored.resolve().parents


def test_cancel_ends_a_run_from_another_thread(bench: "Bench") -> None:
    session = bench.session(limits=Limits(wall_s=60))
    threading.Timer(1.0, session.cancel).start()
    execution = session.run("import time\nprint('on')\ntime.sleep(50)", folder=bench.place()).execution
    assert execution.outcome == "sandbox_failed"
    assert execution.wall_s < 30


def test_output_is_streamed_while_the_program_runs(bench: "Bench") -> None:
    heard: list[tuple[float, bytes]] = []
    started = time.monotonic()
    bench.run("import time\nprint('one')\ntime.sleep(1.5)\nprint('two')",
              on_output=lambda stream, data: heard.append((time.monotonic() - started, data)))
    assert b"".join(data for _, data in heard) == b"one\ntwo\n"
    assert heard[-1][0] - heard[0][0] > 1


def test_command_runs_inside_the_same_walls(bench: "Bench") -> None:
    session = bench.session()
    code = "import sys, os; print(sys.stdin.read(), os.getcwd()[-4:], os.environ['X'])"
    report = session.execute(["python3", "-c", code],
                             folder=bench.place(), environment={"X": "y"}, stdin=b"in")
    assert report.execution.stdout == "in work y\n", report.execution
    assert session.execute(["no-such-command"], folder=bench.place()).execution.exit_code == 127


@pytest.mark.parametrize("state", ["fresh", "files", "process"])
def test_what_the_host_gives_is_there_in_every_sandbox_of_the_session(bench: "Bench", state: str) -> None:
    source = bench.folder / "given.txt"
    source.write_text("given")
    session = bench.session(options=RunOptions.model_validate({"state": state}))
    session.give("earlier/given.txt", source)
    look = "print(open('earlier/given.txt').read())"
    assert [session.run(look, folder=bench.place()).execution.stdout for _ in range(2)] == ["given\n"] * 2
    session.cancel()
    assert session.run(look, folder=bench.place()).execution.stdout == "given\n"


def test_what_there_is_no_room_for_is_not_given_and_breaks_no_later_run(bench: "Bench") -> None:
    source = bench.folder / "large.bin"
    source.write_bytes(bytes(8 * 2**20))
    session = bench.session(options=RunOptions(state="fresh"), limits=Limits(workspace_mb=4))
    with pytest.raises(SandboxFailed, match="fill the workspace"):
        session.give("earlier/large.bin", source)
    report = session.run("import os\nprint(os.path.exists('earlier/large.bin'))", folder=bench.place())
    assert report.execution.stdout == "False\n"
