"""Cases that people reported of other tools, through the whole graph: real gate, real sandbox, scripted model.

Each is read as it is; a key of `expect` that no check knows fails the test. Where a case's words and the design differ, the
difference stands in DESIGN_WINS with its reason, and the case's point is still checked. Prose is for the reader.
"""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph.chat import Reply, ToolRequest
from fumehood.graph.stop import StopReason

CASES = Path(__file__).resolve().parents[1] / "cases"
PROSE = {"must_not", "accept_also", "feedback_states", "full_output", "if_suggestions_are_made", "stderr_allowed",
         "distinct_run_ids", "audit_lines", "if_input_preview_exists", "blocks_found"}
DESIGN_WINS: dict[str, dict[str, Any]] = {
    # The gate refuses an import outside the profile before it could fail in the sandbox, and names the package.
    "040": {"attempts": ["policy_denied", "policy_denied", "ok"],
            "feedback_contains": {"1": ["cv2"], "2": ["subprocess"]}},
}
REPAIRED: dict[tuple[str, str | None], dict[str, Any]] = {
    # What the cases name under `accept_also`: an unambiguous repair runs at once.
    ("013", "raw_newline"): {"final_stdout": "1\n"},
    ("013", "bad_escape"): {"final_stdout": "['12']\n"},
    ("039", "nbsp"): {"attempts": ["ok"], "final_stdout": "1 a\u00a0b\n", "feedback_contains": []},
}


def runs() -> list[Any]:
    """One parameter per independent run of a case."""
    found = []
    for path in sorted(CASES.glob("*.yml")):
        case = yaml.safe_load(path.read_text("utf-8"))
        given = case["input"]
        if given["level"] not in ("agent", "extract") or "model_replies_for_run_i" in given:
            continue
        replies = given.get("model_replies", {}) if "plan_replies" not in given else given["plan_replies"]
        names = list(replies) if isinstance(replies, dict) else [None]
        found += [pytest.param(case, name, id=path.stem + (f"-{name}" if name else "")) for name in names]
    return found


def reply_of(item: Any) -> str | Reply:
    """A reply as the case spells it: text, text with a finish reason, or a tool call with raw arguments."""
    if isinstance(item, str):
        return item
    if "arguments" in item or "arguments_generator" in item:
        raw = item.get("arguments")
        if raw is None:
            raw = eval(item["arguments_generator"], {"__builtins__": {}})  # an expression of this repository's own data
        return Reply(finish_reason="tool_calls", tool_calls=[ToolRequest(name="run_python", arguments=raw)])
    return Reply(text=item["text"], finish_reason=item["finish_reason"])


def of_run(value: Any, name: str | None) -> Any:
    """The part of a mapping that is for this run, where it is keyed by runs."""
    return value[name] if name and isinstance(value, dict) and name in value else value


def expectations(case: dict[str, Any], name: str | None) -> dict[str, Any]:
    expect = case["expect"]
    names = set(case["input"].get("model_replies", {})) if name else set()
    merged: dict[str, Any] = {}
    for key, value in expect.items():
        if key in ("each", name):
            merged.update(value)
        elif key not in names and not (isinstance(value, dict) and names and name not in value and set(value) <= names):
            merged[key] = of_run(value, name)
    merged.update(DESIGN_WINS.get(case["id"], {}))
    if (case["id"], name) in REPAIRED:
        del merged["feedback_contains"]
        merged.update(REPAIRED[case["id"], name])
    return merged


@pytest.mark.parametrize(("case", "name"), runs())
def test_case(bench: Any, case: dict[str, Any], name: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    given, config = case["input"], case["input"].get("config") or {}
    for variable, value in (config.get("host_env") or {}).items():
        monkeypatch.setenv(variable, value)
    files = {item["path"]: item["content"].encode() if "content" in item else base64.b64decode(item["content_b64"])
             for item in given.get("files", [])}
    task: dict[str, Any] = {"limits": {"wall_s": config.get("wall_s", 20), "cpu_s": 60},
                            "max_attempts": config.get("max_attempts", 3)}
    if "result_shape" in config:
        task["result"] = of_run(config["result_shape"], name)
    if config.get("declared_outputs"):
        task["outputs"] = [f"output/{item}" for item in config["declared_outputs"]]
    elif case["id"] == "048":
        task["outputs"] = ["outputs/*"]
    if "observation_limit_chars" in config:
        task["observation_chars"] = config["observation_limit_chars"]
    if "plan_replies" in given:
        plans = of_run(given["plan_replies"], name)
        outcome = bench.run(["```python\nprint(1)\n```"], [plans] if isinstance(plans, str) else plans,
                            {"sales.csv": b"amount\n1\n"}, **task)
        check_plan(bench, outcome, case["expect"][name])
        return
    replies = of_run(given["model_replies"], name)
    replies = [replies] if isinstance(replies, (str, dict)) else replies
    outcome = bench.run([reply_of(item) for item in replies], files=files, **task)
    for key, value in expectations(case, name).items():
        check(bench, outcome, key, value)


def check_plan(bench: Any, outcome: Any, expect: dict[str, Any]) -> None:
    if isinstance(expect["plan"], dict):
        for field, value in expect["plan"].items():
            assert getattr(outcome.plan, field) == value
        assert outcome.plan.source == "model"
    else:
        assert outcome.plan.source == "default"
        assert outcome.plan.warning
        assert outcome.plan.needs.inputs == ["sales.csv"]
    calls = expect.get("plan_calls")
    if calls is not None:
        made = len(bench.chat.prompts["plan"])
        assert made <= calls["max"] if isinstance(calls, dict) else made == calls


def executed(outcome: Any) -> list[Any]:
    return [attempt.execution for attempt in outcome.attempts if attempt.execution is not None]


def feedback(bench: Any, number: int | None = None) -> str:
    """What the model was told after its replies: all of it, or after one of them (1-based)."""
    asked = bench.chat.prompts["program"]
    if number is not None:
        return asked[number][-1].content if number < len(asked) else ""
    told = [messages[-1].content for messages in asked[1:]]
    if bench.driver is not None:
        newest = bench.driver.history(bench.run_id)[-1].values.get("messages") or []
        told += [message.content for message in newest if message.role == "user"][-1:]
    return "\n".join(told)


def check(bench: Any, outcome: Any, key: str, value: Any) -> None:
    bench.run_id = outcome.run_id
    if key in PROSE:
        return
    last = executed(outcome)[-1] if executed(outcome) else None
    if key == "status":
        assert outcome.status == value, outcome.message
    elif key == "stop_reason":
        assert outcome.stop_reason == value
    elif key in ("stdout", "final_stdout"):
        assert last is not None
        assert last.stdout == value
    elif key == "executions":
        count = len(executed(outcome))
        assert count <= value["max"] if isinstance(value, dict) else count == value
    elif key == "generate_calls":
        calls = len(bench.chat.prompts["program"])
        assert calls <= value["max"] if isinstance(value, dict) else calls == value
    elif key == "attempts":
        check_attempts(outcome, value)
    elif key in ("last_error", "first_attempt") and isinstance(value, str):
        attempt = outcome.attempts[-1 if key == "last_error" else 0]
        assert str(attempt.reason) in value.split(" or ")
    elif key == "first_attempt":
        for inner, wanted in value.items():
            check_first(outcome, inner, wanted)
    elif key == "result":
        assert outcome.result == value
    elif key == "code":
        assert program_of(outcome).strip() == value.strip()
    elif key == "code_contains_in_order":
        text = program_of(outcome)
        places = [text.index(part.strip()) for part in value]
        assert places == sorted(places)
    elif key == "exit_code":
        assert last is not None
        assert last.exit_code == value
    elif key == "error_contains":
        said = outcome.message + "".join(attempt.detail for attempt in outcome.attempts)
        assert all(part in said for part in value), said
    elif key == "stderr_contains":
        assert last is not None
        assert all(part in last.stderr for part in value)
    elif key == "stderr_must_not":
        assert last is not None
        assert not any(part in last.stderr for part in value)
    elif key == "feedback_contains":
        check_feedback(bench, value)
    elif key == "feedback_max_chars":
        assert all(len(messages[-1].content) <= value for messages in bench.chat.prompts["program"][1:])
    elif key == "failed_attempts":
        assert {attempt.reason for attempt in outcome.attempts if attempt.reason} <= {StopReason(value)}
    elif key == "observation":
        shown = feedback(bench)
        assert not any(sign in shown for sign in "\x1b\x07\r")
    elif key in ("first_attempt_wall_s", "attempt_2_wall_s"):
        index = 0 if key == "first_attempt_wall_s" else 1
        execution = outcome.attempts[index].execution
        assert execution is None or execution.wall_s <= value["max"]
    elif key == "artifacts":
        check_artifacts(outcome, value)
    else:
        pytest.fail(f"no check for {key!r}")


def check_attempts(outcome: Any, wanted: list[str]) -> None:
    got = ["ok" if attempt.reason is None else str(attempt.reason) for attempt in outcome.attempts]
    assert len(got) == len(wanted), got
    for one, allowed in zip(got, wanted, strict=True):
        assert one in allowed.split(" or "), got


def check_first(outcome: Any, key: str, wanted: Any) -> None:
    attempt = outcome.attempts[0]
    if key == "error_contains":
        assert all(part in attempt.detail for part in wanted)
    elif key == "wall_s":
        assert attempt.execution.wall_s <= wanted["max"]
    else:
        assert getattr(attempt.execution, key) == wanted


def check_feedback(bench: Any, wanted: Any) -> None:
    if isinstance(wanted, dict):
        for number, parts in wanted.items():
            said = feedback(bench, int(number))
            assert all(part.lower() in said.lower() for part in parts), said
        return
    said = feedback(bench)
    assert all(part.lower() in said.lower() for part in wanted), said


def program_of(outcome: Any) -> str:
    return (Path(outcome.folder) / outcome.attempts[-1].program).read_text(encoding="utf-8")


def check_artifacts(outcome: Any, wanted: dict[str, Any]) -> None:
    made = {item.path.split("/", 1)[1]: (Path(outcome.folder) / item.stored).read_bytes() for item in outcome.artifacts}
    for name, value in wanted.items():
        if name == "count":
            rejected = outcome.evidence.rejected_artifacts
            assert len(made) + len(rejected) == value
        elif name == "each_text":
            # Control characters of a name are shown escaped; the content holds the name as the program gave it.
            shown = {content.decode().replace("\n", "\\x0a").replace("\t", "\\x09"): path for path, content in made.items()
                     if path.endswith(".txt")}
            assert all(name == path for name, path in shown.items()), shown
        elif name == "chart.png":
            assert made[name].startswith(b"\x89PNG\r\n\x1a\n")
            assert len(made[name]) > 1024
        else:
            size, digest = re.findall(r"(\d+) bytes, sha256 (\w+)", value)[0]
            item = next(item for item in outcome.artifacts if item.path.endswith(name))
            assert (item.bytes, item.sha256) == (int(size), digest)
