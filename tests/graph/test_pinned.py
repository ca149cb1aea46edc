"""Answers that come to a checkpoint which is not the newest any more: LangGraph runs its node again, the store says no."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.approval import Decision
from fumehood.graph.build import build_graph
from fumehood.graph.checkpoints import open_checkpointer
from fumehood.graph.drive import Driver
from fumehood.graph.errors import StoreError
from fumehood.graph.live import live_for
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task
from langgraph.types import Command

TASK = Task(goal="six times seven", program="print('ran')\nfinal_answer(42)", approval="always")
ANSWERS = {kind: {"decisions": [{"type": kind}]} for kind in ("approve", "reject", "respond")}


@pytest.fixture
def settings(home: Path) -> Iterator[Settings]:
    settings = Settings(home=str(home), engines=["bubblewrap"])
    yield settings
    live = live_for(settings)
    live.close()
    live.store.close()


@pytest.fixture
def graph(settings: Settings) -> Iterator[Any]:
    with open_checkpointer(settings) as saver:
        yield build_graph(settings).compile(checkpointer=saver)


def waiting(graph: Any, thread: str = "t") -> Any:
    """A run that waits for its approval; the configuration of that very checkpoint."""
    newest = {"configurable": {"thread_id": thread}}
    assert graph.invoke({"task": TASK}, newest)["__interrupt__"]
    return graph.get_state(newest).config


def events(settings: Settings) -> Counter[str]:
    audit = live_for(settings).store.audit
    assert audit.verify() is None
    return Counter(entry["event"] for entry in audit.entries())


@pytest.mark.parametrize(("first", "status", "runs"), [("approve", "answered", 1), ("reject", "stopped", 0)])
@pytest.mark.parametrize("second", ["approve", "reject", "respond"])
def test_a_second_answer_to_a_pinned_checkpoint_is_refused(graph: Any, settings: Settings, first: str, status: str,
                                                           runs: int, second: str) -> None:
    pinned = waiting(graph)
    assert graph.invoke(Command(resume=ANSWERS[first]), pinned)["outcome"].status == status
    for _ in range(2):
        with pytest.raises(StoreError, match=f"already decided: {first} by caller"):
            graph.invoke(Command(resume=ANSWERS[second]), pinned)
    newest = graph.get_state({"configurable": {"thread_id": "t"}})
    assert (newest.next, newest.values["outcome"].status) == ((), status)
    seen = events(settings)
    assert (seen["program_started"], seen["approval_decided"], seen["run_finished"]) == (runs, 1, 1)


def test_a_pinned_checkpoint_that_is_run_again_without_an_answer_keeps_the_first(graph: Any, settings: Settings) -> None:
    pinned = waiting(graph)
    graph.invoke(Command(resume=ANSWERS["approve"]), pinned)
    assert graph.invoke(None, pinned)["outcome"].result == 42
    assert events(settings)["program_started"] == 1


@pytest.mark.parametrize("kind", ["approve", "reject"])
def test_a_decision_from_the_command_line_is_not_repeated_by_a_chat_page(settings: Settings, kind: str) -> None:
    driver = Driver(settings)
    outcome = driver.start(TASK)
    with open_checkpointer(settings) as saver:
        graph = build_graph(settings).compile(checkpointer=saver)
        pinned = graph.get_state({"configurable": {"thread_id": outcome.run_id}}).config
        asked = driver.live.store.pending(outcome.run_id)
        assert asked is not None
        driver.decide(outcome.run_id, Decision(type="approve", binding=asked.question.binding.digest), by="anna")
        with pytest.raises(StoreError, match="already decided: approve by anna"):
            graph.invoke(Command(resume=ANSWERS[kind]), pinned)
    assert driver.outcome(outcome.run_id).status == "answered"
    assert events(settings)["program_started"] == 1


ANSWERING = """
import sys
from fumehood.graph.build import build_graph
from fumehood.graph.checkpoints import open_checkpointer
from fumehood.graph.errors import StoreError
from fumehood.graph.live import live_for
from fumehood.graph.settings import Settings
from langgraph.types import Command
settings = Settings(home=sys.argv[1], engines=["bubblewrap"])
with open_checkpointer(settings) as saver:
    graph = build_graph(settings).compile(checkpointer=saver)
    pinned = {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": sys.argv[2]}}
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        out = graph.invoke(Command(resume={"decisions": [{"type": sys.argv[3]}]}), pinned)
        print(out["outcome"].status)
    except StoreError as error:
        print("already decided" if "already decided" in str(error) else error)
live_for(settings).close()
"""


@pytest.mark.parametrize("kinds", [("approve", "approve"), ("approve", "reject")])
def test_of_two_processes_that_answer_at_once_one_is_refused(graph: Any, settings: Settings, kinds: tuple[str, str]) -> None:
    pinned = waiting(graph)["configurable"]["checkpoint_id"]
    processes = [subprocess.Popen([sys.executable, "-c", ANSWERING, settings.home, pinned, kind], text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for kind in kinds]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=300)[0].strip() for process in processes]
    assert sorted(said)[0] == "already decided", said
    winner = next(kind for kind, word in zip(kinds, said, strict=True) if word != "already decided")
    assert sorted(said)[1] == {"approve": "answered", "reject": "stopped"}[winner], said
    assert events(settings)["program_started"] == (1 if winner == "approve" else 0)
