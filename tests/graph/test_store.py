"""The run store against real processes, in SQLite and in PostgreSQL."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.approval import Decision, Question, build_question
from fumehood.graph.errors import StoreError
from fumehood.graph.lease import surely_alive
from fumehood.graph.questions import TooLate
from fumehood.graph.state import Attempt, Outcome
from fumehood.graph.stop import StopReason
from fumehood.graph.store import RunStore, new_run_id
from fumehood.graph.task import Task
from fumehood.policies.verdict import Finding, Verdict, sha256_text
from fumehood.sandbox.evidence import Evidence
from fumehood.sandbox.execution import Execution
from fumehood.sandbox.owner import owner_identity

TASK = Task(goal="count the rows")


def question_for(run_id: str, program: str = "print(1)", **given: Any) -> Question:
    verdict = Verdict(decision="review", program_sha256=sha256_text(program), policy_sha256="p" * 64, inputs_sha256="i")
    return build_question(run_id=run_id, number=1, goal="g", program=program, verdict=verdict, limits={"wall_s": 5},
                          engine="docker", **given)


def new_run(store: RunStore, task: Task = TASK) -> str:
    run_id = new_run_id()
    store.create(run_id, task)
    return run_id


class Processes:
    """Processes of their own that run our own code (never a generated program)."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[str]] = []

    def __call__(self, code: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started.append(process)
        return process

    def end(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            process.wait()


@pytest.fixture
def python() -> Iterator[Processes]:
    processes = Processes()
    yield processes
    processes.end()


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


def ready(process: subprocess.Popen[str]) -> None:
    """Wait until it says that it is ready."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line == "ready\n", line or process.communicate()[1]


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


OPEN = """
import sys
from pathlib import Path
from fumehood.graph.store import RunStore
home, url, run_id = Path(sys.argv[1]), sys.argv[2] or None, sys.argv[3]
store = RunStore(home, url)
"""


def test_run_ids_sort_by_time_and_are_safe_in_paths_and_urls() -> None:
    ids = []
    for _ in range(20):
        ids.append(new_run_id())
        time.sleep(0.002)
    assert ids == sorted(ids)
    assert len({new_run_id() for _ in range(2000)}) == 2000
    assert all(re.fullmatch(r"\d{6}-\d{6}-[0-9a-z]{8}", item) for item in ids)


def test_create_makes_a_private_folder_and_refuses_a_taken_or_unsafe_name(store: RunStore) -> None:
    run_id = new_run_id()
    folder = store.create(run_id, TASK, settings_json='{"model": "m"}')
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder == store.folder(run_id)
    assert store.get(run_id).settings_json == '{"model": "m"}'
    with pytest.raises(StoreError, match="already a run"):
        store.create(run_id, TASK)
    assert store.create(run_id, Task(goal="another"), exist_ok=True) == folder
    assert store.get(run_id).task() == TASK
    for unsafe in ("../x", "a/b", "", "A", "x" * 65, "a\0"):
        with pytest.raises(StoreError, match="cannot be the id"):
            store.create(unsafe, TASK)


def test_a_task_with_hostile_text_is_stored_and_read_back(store: RunStore) -> None:
    task = Task(goal="nul \0 lone \ud800 huge", result={"const": 10**40})
    row = store.get(new_run(store, task))
    assert row.task() == task
    assert row.task().result == {"const": 10**40}
    assert "\0" not in row.goal


def test_find_takes_a_prefix_and_names_the_candidates(store: RunStore) -> None:
    for run_id in ("250101-000000-aa0001", "250101-000000-aa0002", "250102-000000-aa0003"):
        store.create(run_id, TASK)
    assert store.find("250102") == "250102-000000-aa0003"
    assert store.find("last") == "250102-000000-aa0003"
    assert store.find("250101-000000-aa0001") == "250101-000000-aa0001"
    with pytest.raises(StoreError, match="aa0001, 250101-000000-aa0002: give more"):
        store.find("250101")
    for unknown in ("zzz", "", "%", "\0"):
        with pytest.raises(StoreError, match="no such run"):
            store.find(unknown)
    with pytest.raises(StoreError, match="no such run"):
        store.get("250101")


def test_list_is_newest_first_and_filters(store: RunStore) -> None:
    first, second, third = (new_run(store) for _ in range(3))
    store.set_status(second, "waiting")
    assert [row.run_id for row in store.list()] == [third, second, first]
    assert [row.run_id for row in store.list(limit=1)] == [third]
    assert [row.run_id for row in store.list(waiting=True)] == [second]
    assert store.list(since=time.time() + 5) == []
    with pytest.raises(StoreError, match="no such run"):
        store.set_status("nowhere", "running")


def test_an_effect_happens_once_whatever_its_text(store: RunStore) -> None:
    run_id = new_run(store)
    made: list[str] = []

    def make() -> str:
        made.append("x")
        return "nul \0 lone \ud800 line\n"

    assert store.recorded(run_id, "k") is None
    assert store.once(run_id, "k", make) == "nul \0 lone \ud800 line\n"
    assert store.once(run_id, "k", make) == "nul \0 lone \ud800 line\n"
    assert made == ["x"]
    assert store.once(run_id, "empty", lambda: "") == ""
    assert store.recorded(run_id, "empty") == ""
    assert [key for key, _ in store.effects(run_id)] == ["k", "empty"]


def test_an_effect_that_raises_is_not_recorded(store: RunStore) -> None:
    run_id = new_run(store)

    def fails() -> str:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        store.once(run_id, "k", fails)
    assert store.once(run_id, "k", lambda: "then") == "then"


def test_eight_processes_write_the_journal_at_once(place: Any, python: Processes) -> None:
    with place.open() as store:
        run_id = new_run(store)
        code = OPEN + """
for number in range(60):
    store.once(run_id, f"{sys.argv[4]}:{number}", lambda: "x" * 100)
    shared = store.once(run_id, f"shared:{number}", lambda: sys.argv[4])
    print(shared)
store.close()
"""
        writers = [python(code, place.home, place.url or "", run_id, name) for name in range(8)]
        said = [finished(writer).split() for writer in writers]
        assert len(store.effects(run_id)) == 8 * 60 + 60
        assert all(answers == said[0] for answers in said), "a shared effect had two records"


def test_a_store_is_opened_for_the_first_time_by_many_processes_at_once(place: Any, python: Processes) -> None:
    code = """
import sys
from pathlib import Path
from fumehood.graph.checkpoints import open_checkpointer
from fumehood.graph.settings import Settings
from fumehood.graph.store import RunStore
import langgraph.checkpoint.sqlite, langgraph.checkpoint.postgres
for home in sys.argv[2:]:
    print("ready", flush=True)
    sys.stdin.readline()
    with RunStore(Path(home), sys.argv[1] or None):
        pass
    with open_checkpointer(Settings(home=home, database_url=sys.argv[1] or None)):
        pass
"""
    homes = [place.home / str(number) for number in range(1 if place.url else 5)]
    together = [python(code, place.url or "", *homes) for _ in range(6)]
    for _ in homes:
        for process in together:
            ready(process)
        for process in together:
            go(process)
    for process in together:
        finished(process)


def test_two_processes_decide_and_one_is_told_so(place: Any, python: Processes) -> None:
    code = OPEN + """
from fumehood.graph.approval import Decision
from fumehood.graph.errors import StoreError
kind = sys.argv[4]
asked = store.pending(run_id)
print("ready", flush=True)
sys.stdin.readline()
try:
    store.decide(run_id, asked.question.question_id, Decision(type=kind, binding=asked.question.binding.digest), by=kind)
    print("taken")
except StoreError as error:
    print(error)
store.close()
"""
    with place.open() as store:
        for _ in range(2):
            run_id = new_run(store)
            question = question_for(run_id)
            store.ask(run_id, question)
            two = [python(code, place.home, place.url or "", run_id, kind) for kind in ("approve", "reject")]
            for process in two:
                ready(process)
            for process in two:
                go(process)
            said = dict(zip(("approve", "reject"), (finished(process).strip() for process in two), strict=True))
            decision = store.decision(run_id, question.question_id)
            assert decision is not None
            loser = "reject" if decision.type == "approve" else "approve"
            assert said[decision.type] == "taken"
            assert said[loser].startswith(f"already decided: {decision.type} by {decision.type}")


def test_a_question_is_asked_once_and_decided_once(store: RunStore) -> None:
    run_id = new_run(store)
    question = question_for(run_id, "print('\0 \ud800')")
    assert store.ask(run_id, question) == store.ask(run_id, question) == question.question_id
    asked = store.pending(run_id)
    assert asked is not None
    assert asked.question == question
    assert store.decision(run_id, question.question_id) is None
    approve = Decision(type="approve", binding=question.binding.digest)
    store.decide(run_id, question.question_id, approve, by="ann\0")
    assert store.decision(run_id, question.question_id) == approve
    assert store.pending(run_id) is None
    with pytest.raises(StoreError, match="already decided: approve by ann"):
        store.decide(run_id, question.question_id, Decision(type="reject", binding="b"), by="bob")
    with pytest.raises(StoreError, match="no such question"):
        store.decide(run_id, "nothing", approve, by="bob")
    other = new_run(store)
    with pytest.raises(StoreError, match="no such question"):
        store.decide(other, question.question_id, approve, by="bob")


def test_an_answer_of_a_resume_is_taken_once(store: RunStore) -> None:
    run_id = new_run(store)
    question = question_for(run_id)
    store.ask(run_id, question)
    assert store.answer(run_id, question, {"look": "store"}, number=1, by="x") is None
    yes, no = ({"decisions": [{"type": kind}]} for kind in ("approve", "reject"))
    taken = store.answer(run_id, question, yes, number=1, by="page")
    assert taken is not None
    assert taken.type == "approve"
    for second in (yes, no):
        with pytest.raises(StoreError, match="already decided"):
            store.answer(run_id, question, second, number=1, by="page")
    store.let_go(run_id, 1)
    assert store.answer(run_id, question, yes, number=1, by="page") == taken, "a failed node brings its answer again"
    store.settle(run_id, 1)
    for second in (yes, no):
        with pytest.raises(StoreError, match="already decided: approve by page"):
            store.answer(run_id, question, second, number=1, by="page")
    assert store.answer(run_id, question, {"look": "store"}, number=1, by="x") == taken


def test_an_answer_that_was_given_elsewhere_is_not_taken_for_a_repetition(store: RunStore) -> None:
    run_id = new_run(store)
    question = question_for(run_id)
    store.ask(run_id, question)
    store.decide(run_id, question.question_id, Decision(type="approve", binding=question.binding.digest), by="anna")
    with pytest.raises(StoreError, match="already decided: approve by anna"):
        store.answer(run_id, question, {"decisions": [{"type": "approve"}]}, number=1, by="caller")


def test_a_killed_process_leaves_its_answer_to_be_brought_again(place: Any, python: Processes) -> None:
    code = OPEN + """
import time
question = store.questions(run_id)[0].question
store.answer(run_id, question, {"decisions": [{"type": "approve"}]}, number=1, by="caller")
print("ready", flush=True)
time.sleep(600)
"""
    with place.open() as store:
        run_id = new_run(store)
        question = question_for(run_id)
        store.ask(run_id, question)
        holder = python(code, place.home, place.url or "", run_id)
        ready(holder)
        yes = {"decisions": [{"type": "approve"}]}
        with pytest.raises(StoreError, match="already decided"):
            store.answer(run_id, question, yes, number=1, by="caller")
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        deadline = time.monotonic() + 15
        while True:
            try:
                assert store.answer(run_id, question, yes, number=1, by="caller") is not None
                break
            except StoreError:
                assert time.monotonic() < deadline, "a dead process still holds the question"
                time.sleep(0.05)


def test_an_effect_is_made_by_one_process_while_the_others_wait(place: Any, python: Processes) -> None:
    code = OPEN + """
import time
def make():
    print("ready", flush=True)
    sys.stdin.readline()
    return sys.argv[4]
print(store.once(run_id, "k", make))
"""
    with place.open() as store:
        run_id = new_run(store)
        first = python(code, place.home, place.url or "", run_id, "first")
        ready(first)
        said: list[str] = []
        waiting = threading.Thread(target=lambda: said.append(store.once(run_id, "k", lambda: "second")))
        waiting.start()
        go(first)
        assert finished(first).split() == ["first"]
        waiting.join()
        assert said == ["first"]


def test_nobody_decides_after_the_time_is_over(store: RunStore) -> None:
    run_id = new_run(store)
    question = question_for(run_id, expires_s=0.05)
    store.ask(run_id, question)
    time.sleep(0.1)
    asked = store.pending(run_id)
    assert asked is not None
    assert asked.expired()
    with pytest.raises(TooLate, match="expired"):
        store.decide(run_id, question.question_id, Decision(type="approve", binding="b"), by="late")
    assert store.answer(run_id, question, {"decisions": [{"type": "approve"}]}, number=1, by="late") is None
    assert store.decision(run_id, question.question_id) is None


def test_one_process_drives_a_run_and_its_death_shows(place: Any, python: Processes) -> None:
    code = OPEN + """
import time
store.set_status(run_id, "running")
with store.lease(run_id):
    print("ready", flush=True)
    time.sleep(600)
"""
    with place.open() as store:
        run_id = new_run(store)
        holder = python(code, place.home, place.url or "", run_id)
        ready(holder)
        assert store.get(run_id).status == "running"
        with pytest.raises(StoreError, match="another process is working on run"), store.lease(run_id):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        deadline = time.monotonic() + 15
        while store.get(run_id).status != "interrupted":
            assert time.monotonic() < deadline, "a dead owner's run is still running"
            time.sleep(0.05)
        row = store.get(run_id)
        assert row.owner.split("/")[3] == str(holder.pid)
        assert "resume" in row.message
        assert [(tally.name, tally.count) for tally in store.stats()] == [("interrupted", 1)], "not as it is listed"
        with store.lease(run_id):
            store.set_status(run_id, "running")
            assert store.get(run_id).status == "running"


def test_a_lease_keeps_other_threads_out_and_ends(store: RunStore) -> None:
    run_id = new_run(store)
    refused: list[StoreError] = []

    def other() -> None:
        try:
            with store.lease(run_id):
                pass
        except StoreError as error:
            refused.append(error)

    with store.lease(run_id):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(refused) == 1
    other()
    assert len(refused) == 1


def test_an_owner_is_not_taken_for_a_later_process_with_its_pid() -> None:
    me = owner_identity()
    host, boot, namespace, pid, started = me.split("/")
    assert surely_alive(me)
    assert not surely_alive("/".join([host, boot, namespace, pid, str(int(started) + 1)]))
    assert not surely_alive("/".join([f"{host}-elsewhere", boot, namespace, pid, started]))
    assert not surely_alive("/".join([host, boot, "another", pid, started])), "a pid of another container says nothing"
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not surely_alive("/".join([host, boot, namespace, str(child.pid), "1"]))


def test_sigkill_between_two_effects_repeats_only_the_one_in_flight(place: Any, tmp_path: Path, python: Processes) -> None:
    code = OPEN + """
import os, signal
log, kill_in = Path(sys.argv[4]), sys.argv[5]
def effect(name):
    def make():
        with log.open("a") as handle:
            handle.write(name + "\\n")
        if name == kill_in:
            os.kill(os.getpid(), signal.SIGKILL)
        return name
    return make
for name in ("one", "two", "three"):
    store.once(run_id, name, effect(name))
    store.audit.append_once(run_id, name, "effect", of=name)
store.close()
"""
    for kill_in in ("one", "two", "three"):
        with place.open() as store:
            run_id = new_run(store)
            log = tmp_path / f"{kill_in}.log"
            first = python(code, place.home, place.url or "", run_id, log, kill_in)
            first.communicate(timeout=600)
            assert first.returncode == -signal.SIGKILL
            finished(python(code, place.home, place.url or "", run_id, log, "nowhere"))
            happened = log.read_text().split()
            assert sorted(set(happened)) == ["one", "three", "two"]
            assert happened.count(kill_in) == 2
            assert len(happened) == 4
            assert [entry["of"] for entry in store.audit.entries(run_id)] == ["one", "two", "three"]


def test_outcomes_are_counted_once(store: RunStore) -> None:
    run_id = new_run(store)
    evidence = Evidence(engine="docker", runtime="r", witness="kernel")
    denied = Attempt(step=1, number=1, verdict="deny", findings=[
        Finding(rule="no-os", severity="ERROR", line=1, message="m"),
        Finding(rule="no-os", severity="ERROR", line=2, message="m")])
    ran = Attempt(step=1, number=2, verdict="allow", evidence=evidence,
                  execution=Execution(outcome="timeout", wall_s=1.5))
    outcome = Outcome(run_id=run_id, status="stopped", stop_reason=StopReason.TIMEOUT, message="slow",
                      attempts=[denied, ran])
    store.finish(outcome)
    store.finish(outcome)
    counted = {(tally.kind, tally.name): (tally.count, tally.seconds) for tally in store.stats()}
    lasted = counted.pop(("status", "stopped"))
    assert lasted[0] == 1
    assert lasted[1] > 0.0
    assert counted == {("stop_reason", "timeout"): lasted, ("verdict", "deny"): (1, 0.0), ("verdict", "allow"): (1, 1.5),
                       ("rule", "no-os"): (1, 0.0), ("execution", "timeout"): (1, 1.5), ("engine", "docker"): (1, 1.5)}
    row = store.get(run_id)
    assert (row.status, row.stop_reason, row.message, row.finished) == ("stopped", StopReason.TIMEOUT, "slow", True)
    with pytest.raises(ValueError, match="no end of a run"):
        store.finish(Outcome(run_id=run_id, status="waiting"))


def test_a_home_or_an_address_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="FUMEHOOD_HOME"):
        RunStore(blocked / "home")
    with pytest.raises(StoreError, match="postgresql://"):
        RunStore(tmp_path, "mysql://x")
    with pytest.raises(StoreError, match="does not answer") as caught:
        RunStore(tmp_path, "postgresql://user:secretword@127.0.0.1:1/x")
    assert "secretword" not in str(caught.value)


def test_a_forked_process_does_not_share_the_connection(tmp_path: Path, python: Processes) -> None:
    code = """
import os, sys
from pathlib import Path
from fumehood.graph.store import RunStore, new_run_id
from fumehood.graph.task import Task
store = RunStore(Path(sys.argv[1]))
run_id = new_run_id()
store.create(run_id, Task(goal="g"))
children = []
for child in range(4):
    pid = os.fork()
    if pid == 0:
        for number in range(50):
            store.once(run_id, f"{child}:{number}", lambda: "x")
        store.close()
        os._exit(0)
    children.append(pid)
codes = [os.waitpid(pid, 0)[1] for pid in children]
store.once(run_id, "parent", lambda: "x")
print(codes, len(store.effects(run_id)))
store.close()
"""
    assert finished(python(code, tmp_path / "home")) == "[0, 0, 0, 0] 201\n"


def test_every_row_of_a_run_is_json(store: RunStore) -> None:
    row = store.get(new_run(store))
    assert json.loads(row.task_json)["goal"] == "count the rows"
