"""The warm pool and the fork server: as isolated as a cold start, single-use, healthy, gone with their owner."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.errors import BadRequest
from fumehood.sandbox.fork_server import ForkingBubblewrap
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.pool import HEAVY, Pool, preload_for
from fumehood.sandbox.session import RunOptions, Session

LIMITS = Limits(wall_s=30)


@pytest.fixture(scope="module", params=["bubblewrap", "docker"])
def pool(request: pytest.FixtureRequest, usable: Callable[[str], Engine]) -> Iterator[Pool]:
    engine = usable(request.param)
    made = Pool(engine, limits=LIMITS, size=2, preload=HEAVY)
    yield made
    made.close()


def opened(pool: Pool, options: RunOptions | None = None, limits: Limits = LIMITS) -> Session:
    return Session.open(pool.engine, limits=limits, manifest=Manifest(), run_id="pooled", options=options,
                        source=pool.take)


def test_warm_sandbox_has_the_libraries_and_nothing_of_another(pool: Pool, tmp_path: Path) -> None:
    assert pool.fill()
    cold = pool.cold_starts
    program = ("import json, os, sys\nseen = 'pandas' in sys.modules\nopen('left.txt', 'w').write('x')\n"
               "final_answer([seen, sorted(os.listdir('.')), sorted(os.listdir(os.environ['TMPDIR']))])")
    answers = []
    for number in range(3):
        assert pool.fill()
        with opened(pool) as session:
            answers.append(json.loads(session.run(program, folder=tmp_path / str(number)).delivered or ""))
    assert answers == [[True, ["left.txt", "output"], ["home", "work"]]] * 3
    assert pool.cold_starts == cold


def test_randomness_is_not_shared_by_siblings(pool: Pool, tmp_path: Path) -> None:
    program = "import random, numpy, uuid\nprint(random.random(), numpy.random.rand(), uuid.uuid4())"
    told = set()
    for number in range(2):
        assert pool.fill()
        with opened(pool) as session:
            told.add(session.run(program, folder=tmp_path / str(number)).execution.stdout)
    assert len(told) == 2


def test_time_zone_and_limits_are_those_of_the_run(pool: Pool, tmp_path: Path) -> None:
    assert pool.fill()
    with opened(pool, RunOptions(timezone="Asia/Shanghai")) as session:
        report = session.run("import time\nprint(time.tzname[0])", folder=tmp_path, limits=Limits(cpu_s=3, wall_s=4))
    assert report.execution.stdout == "CST\n"
    assert report.evidence.limits.effective["cpu_s"] in (3, 4)
    assert pool.fill()
    with pytest.raises(BadRequest, match="Mars"):
        opened(pool, RunOptions(timezone="Mars/Olympus"))


def test_limits_are_lowered_at_hand_over_and_read_back(pool: Pool, tmp_path: Path) -> None:
    assert pool.fill()
    cold = pool.cold_starts
    with opened(pool, limits=Limits(wall_s=30, memory_mb=200, processes=20)) as session:
        report = session.run("print(1)", folder=tmp_path / "low")
        effective = report.evidence.limits.effective
        held = report.evidence.limits.held
        flood = session.run("held = []\nwhile True:\n    held.append(bytearray(10 << 20))", folder=tmp_path / "flood")
    assert pool.cold_starts == cold
    if held["memory_mb"] == "hard":
        # What the runner and the libraries take comes on top, as with every sandbox.
        assert 200 <= float(effective["memory_mb"] or 0) < 200 + 150
    if held["processes"] == "hard":
        assert 20 <= float(effective["processes"] or 0) <= 22
    assert flood.execution.outcome == "out_of_memory"
    assert (flood.execution.peak_memory_bytes or 0) < 300 << 20


def test_limits_of_one_program_are_lowered_and_raised_again(pool: Pool, tmp_path: Path) -> None:
    assert pool.fill()
    take = "held = bytearray(150 << 20)\nprint(len(held))"
    with opened(pool) as session:
        low = session.run(take, folder=tmp_path / "low", limits=Limits(memory_mb=64))
        high = session.run(take, folder=tmp_path / "high")
    assert low.execution.outcome == "out_of_memory"
    assert high.execution.outcome == "completed"


def test_what_the_pool_cannot_serve_starts_cold(pool: Pool, tmp_path: Path) -> None:
    before = pool.cold_starts
    with opened(pool, limits=Limits(memory_mb=600)) as session:
        assert session.run("print(1)", folder=tmp_path).execution.stdout == "1\n"
    assert pool.cold_starts == before + 1


def test_sandbox_that_died_while_it_waited_is_not_given_out(pool: Pool, tmp_path: Path) -> None:
    assert pool.fill()
    for sandbox in pool.waiting():
        sandbox.launched.kill()
    time.sleep(0.5)
    with opened(pool) as session:
        report = session.run("print(1)", folder=tmp_path)
    assert (report.execution.stdout, report.notes) == ("1\n", [])


def test_libraries_are_chosen_by_imports() -> None:
    assert preload_for(["json", "pandas.io"]) == HEAVY
    assert preload_for(["json", "csv"]) == ()


@pytest.fixture(scope="module")
def forking(usable: Callable[[str], Engine]) -> Iterator[ForkingBubblewrap]:
    engine = usable("bubblewrap")
    assert isinstance(engine, BubblewrapEngine)
    made = ForkingBubblewrap(engine, preload=("numpy",))
    yield made
    made.close()


def test_clone_is_a_sandbox_of_its_own(forking: ForkingBubblewrap, tmp_path: Path) -> None:
    program = """
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
def tried(act):
    try:
        return act()
    except OSError as error:
        return error.errno
status = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines() if ':\\t' in line)
final_answer({
    "pids": sorted(int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) != os.getpid()),
    "parent": os.getppid(), "caps": status["CapEff"] + status["CapBnd"], "unshare": libc.unshare(0x10000000),
    "mount": libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), "host": tried(lambda: open('/proc/sys/kernel/hostname', 'w')),
    "shm": os.listdir('/dev/shm'), "program": os.listdir('/program')})
open('/dev/shm/left', 'w').write('x')
"""
    answers = []
    for number in range(2):
        with Session.open(forking, limits=LIMITS, manifest=Manifest(), run_id="clone") as session:
            answers.append(json.loads(session.run(program, folder=tmp_path / str(number)).delivered or ""))
    assert answers[0] == answers[1]
    answer = answers[0]
    assert (answer["pids"], answer["parent"], answer["shm"], answer["program"]) == ([1], 1, [], ["main.py"])
    assert set(answer["caps"]) == {"0"}
    assert (answer["unshare"], answer["mount"]) == (-1, -1)
    assert isinstance(answer["host"], int)


def test_killed_parent_is_replaced(forking: ForkingBubblewrap, tmp_path: Path) -> None:
    with Session.open(forking, limits=LIMITS, manifest=Manifest(), run_id="first"):
        os.kill(forking.parent_pid(), 9)
    with Session.open(forking, limits=LIMITS, manifest=Manifest(), run_id="second") as session:
        assert session.run("print(1)", folder=tmp_path).execution.stdout == "1\n"
