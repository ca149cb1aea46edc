"""What reaches the caller of the compiled graph while a run goes on, by the streams that LangGraph itself has."""

import importlib.util
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.build import build_graph
from fumehood.graph.live import live_for
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task

_spec = importlib.util.spec_from_file_location("scripted_server", Path(__file__).with_name("scripted_server.py"))
assert _spec is not None
assert _spec.loader is not None
srv: Any = importlib.util.module_from_spec(_spec)
sys.modules["scripted_server"] = srv
_spec.loader.exec_module(srv)

PLAN = json.dumps({"steps": ["say when"], "needs_code": True, "kind": "number", "imports": ["time"], "inputs": [],
                   "outputs": [], "tools": [], "result_schema": None, "memory_mb": None, "wall_s": None,
                   "constants": [], "answer": "", "refusal": ""})
PROGRAM = "import time\nprint('first')\ntime.sleep(2)\nprint('second')\nfinal_answer(7)\n"
REPLY = f"It waits.\n\n```python\n{PROGRAM}```\n"


def test_tokens_and_lines_reach_the_caller_of_the_graph_as_they_come(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with srv.serving(srv.say(PLAN), srv.say(REPLY)) as script:
        monkeypatch.setenv("VLLM_BASE_URL", script.url)
        settings = Settings(home=str(home), engines=["bubblewrap"], model="vllm:scripted-1")
        seen: list[tuple[float, str, Any]] = []
        for mode, data in build_graph(settings).compile().stream(
                {"task": Task(goal="say when", result={"type": "number"})}, context=settings,
                stream_mode=["messages", "custom"]):
            seen.append((time.monotonic(), mode, data))
        live = live_for(settings)
        live.close()
        live.store.close()
    pieces = [(chunk.content, meta["langgraph_node"]) for _, mode, (chunk, meta) in
              [item for item in seen if item[1] == "messages"]]
    assert "".join(text for text, node in pieces if node == "plan") == PLAN
    assert "".join(text for text, node in pieces if node == "generate") == REPLY
    assert len(pieces) > 20
    custom = [(at, data) for at, mode, data in seen if mode == "custom"]
    assert "".join(data["text"] for _, data in custom if data["event"] == "token" and data["purpose"] == "program") == REPLY
    names = [data["event"] for _, data in custom]
    assert names.index("leaving") < names.index("model_called")
    first = next(at for at, data in custom if data["event"] == "output" and "first" in data["text"])
    ended = next(at for at, data in custom if data["event"] == "executed")
    assert ended - first > 1
