"""What comes in from callers, parent graphs and servers: each question is a run of its own, begun once."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.build import build_graph
from fumehood.graph.checkpoints import StateSerializer, open_checkpointer
from fumehood.graph.entry import task_digest
from fumehood.graph.errors import SettingsInvalid
from fumehood.graph.live import Live, Parts, live_for
from fumehood.graph.scripted import ScriptedChat
from fumehood.graph.settings import Settings
from fumehood.graph.state import Outcome
from fumehood.graph.task import Limits, Task, inputs_from
from langgraph.types import Command

THREAD = {"configurable": {"thread_id": "t"}}
YES = Command(resume={"decisions": [{"type": "approve"}]})


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


def asking(number: int, **given: Any) -> Task:
    return Task(goal="x", program=f"final_answer({number})", **given)


@pytest.mark.parametrize("as_mapping", [False, True])
def test_each_task_of_a_thread_is_a_run_of_its_own(graph: Any, settings: Settings, as_mapping: bool) -> None:
    outcomes: list[Outcome] = []
    for number in (1, 2, 2):
        task: Any = asking(number).model_dump(mode="json") if as_mapping else asking(number)
        outcomes.append(graph.invoke({"task": task}, THREAD)["outcome"])
    assert [outcome.result for outcome in outcomes] == [1, 2, 2]
    assert [len(outcome.attempts) for outcome in outcomes] == [1, 1, 1]
    assert len({outcome.run_id for outcome in outcomes}) == 3
    started = [entry["run_id"] for entry in live_for(settings).store.audit.entries() if entry["event"] == "program_started"]
    assert started == [outcome.run_id for outcome in outcomes]


def test_another_task_leaves_a_waiting_one_behind(graph: Any, settings: Settings) -> None:
    waiting = graph.invoke({"task": asking(1, approval="always")}, THREAD)["__interrupt__"][0].value
    outcome = graph.invoke({"task": asking(2)}, THREAD)["outcome"]
    assert (outcome.result, len(outcome.attempts)) == (2, 1)
    left = live_for(settings).store.get(waiting["run_id"])
    assert left.status == "interrupted"
    assert outcome.run_id in left.message


def test_a_task_goes_on_as_the_same_run_after_its_approval(graph: Any, settings: Settings) -> None:
    waiting = graph.invoke({"task": asking(1, approval="always").model_dump(mode="json")}, THREAD)["__interrupt__"][0].value
    outcome = graph.invoke(YES, THREAD)["outcome"]
    assert (outcome.run_id, outcome.result) == (waiting["run_id"], 1)
    assert [row.run_id for row in live_for(settings).store.list()] == [outcome.run_id]


def test_a_first_node_that_failed_begins_the_same_run_again(home: Path) -> None:
    class Falters(ScriptedChat):
        broken = True

        def ask(self, *given: Any, **more: Any) -> Any:
            if self.broken:
                self.broken = False
                raise RuntimeError("as a kill would")
            return super().ask(*given, **more)

    settings = Settings(home=str(home), engines=["bubblewrap"])
    parts = Parts(chat=Falters(["```python\nfinal_answer(1)\n```"]))
    with open_checkpointer(settings) as saver:
        graph = build_graph(settings, parts).compile(checkpointer=saver)
        with pytest.raises(RuntimeError, match="as a kill"):
            graph.invoke({"task": Task(goal="one")}, THREAD)  # type: ignore[call-overload]
        outcome = graph.invoke(None, THREAD)["outcome"]  # type: ignore[call-overload]
        assert outcome.result == 1
    live = Live(settings)
    assert [row.run_id for row in live.store.list()] == [outcome.run_id]
    live.store.close()


def test_what_is_no_task_is_refused_in_words(graph: Any) -> None:
    for wrong in ("sum it", {"goal": ""}, {"goal": "x", "colour": "red"}, None):
        with pytest.raises(SettingsInvalid, match="task"):
            graph.invoke({"task": wrong}, THREAD)


def test_a_task_keeps_its_digest_through_a_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "odd\udcff.csv").write_text("a")
    tasks = [
        Task(goal="nul \0 lone \ud800"), Task(goal="huge", result={"const": 10**40, "x": 1e300, "y": [1, 1.0]}),
        Task(goal="numbers", limits=Limits(wall_s=20), seed=2**62, frozen_time=10, max_wall_s=3),
        Task(goal="files", inputs=inputs_from({"a.csv": tmp_path / "odd\udcff.csv", "b": b"1"}, spool=tmp_path / "spool")),
        Task(goal="unvalidated").model_copy(update={"limits": Limits().model_copy(update={"wall_s": 20})}),
    ]
    serializer = StateSerializer()
    for task in tasks:
        assert task_digest(serializer.loads_typed(serializer.dumps_typed(task))) == task_digest(task), task.goal


def test_without_a_checkpointer_nothing_waits_and_nothing_runs(settings: Settings) -> None:
    outcome = build_graph(settings).compile().invoke({"task": asking(1, approval="always")})["outcome"]  # type: ignore[call-overload]
    assert (outcome.status, outcome.stop_reason) == ("stopped", "approval_unavailable")
    assert not [entry for entry in live_for(settings).store.audit.entries() if entry["event"] == "program_started"]


def test_closing_lets_go_of_the_store_until_it_is_used_again(home: Path) -> None:
    def held() -> list[str]:
        names = [os.path.realpath(item) for item in Path("/proc/self/fd").iterdir()]
        return [name for name in names if name.startswith(str(home))]

    live = Live(Settings(home=str(home)))
    live.close()
    assert live.store.list() == []
    assert held()
    live.close()
    assert held() == []
    assert live.store.list() == []
    live.close()
