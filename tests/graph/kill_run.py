"""A process that drives runs in children of its own and kills them with SIGKILL at the chosen moment. Started by test_kill.

Reads orders as JSON lines on stdin: {"home", "run_id", "kill_at": point or null, "log": path}. Answers each with {"code",
"left"} when the child is dead and nothing of it runs any more, or 15 s are over ("left": command lines of what still runs);
points that were passed are in LOG.points. Everything heavy is imported once, before the first child is forked; no child
shares a connection or a thread with another.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fumehood.graph import checkpoints, database, drive, programs, store
from fumehood.graph.approval import Decision
from fumehood.graph.audit import Audit
from fumehood.graph.live import Live, Parts
from fumehood.graph.scripted import ScriptedChat
from fumehood.graph.settings import Settings
from fumehood.graph.state import Message
from fumehood.graph.store import RunStore
from fumehood.graph.task import Task
from fumehood.sandbox import session
from langgraph.checkpoint.sqlite import SqliteSaver
from orphans import adopt, left_after

FAILS = "```python\nprint('a\\x00b')\nopen('output/half.txt', 'w').write('x')\nraise ValueError('first')\n```"
FALLBACK = "n = 6 * 7\nopen('output/made.txt', 'w').write(str(n))\nprint(n)\nfinal_answer({'n': n})\n"
TASK = Task.model_validate({
    "goal": "six times seven", "approval": "always", "max_attempts": 1, "fallback": FALLBACK, "outputs": ["made.txt"],
    "result": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}})


class LoggedChat(ScriptedChat):
    """Writes a line per call, so that calls are counted over all processes."""

    def __init__(self, log: Path) -> None:
        super().__init__([FAILS])
        self._log = log

    def ask(self, messages: Sequence[Message], **given: Any) -> Any:
        with self._log.open("a") as handle:
            handle.write(f"{given['purpose']}\n")
        return super().ask(messages, **given)


class Points:
    """Names the moments that a kill could fall into, and kills at one of them. Nodes run in threads of LangGraph's."""

    def __init__(self, kill_at: str | None, said: Path) -> None:
        self._kill_at = kill_at
        self._said = said.open("a")
        self._node = "start"
        self._lock = threading.Lock()

    def enter(self, event: Any) -> None:
        if event["mode"] == "tasks":
            # A checkpoint is written in a thread of its own, before or after the node is heard to end: no label tells which.
            ended = "input" not in event["data"]
            self._node = event["data"]["name"]
            self.passed("ended" if ended else "arrived")

    def passed(self, moment: str) -> None:
        with self._lock:
            point = f"{self._node}: {moment}"
            self._said.write(point + "\n")
            self._said.flush()
            if point == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: Any, name: str) -> None:
        whole: Callable[..., Any] = getattr(owner, name)

        def watched(*given: Any, **named: Any) -> Any:
            self.passed(f"before {name}")
            value = whole(*given, **named)
            self.passed(f"after {name}")
            return value

        setattr(owner, name, watched)


def watch(points: Points) -> None:
    """Every place at which something is written, started or paid for."""
    for owner, names in (
            (SqliteSaver, ("put", "put_writes")), (RunStore, ("ask", "decide", "finish", "record_outcome", "set_status")),
            (Audit, ("_append", "_write_head")), (LoggedChat, ("ask",)), (session.Session, ("open", "run", "collect")),
            (database._SqliteTransaction, ("change",)), (Live, ("gate",))):
        for name in names:
            points.around(owner, name)
    import fumehood.nodes.fall_back
    import fumehood.nodes.generate

    for module in (programs, fumehood.nodes.fall_back, fumehood.nodes.generate):
        points.around(module, "keep_program")
    once = RunStore.once

    def watched_once(self: RunStore, run_id: str, key: str, make: Callable[[], str]) -> str:
        def made() -> str:
            points.passed(f"before effect {key}")
            text = make()
            points.passed(f"after effect {key}")
            return text

        return once(self, run_id, key, made)

    RunStore.once = watched_once  # type: ignore[method-assign]


def drive_to_the_end(order: dict[str, Any]) -> None:
    home, run_id = Path(order["home"]), order["run_id"]
    points = Points(order["kill_at"], Path(order["log"] + ".points"))
    watch(points)
    driver = drive.Driver(Settings(home=str(home), engines=["bubblewrap"]),
                          Parts(chat=LoggedChat(Path(order["log"]))), on_event=points.enter)
    runs = driver.live.store
    try:
        runs.get(run_id)
    except store.StoreError:
        outcome = driver.start(TASK, run_id=run_id)
    else:
        outcome = driver.outcome(run_id)
    while outcome.status in ("waiting", "interrupted"):
        asked = runs.pending(run_id)
        if asked is not None:
            outcome = driver.decide(run_id, Decision(type="approve", binding=asked.question.binding.digest), by="test")
        else:
            outcome = driver.resume(run_id)
    driver.live.close()
    Path(order["log"] + ".outcome").write_text(json.dumps(outcome.document()))


def main() -> None:
    adopt()
    assert checkpoints.state_types()
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                drive_to_the_end(order)
                code = 0
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(json.dumps({"code": os.waitstatus_to_exitcode(status), "left": left_after(15.0)}), flush=True)


if __name__ == "__main__":
    main()
