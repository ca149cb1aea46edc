"""Drive a run from outside the graph: start it, wait for a person, go on in any later process."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot
from pydantic import BaseModel

from ..policies.verdict import Verdict
from .approval import Decision, Question
from .build import build_graph
from .checkpoints import open_checkpointer
from .entry import task_digest
from .errors import StoreError
from .fork import copy_attempts, edited_values, fork_point, plant
from .history import difference, position, timeline
from .interrupting import ending_on_interrupt
from .live import Live, Parts, live_for, register
from .settings import Settings
from .state import Outcome, State, Usage, kept_files
from .stop import StopReason
from .store import new_run_id
from .task import Limits, Task, inputs_from

Event = Mapping[str, Any]
OnEvent = Callable[[Event], None]
NODES_PER_ATTEMPT = 8
Compiled = CompiledStateGraph[State, Settings, State, State]


class Driver:
    """Runs of one installation. `on_event` hears what nodes do while they do it."""

    def __init__(self, settings: Settings, parts: Parts | None = None, *, on_event: OnEvent | None = None,
                 pause_after_nodes: bool = False) -> None:
        if parts is not None:
            name = settings.parts or f"driver-{id(parts):x}"
            register(name, parts)
            settings = settings.model_copy(update={"parts": name})
        self.settings = settings
        self._on_event = on_event
        self._pause = pause_after_nodes

    @property
    def live(self) -> Live:
        return live_for(self.settings)

    def start(self, task: Task, *, run_id: str | None = None) -> Outcome:
        """A new run, until it is answered, stopped, or waits for a person."""
        run_id = run_id or new_run_id()
        self.live.store.create(run_id, task, settings_json=self.settings.model_dump_json(exclude={"database_url"}))
        return self._advance(run_id, task, _entered(task, run_id))

    def resume(self, run_id: str) -> Outcome:
        """Go on with a run that was interrupted, or whose question was decided. Raises StoreError for a finished one."""
        row = self.live.store.get(run_id)
        # A kill in the last node can leave the row finished and the end unwritten; then the last node runs once more.
        if row.finished and self.outcome(run_id).status != "interrupted":
            raise StoreError(f"run {run_id} is finished ({row.status}); `fumehood show {run_id}` shows it, "
                             f"`fumehood replay {run_id} --from NODE` forks it")
        return self._advance(run_id, row.task(), None)

    def decide(self, run_id: str, decision: Decision, *, by: str) -> Outcome:
        """Take a person's decision on the run's open question, once, and go on.

        Raises StoreError when nothing waits, the run asks about something else by now, or somebody has decided already.
        """
        self.live.store.decide(run_id, self.open_question(run_id, decision.binding).question_id, decision, by=by)
        return self.resume(run_id)

    def open_question(self, run_id: str, binding: str = "") -> Question:
        """The question that waits for a person, whose digest begins with `binding`. Raises StoreError where none does."""
        row, asked = self.live.store.get(run_id), self.live.store.questions(run_id)
        stands = f"finished ({row.status})" if row.finished else row.status
        pending = self.live.store.pending(run_id)
        if pending is not None and pending.question.binding.digest.startswith(binding):
            return pending.question
        for item in reversed(asked):
            if item.decision is not None and item.question.binding.digest.startswith(binding):
                raise StoreError(f"already decided: {item.decision.type} by {item.decided_by}; run {run_id} is "
                                 f"{stands}")
        if pending is not None:
            raise StoreError(f"run {run_id} asks about something else by now: the digest of its question is "
                             f"{pending.question.binding.digest[:16]}, not {binding[:64]}; look at it with "
                             f"`fumehood show {run_id}`")
        raise StoreError(f"run {run_id} waits for nobody: it is {stands}")

    def judge_edit(self, run_id: str, program: str) -> Verdict:
        """What the gate says of an edited program, before anybody decides by it. Decides nothing."""
        return self.live.gate(self.live.store.get(run_id).task().policy).judge(program)

    def outcome(self, run_id: str) -> Outcome:
        """Where the run stands now: its end, or what is known of it so far."""
        self.live.store.get(run_id)
        with open_checkpointer(self.settings) as saver:
            snapshot = self._compiled(saver).get_state(self._config(run_id))
        row = self.live.store.get(run_id)
        found = self._standing(run_id, snapshot.values)
        if found.status in ("answered", "stopped"):
            return found
        return found.model_copy(update={"status": row.status if row.status in ("waiting", "running") else "interrupted",
                                        "stop_reason": row.stop_reason, "message": row.message})

    def history(self, run_id: str) -> list[StateSnapshot]:
        """Every checkpoint of the run, oldest first."""
        with open_checkpointer(self.settings) as saver:
            return list(self._compiled(saver).get_state_history(self._config(run_id)))[::-1]

    def timeline(self, run_id: str) -> list[dict[str, str]]:
        """What happened, oldest first: `at`, `event`, `detail`."""
        store = self.live.store
        return timeline(store.get(run_id), store.audit.entries(run_id), self.history(run_id), store.questions(run_id))

    def difference(self, one: str, other: str) -> list[str]:
        """A unified diff of two runs; empty where they differ in times and ids only."""
        first, second = ((self.live.store.get(run_id).task(), self.outcome(run_id)) for run_id in (one, other))
        return difference(first, second)

    def describe_position(self, run_id: str) -> str:
        """Which node ended last, what it changed, and which comes next."""
        return "\n".join(position(self.history(run_id)))

    def replay(self, run_id: str, node: str, *, edited: str | None = None, fork_id: str | None = None) -> Outcome:
        """A new run that begins where `node` was about to run for the last time, with another program where one is given.

        Raises StoreError where the run never came there, or where what was decided then does not hold for a new run.
        """
        store, new_id = self.live.store, fork_id or new_run_id()
        row = store.get(run_id)
        task = row.task()
        point = fork_point(self.history(run_id), node, edited=edited is not None,
                           policy_sha256=self.live.gate(task.policy).policy_sha256)
        folder = store.create(new_id, task, settings_json=row.settings_json, forked_from=run_id)
        copy_attempts(point, store.folder(run_id), folder)
        values = edited_values(point, edited, folder) if edited is not None else {}
        values |= {"run_id": new_id, "entered": task_digest(values.get("task", point.values["task"]))}
        with open_checkpointer(self.settings) as saver:
            plant(saver, point, run_id=new_id, values=values)
        return self._advance(new_id, task, None)

    def _compiled(self, saver: BaseCheckpointSaver[Any]) -> Compiled:
        return build_graph(self.settings).compile(checkpointer=saver, name="fumehood")

    @staticmethod
    def _config(run_id: str, **more: Any) -> RunnableConfig:
        return {"configurable": {"thread_id": run_id}, **more}  # type: ignore[typeddict-item]

    def _standing(self, run_id: str, values: Mapping[str, Any]) -> Outcome:
        done = values.get("outcome")
        if isinstance(done, Outcome):
            return done
        return Outcome(run_id=run_id, status="interrupted", plan=values.get("plan"),
                       attempts=values.get("attempts") or [], usage=values.get("usage") or Usage(),
                       engines_skipped=values.get("skipped") or [], notes=values.get("notes") or [],
                       folder=str(self.live.store.folder(run_id)),
                       kept=kept_files(values["task"], values.get("files") or []) if "task" in values else {})

    def _advance(self, run_id: str, task: Task, first: State | None) -> Outcome:
        store = self.live.store
        self._note_swept(run_id)
        with store.lease(run_id), open_checkpointer(self.settings) as saver:
            graph = self._compiled(saver)
            config = self._config(run_id, recursion_limit=steps_bound(task))
            snapshot = graph.get_state(config)
            given: Any = first
            if first is None:
                # A waiting node is handed nothing and looks in the store: an answer kept here would hide later ones.
                given = _entered(task, run_id) if snapshot.created_at is None else None
            store.set_status(run_id, "running")
            try:
                self.live.sessions.begin(run_id)
                with self.live.telemetry.run(run_id), ending_on_interrupt(lambda: self.live.sessions.cancel(run_id)):
                    self._stream(graph, given, config)
            except KeyboardInterrupt:
                self.live.sessions.close(run_id)
                return self._interrupted(run_id)
            snapshot = graph.get_state(config)
        return self._outcome(run_id, snapshot.values, waiting=bool(snapshot.interrupts), going=bool(snapshot.next))

    def _note_swept(self, run_id: str) -> None:
        """What killed processes left is gone before a new program runs; the audit says so."""
        first = "swept" not in self.live.__dict__
        if first and self.live.swept:
            self.live.store.audit.append(run_id, "orphans_removed", names=self.live.swept[:20])

    def _stream(self, graph: Compiled, given: Any, config: RunnableConfig) -> None:
        modes = ["tasks", "custom"]
        for part in graph.stream(given, config, context=self.settings, durability="sync",
                                 stream_mode=modes, version="v2",  # type: ignore[call-overload]
                                 interrupt_after="*" if self._pause else None):
            if self._on_event:
                self._on_event({"mode": part["type"], "data": part["data"]})

    def _outcome(self, run_id: str, values: Mapping[str, Any], *, waiting: bool, going: bool) -> Outcome:
        store = self.live.store
        outcome = self._standing(run_id, values)
        if outcome.status in ("answered", "stopped"):
            return outcome
        if waiting:
            pending = store.pending(run_id)
            stale = pending is not None and pending.question.stale
            said = (f"The run waits for a person: `fumehood show {run_id}`, then `fumehood approve {run_id}` (--edit FILE "
                    f"changes the program), `fumehood respond {run_id} HINT` or `fumehood reject {run_id} REASON`")
            if stale:
                said = f"What was shown has changed, so the decision does not count; look again. {said}"
            outcome = outcome.model_copy(update={
                "status": "waiting", "message": said, "stop_reason": StopReason.APPROVAL_STALE if stale else None})
        elif going:
            outcome = outcome.model_copy(update={"message": f"Paused; `fumehood resume {run_id}` goes on"})
        store.record_outcome(outcome)
        return outcome

    def _interrupted(self, run_id: str) -> Outcome:
        outcome = Outcome(run_id=run_id, status="interrupted", stop_reason=StopReason.CANCELLED,
                          message=f"Stopped by its caller; `fumehood resume {run_id}` goes on",
                          folder=str(self.live.store.folder(run_id)))
        self.live.store.record_outcome(outcome)
        return outcome


def _entered(task: Task, run_id: str) -> State:
    return State(task=task, run_id=run_id, entered=task_digest(task))


def steps_bound(task: Task) -> int:
    """LangGraph's recursion limit, above what the task's own bounds can reach."""
    return NODES_PER_ATTEMPT * (task.max_attempts + 1) * (task.max_steps + 1) + 50


def run_program(
    code: str, inputs: Mapping[str, Path | str | bytes] | None = None, policy: str = "data-analysis",
    schema: type[BaseModel] | dict[str, Any] | None = None, *, outputs: list[str] | None = None,
    limits: Limits | None = None, settings: Settings | None = None, parts: Parts | None = None,
) -> Outcome:
    """Judge, run and validate a given program: what `fumehood exec` does, in one call.

    `inputs`: name in the workspace to a file, a folder or bytes. `schema`: JSON Schema or pydantic model of the result.
    Raises ValueError for inputs that do not exist, SettingsInvalid for what the policy does not allow.
    """
    settings = settings or Settings()
    task = Task.model_validate({
        "goal": "run a given program", "program": code, "policy": policy, "result": schema, "outputs": outputs or [],
        "inputs": inputs_from(inputs or {}, spool=settings.home_path / "spool"), "limits": limits or Limits()})
    return Driver(settings, parts).start(task)
