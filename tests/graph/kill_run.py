"""A process that drives runs in children of its own and kills them with SIGKILL at the chosen moment. Started by test_kill.

Reads orders as JSON lines on stdin: {"home", "run_id", "kill_at": point or null, "log": path}. Answers each with {"code",
"left"} when the child is dead and nothing of it runs any more, or 15 s are over ("left": command lines of what still runs);
points that were passed are in LOG.points. Everything heavy is imported once, before the first child is forked; no child
shares a connection or a thread with another.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fumehood.graph import checkpoints, drive, store
from fumehood.graph.approval import Decision
from fumehood.graph.live import Parts
from fumehood.graph.scripted import ScriptedChat
from fumehood.graph.settings import Settings
from fumehood.graph.state import Message
from fumehood.graph.task import Task
from kill_points import Points, watch
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


def drive_to_the_end(order: dict[str, Any]) -> None:
    home, run_id = Path(order["home"]), order["run_id"]
    points = Points(order["kill_at"], Path(order["log"] + ".points"))
    watch(points, LoggedChat)
    driver = drive.Driver(Settings(home=str(home), engines=["bubblewrap"]),
                          Parts(chat=LoggedChat(Path(order["log"]))))
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
