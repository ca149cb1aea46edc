"""A larger graph that routes computing questions to fumehood and others elsewhere: `python examples/as_a_node/run.py`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fumehood.examples.playing import settings_for
from fumehood.graph.build import build_graph
from fumehood.graph.checkpoints import StateSerializer
from fumehood.graph.live import Parts
from fumehood.graph.settings import Settings
from fumehood.graph.state import Outcome
from fumehood.graph.task import Task
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Desk:
    """The parent's state. `task` and `outcome` are shared with fumehood's, so its graph is a node as it is."""

    question: str
    task: Task | None = None
    outcome: Outcome | None = None
    answer: str = ""


def take(state: Desk) -> dict[str, Any]:
    """A question becomes a task; a person approves each program."""
    return {"task": Task(goal=state.question, result={"type": "number"}, approval="always")}


def kind(state: Desk) -> Literal["computing", "writing"]:
    """A real desk would ask a model."""
    return "computing" if any(sign.isdigit() for sign in state.question) else "writing"


def write(state: Desk) -> dict[str, Any]:
    """Stands for whatever else the parent can do."""
    return {"answer": f"Dear reader, about: {state.question}"}


def tell(state: Desk) -> dict[str, Any]:
    """The checked number, or why there is none."""
    outcome = state.outcome
    assert outcome is not None
    return {"answer": str(outcome.result) if outcome.status == "answered" else outcome.message}


def build_desk(settings: Settings, parts: Parts | None = None,
               checkpointer: BaseCheckpointSaver[Any] | None = None) -> CompiledStateGraph[Desk, None, Desk, Desk]:
    """The parent graph. fumehood comes uncompiled, so that the parent's checkpointer serves both."""
    graph = StateGraph(Desk)
    graph.add_node("take", take)
    graph.add_node("fumehood", build_graph(settings, parts).compile())
    graph.add_node("write", write)
    graph.add_node("tell", tell)
    graph.add_conditional_edges(START, kind, {"computing": "take", "writing": "write"})
    graph.add_edge("take", "fumehood")
    graph.add_edge("fumehood", "tell")
    graph.add_edge("tell", END)
    graph.add_edge("write", END)
    return graph.compile(checkpointer=checkpointer or InMemorySaver(serde=StateSerializer()))


if __name__ == "__main__":
    desk = build_desk(settings_for(HERE))
    config: Any = {"configurable": {"thread_id": "example"}}
    waiting = desk.invoke(Desk(question="What is 6 times 7?"), config, version="v2")
    request = waiting.interrupts[0].value
    print(request["action_requests"][0]["description"])
    done = desk.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config, version="v2")
    print("answer:", done.value.answer)
    config = {"configurable": {"thread_id": "other"}}
    print(desk.invoke(Desk(question="a letter of thanks"), config, version="v2").value.answer)
