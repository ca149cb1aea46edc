"""Checkpoints through LangGraph's savers: LangGraph's own conformance suite, hostile data, several processes."""

import asyncio
import dataclasses
import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
from fumehood.graph.checkpoints import StateSerializer, open_checkpointer, state_types
from fumehood.graph.errors import CheckpointUnreadable, StoreError
from fumehood.graph.settings import Settings
from fumehood.graph.state import Attempt, Message, Outcome, Plan, State, Stop, Update, Usage
from fumehood.graph.stop import StopReason
from fumehood.graph.task import InputFile, Limits, Task
from fumehood.policies.verdict import Approved, Finding, Verdict, approve_program, sha256_text
from fumehood.sandbox.evidence import Evidence, ProcessEvent
from fumehood.sandbox.execution import Execution, ProgramError
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

HOSTILE = "nul \0 lone \ud800 \udfff esc \x1b and \U0001f600"


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Settings(home=str(tmp_path / "home"), database_url=url)


@pytest.fixture
def saver(settings: Settings) -> Iterator[BaseCheckpointSaver[Any]]:
    with open_checkpointer(settings) as saver:
        yield saver


def test_the_savers_conform_to_langgraphs_own_suite(settings: Settings, tmp_path: Path) -> None:
    made = 0

    @checkpointer_test(name="fumehood")
    async def opened() -> AsyncIterator[BaseCheckpointSaver[Any]]:
        nonlocal made
        made += 1
        place = settings
        if settings.database_url is None:
            place = Settings(home=str(tmp_path / str(made)))
        with ExitStack() as stack:
            saver = stack.enter_context(open_checkpointer(place))
            if settings.database_url is not None:
                # The suite wants an empty store for each group of its tests.
                await asyncio.to_thread(_emptied, settings.database_url)
            yield saver

    report = asyncio.run(validate(opened))
    failed = {str(name): result.failures for name, result in report.results.items() if result.failures}
    assert failed == {}
    assert report.passed_all_base()


def _emptied(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("TRUNCATE checkpoints, checkpoint_blobs, checkpoint_writes")


def full_state() -> dict[str, Any]:
    """A value for every field of State."""
    program = "print(1)"
    verdict = Verdict(decision="allow", program_sha256=sha256_text(program), policy_sha256="p",
                      findings=[Finding(rule="r", severity="INFO", line=1, message="m")])
    evidence = Evidence(engine="docker", runtime="x", witness="kernel",
                        processes=[ProcessEvent(argv=["sh", HOSTILE], witness="kernel")])
    execution = Execution(outcome="error", stdout="a\0b\n", error=ProgramError(type="E", message=HOSTILE))
    attempt = Attempt(step=1, number=1, verdict="allow", reason=StopReason.RUNTIME_ERROR, detail=HOSTILE,
                      execution=execution, evidence=evidence, findings=verdict.findings)
    task = Task(goal=HOSTILE, result={"const": 10**40, "x": [HOSTILE]}, limits=Limits(wall_s=5), seed=2**62,
                inputs=[InputFile(name="a", source="/a", bytes=2**62, sha256="0" * 64)])
    plan = Plan(result={"enum": [10**30, -1, 2.5]}, constants=[1, 2])
    values: dict[str, Any] = {
        "task": task, "run_id": "r", "plan": plan, "messages": [Message(role="user", content=HOSTILE)],
        "program": "print('a\0b')", "origin": "edited", "verdict": verdict,
        "approved": approve_program(program, verdict), "attempts": [attempt], "step": 2,
        "usage": Usage(calls=1, cost=0.5), "stop": Stop(reason=StopReason.TIMEOUT, message=HOSTILE),
        "outcome": Outcome(run_id="r", status="stopped", stop_reason=StopReason.TIMEOUT, attempts=[attempt], plan=plan)}
    rest = {field.name for field in dataclasses.fields(State)} - set(values)
    return values | {name: getattr(State(task=task), name) for name in rest}


def graph_of(values: dict[str, Any]) -> StateGraph[State]:
    """A node that writes every field, one that waits for a person, one that looks at what came back."""

    def write(state: State) -> Update:
        return Update(**values)

    def wait(state: State) -> Update:
        answer = interrupt({"program": HOSTILE, "big": 10**30})
        return {"program": answer["decisions"][0]["text"]}

    def look(state: State) -> Update:
        assert isinstance(state.task, Task)
        assert isinstance(state.approved, Approved)
        return {"step": 7}

    graph = StateGraph(State)
    for node in (write, wait, look):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "write")
    graph.add_edge("write", "wait")
    graph.add_edge("wait", "look")
    graph.add_edge("look", END)
    return graph


def test_every_field_of_the_state_comes_back_equal_after_an_interrupt(
        settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    values = full_state()
    config: Any = {"configurable": {"thread_id": "t"}}
    with open_checkpointer(settings) as saver:
        graph_of(values).compile(checkpointer=saver).invoke(State(task=values["task"]), config, durability="sync")
    with caplog.at_level(logging.WARNING), open_checkpointer(settings) as saver:
        graph = graph_of({}).compile(checkpointer=saver)
        snapshot = graph.get_state(config)
        assert {name: snapshot.values[name] for name in values} == values
        assert snapshot.interrupts[0].value["big"] == 2**63 - 1
        graph.invoke(Command(resume={"decisions": [{"text": "after \0"}]}), config, durability="sync")
        done = graph.get_state(config).values
        assert (done["step"], done["program"]) == (7, "after \0")
        assert done["task"] == values["task"]
        assert done["task"].result == {"const": 10**40, "x": [HOSTILE.replace("\ud800", "\ufffd").replace(
            "\udfff", "\ufffd")]}
    assert caplog.records == [], "a type was not on the list, or was not rebuilt"


def test_async_callers_use_the_same_saver(saver: BaseCheckpointSaver[Any]) -> None:
    config: Any = {"configurable": {"thread_id": "t"}}
    values = full_state()
    graph = graph_of(values).compile(checkpointer=saver)

    async def both() -> Any:
        await graph.ainvoke(State(task=values["task"]), config, durability="sync")
        await graph.ainvoke(Command(resume={"decisions": [{"text": "x"}]}), config, durability="sync")
        return (await graph.aget_state(config)).values["step"]

    assert asyncio.run(both()) == 7


def test_the_list_of_types_is_the_state_and_what_it_nests() -> None:
    names = {kind.__name__ for kind in state_types()}
    assert {"State", "Task", "Limits", "InputFile", "OutputSpec", "Verdict", "Approved", "Finding", "Facts", "Needs",
            "Attempt", "Execution", "ProgramError", "Evidence", "ToolCall", "StopReason", "Outcome"} <= names
    assert all(kind.__module__.startswith("fumehood.") for kind in state_types())


class Stranger(BaseModel):
    """A type that no state holds."""

    made: str = ""

    def model_post_init(self, _: Any) -> None:
        raise AssertionError("rebuilt a type that is not on the list")


def test_a_type_that_is_not_on_the_list_is_never_rebuilt() -> None:
    data = ormsgpack.packb({"x": ormsgpack.Ext(5, ormsgpack.packb((__name__, "Stranger", {"made": "x"}, "m")))})
    assert StateSerializer().loads_typed(("msgpack", data)) == {"x": {"made": "x"}}
    evil = ormsgpack.packb(ormsgpack.Ext(1, ormsgpack.packb(("os", "system", ["touch /tmp/never"]))))
    assert StateSerializer().loads_typed(("msgpack", evil)) == ["touch /tmp/never"]


@pytest.mark.parametrize("values", [{"reason": "unheard_of", "message": "m"}, {"message": "m"},
                                    {"reason": "timeout", "message": "m", "added_later": 1}])
def test_data_of_another_version_is_an_error_and_not_half_an_object(values: dict[str, Any]) -> None:
    inner = ormsgpack.packb((Stop.__module__, "Stop", values, "model_validate_json"))
    data = ormsgpack.packb({"channel_values": {"stop": ormsgpack.Ext(5, inner)}})
    stock = JsonPlusSerializer(allowed_msgpack_modules=[(Stop.__module__, "Stop")])
    assert isinstance(stock.loads_typed(("msgpack", data))["channel_values"]["stop"], Stop), "the stock one lets it pass"
    with pytest.raises(CheckpointUnreadable, match="the version that wrote it"):
        StateSerializer().loads_typed(("msgpack", data))


def test_an_approved_program_that_was_changed_in_the_database_does_not_come_back_approved(tmp_path: Path) -> None:
    from fumehood.policies.errors import NotApproved
    from fumehood.policies.verdict import ensure_approved

    values = full_state()
    serializer = StateSerializer()
    kind, data = serializer.dumps_typed(values["approved"])
    changed = serializer.loads_typed((kind, data.replace(b"print(1)", b"print(2)")))
    with pytest.raises(NotApproved, match="not the one that was judged"):
        ensure_approved(changed)


def test_numbers_that_msgpack_cannot_hold_are_made_harmless() -> None:
    serializer = StateSerializer()

    def again(value: Any) -> Any:
        return serializer.loads_typed(serializer.dumps_typed(value))

    assert again({"x": [10**30, -(10**30), True, 1.5]}) == {"x": [2**63 - 1, -(2**63), True, 1.5]}
    assert again(Usage(calls=10**30)) == Usage(calls=2**63 - 1)
    assert again(StopReason.TIMEOUT) is StopReason.TIMEOUT


def test_numpy_scalars_are_made_pythons() -> None:
    class Scalar:
        """As numpy's scalars look; numpy itself is in the sandbox only."""

        ndim = 0

        def item(self) -> float:
            return 2.5

    Scalar.__module__ = "numpy"
    serializer = StateSerializer()
    assert serializer.loads_typed(serializer.dumps_typed({"x": [Scalar(), 10**30]})) == {"x": [2.5, 2**63 - 1]}
    with pytest.raises(TypeError, match="serializable"):
        serializer.dumps_typed({"x": object()})


def test_a_serializer_extended_by_a_compiled_graph_stays_strict() -> None:
    extended = StateSerializer().with_msgpack_allowlist([(__name__, "Plain")])
    data = ormsgpack.packb(ormsgpack.Ext(5, ormsgpack.packb((Stop.__module__, "Stop", {"message": "m"}, "m"))))
    with pytest.raises(CheckpointUnreadable):
        extended.loads_typed(("msgpack", data))
    assert extended.loads_typed(extended.dumps_typed(Stop(reason=StopReason.TIMEOUT, message="m"))).message == "m"


WRITER = """
import sys
from fumehood.graph.checkpoints import open_checkpointer
from fumehood.graph.settings import Settings
from langgraph.checkpoint.base import empty_checkpoint
settings = Settings(home=sys.argv[1], database_url=sys.argv[2] or None)
with open_checkpointer(settings) as saver:
    config = {"configurable": {"thread_id": sys.argv[3], "checkpoint_ns": ""}}
    for number in range(60):
        checkpoint = empty_checkpoint()
        checkpoint["channel_values"] = {"n": ["x" * 2000, number]}
        checkpoint["channel_versions"] = {"n": f"{number:032}.0"}
        config = saver.put(config, checkpoint, {"step": number}, checkpoint["channel_versions"])
        saver.put_writes(config, [("n", number)], f"task{number}")
"""


def test_eight_processes_write_checkpoints_at_once(settings: Settings) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, settings.home, settings.database_url or "", f"t{name}"],
                                stderr=subprocess.PIPE, text=True) for name in range(8)]
    said = [writer.communicate(timeout=600)[1] for writer in writers]
    assert said == [""] * 8
    with open_checkpointer(settings) as saver:
        for name in range(8):
            found = list(saver.list({"configurable": {"thread_id": f"t{name}", "checkpoint_ns": ""}}))
            assert len(found) == 60
            assert found[0].checkpoint["channel_values"]["n"][1] == 59


def test_the_store_says_what_to_install_or_to_check(tmp_path: Path) -> None:
    settings = Settings(home=str(tmp_path), database_url="postgresql://u:secretword@127.0.0.1:1/x")
    with pytest.raises(StoreError, match="does not answer") as caught, open_checkpointer(settings):
        pass
    assert "secretword" not in json.dumps(str(caught.value))
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises((StoreError, OSError)), open_checkpointer(Settings(home=str(blocked / "home"))):
        pass
