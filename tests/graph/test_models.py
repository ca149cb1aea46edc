"""Models over real HTTP: the real client against a scripted server, every kind of reply and of failure."""

import importlib.util
import json
import os
import pty
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph import langchain_chat
from fumehood.graph.chat import Reply
from fumehood.graph.endpoint import Endpoint, endpoint_for, ollama_address
from fumehood.graph.errors import ContextTooLong, ModelUnavailable, TimeOver
from fumehood.graph.interrupting import within
from fumehood.graph.models import OPENAI_MODELS, chat_named, default_chat, open_chat, wrap_chat_model
from fumehood.graph.openai_chat import OpenAIChat
from fumehood.graph.paste import PasteChat
from fumehood.graph.plan_schema import PLAN_SCHEMA
from fumehood.graph.planning import read_plan
from fumehood.graph.settings import Price, Settings
from fumehood.graph.state import Message, Plan, Usage
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

_spec = importlib.util.spec_from_file_location("scripted_server", Path(__file__).with_name("scripted_server.py"))
assert _spec is not None
assert _spec.loader is not None
srv: Any = importlib.util.module_from_spec(_spec)
sys.modules["scripted_server"] = srv
_spec.loader.exec_module(srv)

PROMPT = [Message(role="system", content="Write Python."), Message(role="user", content="Print 1.")]
CODE = "```python\nprint('naïve → 1')\n```\n"
PLAN = json.dumps({"steps": ["load"], "needs_code": True, "kind": "table", "imports": ["pandas"], "inputs": [],
                   "outputs": [], "tools": [], "result_schema": None, "memory_mb": None, "wall_s": None,
                   "constants": [], "answer": "", "refusal": ""})


class Pauses(list[float]):
    """Remembers the pauses instead of making them."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def make(tmp_path: Path, pauses: Pauses) -> Callable[..., OpenAIChat]:
    def chat(script: Any, kind: Any = "openai", **settings: Any) -> OpenAIChat:
        given = {"home": str(tmp_path), "model_timeout_s": 5.0, "first_load_timeout_s": 5.0, **settings}
        endpoint = Endpoint(kind=kind, url=script.url, model="scripted-1", key="sk-test-1234567890abcdef")
        return OpenAIChat(endpoint, Settings(**given), pause=pauses)
    return chat


def ask(chat: Any, **more: Any) -> Reply:
    reply = chat.ask(PROMPT, purpose="program", **more)
    assert isinstance(reply, Reply)
    return reply


@pytest.mark.parametrize("split", [1, 3, 17, 100_000])
def test_a_stream_split_anywhere_is_put_together(make: Any, split: int) -> None:
    tokens: list[str] = []
    with srv.serving(srv.say(CODE, split=split)) as script:
        reply = ask(make(script, prices={"scripted-1": Price(input=2, output=10)}), on_token=tokens.append)
    assert reply.text == CODE
    assert "".join(tokens) == CODE
    assert len(tokens) > 2
    assert reply.finish_reason == "stop"
    assert reply.model == "scripted-1"
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 120, 30)
    assert reply.usage.cost == pytest.approx((120 * 2 + 30 * 10) / 1e6)
    assert reply.warnings == []


def test_tokens_arrive_while_the_reply_is_still_being_written(make: Any) -> None:
    first = threading.Event()

    def slow(handler: Any) -> None:
        handler.begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        handler.chunk(srv._lines([srv._event({"content": "early"})]).removesuffix(b"data: [DONE]\n\n"))
        assert first.wait(20), "the first token was held back"
        handler.chunk(srv._lines([srv._event({"content": " late"}, "stop")]))
        handler.chunk(b"")

    with srv.serving(slow) as script:
        reply = ask(make(script), on_token=lambda _: first.set())
    assert reply.text == "early late"


def test_no_price_is_null_and_no_counts_are_estimated(make: Any) -> None:
    with srv.serving(srv.say(CODE, usage=False)) as script:
        reply = ask(make(script))
    assert reply.usage.cost is None
    assert reply.usage.input_tokens > 0
    assert "no token counts" in reply.warnings[0]


def test_a_sum_with_an_unknown_price_in_it_is_unknown() -> None:
    known, unknown = Usage(calls=1, input_tokens=2, cost=0.5), Usage(calls=1, output_tokens=3)
    assert Usage().plus(known).plus(known).cost == 1.0
    assert known.plus(unknown).cost is unknown.plus(known).cost is Usage().plus(unknown).cost is None
    assert known.plus(Usage()).cost == 0.5, "no call, no cost"


def test_what_is_sent(make: Any) -> None:
    with srv.serving(srv.say("x")) as script:
        make(script).ask([*PROMPT, Message(role="user", content="More \ud800 \x00.")], purpose="program")
    sent = script.requests[0]
    assert sent["model"] == "scripted-1"
    assert sent["stream"] is True
    assert sent["stream_options"] == {"include_usage": True}
    assert [turn["role"] for turn in sent["messages"]] == ["system", "user"]
    assert sent["messages"][1]["content"] == "Print 1.\n\nMore \ufffd \x00."
    assert "temperature" not in sent
    assert script.keys == ["Bearer sk-test-1234567890abcdef"]


def test_a_local_server_gets_a_low_temperature_and_an_end(make: Any) -> None:
    with srv.serving(srv.say("x")) as script:
        ask(make(script, "vllm"))
    assert script.requests[0]["temperature"] == 0.2
    assert 0 < script.requests[0]["max_tokens"] <= 16_384


@pytest.mark.parametrize(("act", "reason"), [
    (srv.say("```python\nx = 1", "length"), "length"),
    (srv.say("half", None), "unknown"),
    (srv.sudden_end("half"), "unknown"),
])
def test_a_cut_reply_says_so(make: Any, act: Any, reason: str) -> None:
    with srv.serving(act) as script:
        assert ask(make(script)).finish_reason == reason


def test_a_reply_without_end_is_cut(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.graph.streaming.LONGEST_REPLY", 1000)
    with srv.serving(srv.say("abc " * 5000)) as script:
        reply = ask(make(script))
    assert reply.finish_reason == "length"
    assert len(reply.text) < 1100


@pytest.mark.parametrize(("text", "cut"), [
    ("pycurl_python3.3, " * 2000, True), ("x" * 9000, True), ("```python\nprint(1)\n\n" + "- and then\n" * 3000, True),
    ("".join(f"row {number} of the table\n" for number in range(3000)), False), ("=" * 1400 + " end", False),
])
def test_a_model_that_fell_into_a_loop_is_cut(make: Any, text: str, cut: bool) -> None:
    with srv.serving(srv.say(text, piece=50)) as script:
        reply = ask(make(script))
    assert (reply.finish_reason == "length") is cut
    assert (len(reply.text) < 5000) is cut or len(text) < 5000


def test_rate_limit_waits_as_long_as_the_server_asks(make: Any, pauses: Pauses) -> None:
    with srv.serving(srv.fail(429, "slow down", headers={"Retry-After": "3"}), srv.say(CODE)) as script:
        reply = ask(make(script))
    assert reply.text == CODE
    assert pauses == [3.0]
    assert reply.usage.calls == 2
    assert "slow down" in reply.warnings[0]


def test_a_wait_that_is_too_long_ends_the_call(make: Any, pauses: Pauses) -> None:
    refusal = srv.fail(429, "later", headers={"Retry-After": "3600"})
    with srv.serving(refusal) as script, pytest.raises(ModelUnavailable, match="3600 s") as caught:
        ask(make(script))
    assert pauses == []
    assert caught.value.retryable


def test_no_quota_is_not_asked_again(make: Any, pauses: Pauses) -> None:
    refusal = srv.fail(429, "You exceeded your current quota", code="insufficient_quota")
    with srv.serving(refusal) as script, pytest.raises(ModelUnavailable, match="quota") as caught:
        ask(make(script))
    assert len(script.requests) == 1
    assert not caught.value.retryable


def test_server_errors_are_asked_again_with_growing_pauses(make: Any, pauses: Pauses) -> None:
    with srv.serving(srv.fail(500, "boom"), srv.fail(502, "bad gateway"), srv.say(CODE)) as script:
        assert ask(make(script)).text == CODE
    assert len(pauses) == 2
    assert pauses[0] < pauses[1]


def test_retries_are_used_up(make: Any, pauses: Pauses) -> None:
    with srv.serving(*[srv.fail(500, "boom")] * 5) as script, pytest.raises(ModelUnavailable, match="HTTP 500"):
        ask(make(script, model_retries=2))
    assert len(script.requests) == 3


def test_a_loading_server_is_waited_for(make: Any, pauses: Pauses) -> None:
    with srv.serving(*[srv.fail(503, "Loading model")] * 6, srv.say(CODE)) as script:
        assert ask(make(script, "llamacpp", model_retries=0)).text == CODE
    assert len(pauses) == 6


@pytest.mark.parametrize("act", [srv.hang(), srv.drip()])
def test_a_hang_ends_in_time(make: Any, act: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.graph.openai_chat._REPLY_FACTOR", 1)
    with srv.serving(act, act) as script, pytest.raises(ModelUnavailable, match="silent") as caught:
        ask(make(script, model_timeout_s=0.6, first_load_timeout_s=0.6, model_retries=5))
    assert caught.value.retryable
    assert len(script.requests) == 2, "a hang is asked again once only"


@pytest.mark.parametrize("acts", [[srv.hang()], [srv.drip()], [srv.fail(503, "Loading model")] * 60,
                                  [srv.fail(429, "slow down", headers={"Retry-After": "4"})] * 9])
def test_no_server_outlasts_the_runs_own_time(tmp_path: Path, acts: Any) -> None:
    settings = Settings(home=str(tmp_path), model_timeout_s=300.0, first_load_timeout_s=300.0)
    with srv.serving(srv.say(CODE), *acts) as script:
        chat = OpenAIChat(Endpoint(kind="llamacpp", url=script.url, model="scripted-1", key="none"), settings)
        ask(chat)  # what is loaded once takes no part of the time
        with within(time.time() + 1), pytest.raises(TimeOver):
            ask(chat)
    assert len(script.requests) > 1


def test_no_client_of_a_provider_outlasts_it_either() -> None:
    waiting = threading.Event()

    def silent() -> Iterator[Any]:
        waiting.wait(20)
        yield AIMessage("late")

    with within(time.time() + 0.7), pytest.raises(TimeOver):
        ask(wrap_chat_model(GenericFakeChatModel(messages=silent())))
    waiting.set()


def test_a_reply_that_is_left_lets_the_server_go(make: Any) -> None:
    """Whatever ends the waiting, the connection is cut, so that a server of one's own does not write on for nobody."""
    gone = threading.Event()

    def endless(handler: Any) -> None:
        handler.begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        for _ in range(400):
            handler.chunk(srv.event_bytes("again and again "))
        handler.connection.settimeout(60)
        try:
            cut = handler.connection.recv(1) == b""
        except ConnectionResetError:  # the client left with something unread
            cut = True
        if cut:
            gone.set()

    with srv.serving(endless) as script:
        reply = ask(make(script, model_timeout_s=300.0, first_load_timeout_s=300.0))
        assert reply.finish_reason == "length"
        assert gone.wait(20), "the connection stays open while the server is silent"


@pytest.mark.parametrize(("before", "finish"), [
    ("```python\nprint(1)\n```\nThis is it. ", "stop"), ("```python\nprint(1)\n", "length"), ("No program. ", "length"),
    ("```python\nprint(1)\n```\n```\n", "length")])
def test_a_loop_in_prose_after_a_whole_program_takes_nothing_from_it(make: Any, before: str, finish: str) -> None:
    with srv.serving(srv.say(before + "It is a function. " * 400, piece=50)) as script:
        reply = ask(make(script))
    assert reply.finish_reason == finish
    if finish == "stop":
        assert reply.text == "```python\nprint(1)\n```\n"
        assert any("repeated itself" in warning for warning in reply.warnings)


@pytest.mark.parametrize(("line", "looped"), [
    ("{0}" + ".1" * 50 + "\", \"", True),
    ("    row_{0} = table.loc[table['id'] == {0}, 'amount'].sum()\n", False),
    ("({0}, {1}, {2}), ", False)])
def test_a_loop_with_a_counter_in_it_is_a_loop(make: Any, line: str, looped: bool) -> None:
    text = "".join(line.format(number, number * 7919 % 9973, number ** 3 % 977) for number in range(250))
    with srv.serving(srv.say(text, piece=50)) as script:
        assert (ask(make(script)).finish_reason == "length") is looped


def test_the_first_load_has_its_own_time_out(make: Any) -> None:
    def late(handler: Any) -> None:
        time.sleep(1.0)
        srv.say(CODE)(handler)

    with srv.serving(late, srv.hang()) as script:
        chat = make(script, "vllm", model_timeout_s=0.5, first_load_timeout_s=20.0, model_retries=0)
        assert ask(chat).text == CODE
        with pytest.raises(ModelUnavailable, match=r"0\.5 s"):
            ask(chat)


def test_a_cut_connection_is_asked_again(make: Any, pauses: Pauses) -> None:
    tokens: list[str] = []
    with srv.serving(srv.cut("half a rep"), srv.say(CODE)) as script:
        reply = ask(make(script), on_token=tokens.append)
    assert reply.text == CODE
    assert len(pauses) == 1
    assert "asking again" in "".join(tokens)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("act", [
    srv.page(200, b"<html>hello</html>"), srv.page(200, b'{"choices": null}', "application/json"),
    srv.stream(b"data: {not json}\n\n"), srv.events({"choices": "x"}), srv.events({"object": "x"}),
    srv.events(b"null"), srv.events({"choices": [{"delta": {"content": 5}}]}),
    srv.events({"choices": [{"index": 0, "delta": None}]}), srv.stream(b""),
])
def test_an_answer_that_is_not_of_the_protocol(make: Any, act: Any) -> None:
    with srv.serving(act) as script, pytest.raises(ModelUnavailable) as caught:
        ask(make(script, model_retries=0))
    assert "scripted-1" in str(caught.value)


def test_an_empty_choice_is_asked_again_then_named(make: Any) -> None:
    empty = srv.events({"id": "1", "object": "chat.completion.chunk", "choices": []})
    with srv.serving(empty, srv.say(CODE)) as script:
        assert ask(make(script)).text == CODE
    with srv.serving(empty, empty) as script, pytest.raises(ModelUnavailable, match="no choice"):
        ask(make(script, model_retries=1))


def test_an_empty_text_is_a_reply(make: Any) -> None:
    with srv.serving(srv.say("", "stop")) as script:
        assert ask(make(script)).text == ""


@pytest.mark.parametrize(("act", "words"), [
    (srv.fail(401, "Incorrect API key provided: sk-test-1234567890abcdef"), "does not accept the key"),
    (srv.fail(403, "Country not supported"), "forbids"),
    (srv.fail(404, "The model `scripted-1` does not exist", code="model_not_found"), "has no model 'scripted-1'"),
    (srv.page(404, b"404 page not found", "text/plain"), "/v1"),
    (srv.fail(400, "The response was filtered", code="content_filter"), "content filter"),
    (srv.say("", "content_filter"), "content filter"),
    (srv.fail(400, "odd"), "HTTP 400"),
])
def test_errors_are_named_and_hold_no_key(make: Any, act: Any, words: str) -> None:
    with srv.serving(act) as script, pytest.raises(ModelUnavailable, match=words) as caught:
        ask(make(script))
    assert len(script.requests) == 1, "asking again cannot help"
    assert not caught.value.retryable
    assert "1234567890" not in str(caught.value)


@pytest.mark.parametrize(("message", "window", "prompt"), [
    ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.", 8192, 9001),
    ("request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it", 8192, 9001),
    ("The prompt is too long", None, None),
])
@pytest.mark.parametrize("status", [400, 500])
def test_a_prompt_that_is_too_long(make: Any, message: str, window: int | None, prompt: int | None, status: int) -> None:
    with srv.serving(srv.fail(status, message)) as script, pytest.raises(ContextTooLong) as caught:
        ask(make(script))
    assert len(script.requests) == 1
    assert (caught.value.window, caught.value.prompt_tokens) == (window, prompt)


def test_a_prompt_beyond_the_known_window_is_never_sent(make: Any) -> None:
    with srv.serving(srv.say(CODE)) as script:
        script.pages["/api/show"] = {"parameters": "stop \"x\"\nnum_ctx 2048\n"}
        chat = make(script, "ollama")
        assert chat.window() == 2048
        with pytest.raises(ContextTooLong, match="2048") as caught:
            chat.ask([Message(role="user", content="word " * 3000)], purpose="program")
        assert caught.value.window == 2048
        assert script.requests == []
        assert ask(chat).text == CODE
    assert script.requests[0]["max_tokens"] < 2048


@pytest.mark.parametrize(("kind", "path", "value", "window"), [
    ("ollama", "/api/ps", {"models": [{"name": "scripted-1:latest", "context_length": 32768}]}, 32768),
    ("ollama", "/api/show", {"parameters": "temperature 1"}, 4096),
    ("llamacpp", "/props", {"default_generation_settings": {"n_ctx": 8192}}, 8192),
    ("vllm", "/v1/models", {"data": [{"id": "scripted-1", "max_model_len": 16384}]}, 16384),
    ("lmstudio", "/api/v0/models/scripted-1", {"loaded_context_length": 4096, "max_context_length": 131072}, 4096),
    ("vllm", "/v1/models", {"data": "x"}, None),
    ("llamacpp", "/props", [1], None),
])
def test_the_window_is_read_from_the_server(make: Any, kind: str, path: str, value: Any, window: int | None) -> None:
    with srv.serving() as script:
        script.pages[path] = value
        assert make(script, kind).window() == window


def test_nothing_listens(tmp_path: Path, pauses: Pauses) -> None:
    endpoint = Endpoint(kind="ollama", url="http://127.0.0.1:9/v1", model="qwen2.5", key="unused")
    chat = OpenAIChat(endpoint, Settings(home=str(tmp_path), model_retries=1), pause=pauses)
    assert "ollama serve" in (chat.unavailable() or "")
    with pytest.raises(ModelUnavailable, match="ollama serve") as caught:
        ask(chat)
    assert caught.value.retryable
    assert len(pauses) == 1


@pytest.mark.parametrize(("kind", "pages", "words"), [
    ("ollama", {"/v1/models": {"data": [{"id": "llama3:latest"}]}}, "ollama pull scripted-1"),
    ("ollama", {"/v1/models": {"data": None}}, "ollama pull scripted-1"),
    ("ollama", {"/v1/models": {"data": [{"id": "scripted-1:latest"}]}}, None),
    ("vllm", {"/v1/models": {"data": [{"id": "other"}]}}, "it has: other"),
    ("openai", {"/v1/models": (401, {"error": "no"})}, "OPENAI_API_KEY"),
    ("openai", {}, None),
])
def test_unavailable_asks_nothing_that_costs(make: Any, kind: str, pages: dict[str, Any], words: str | None) -> None:
    with srv.serving() as script:
        script.pages = pages
        problem = make(script, kind).unavailable()
    assert script.requests == []
    assert problem is None if words is None else words in (problem or "")


def plan_with(chat: OpenAIChat) -> Reply:
    return chat.ask(PROMPT, purpose="plan", schema=PLAN_SCHEMA)


def form_of(request: dict[str, Any]) -> str:
    if "response_format" in request:
        return str(request["response_format"]["type"])
    return "tool" if "tools" in request else "text"


def test_a_plan_is_asked_for_by_schema_and_what_is_refused_is_remembered(make: Any) -> None:
    refusals = [srv.fail(400, "response_format json_schema is not supported"), srv.fail(422, "tools: unknown field"),
                srv.fail(400, "'response_format.type' must be text")]
    with srv.serving(*refusals, srv.say(f"```json\n{PLAN}\n```"), srv.say(PLAN), srv.say(PLAN)) as script:
        chat = make(script)
        assert isinstance(read_plan(plan_with(chat).text), Plan)
        plan_with(chat)
        plan_with(make(script))
    forms = [form_of(request) for request in script.requests]
    assert forms == ["json_schema", "tool", "json_object", "text", "text", "text"]
    assert script.requests[0]["response_format"]["json_schema"]["schema"]["required"] == PLAN_SCHEMA["required"]


def test_a_server_of_ones_own_gets_a_schema_with_ends(make: Any) -> None:
    with srv.serving(srv.say(PLAN), srv.say(PLAN)) as script:
        plan_with(make(script, "vllm"))
        plan_with(make(script))
    own, other = (request["response_format"]["json_schema"]["schema"]["properties"] for request in script.requests)
    assert own["steps"]["items"]["maxLength"] < own["result_schema"]["maxLength"] == own["answer"]["maxLength"]
    assert "maxLength" not in json.dumps(other)
    assert "maxLength" not in own["needs_code"]


def test_a_plan_by_tool_call(make: Any) -> None:
    pieces = [srv.call_piece(PLAN[:9], name="plan", call_id="a"), srv.call_piece(PLAN[9:])]
    with srv.serving(srv.fail(400, "no json_schema here"), srv.say("", "tool_calls", calls=pieces)) as script:
        reply = plan_with(make(script))
    assert reply.text == PLAN
    assert reply.tool_calls == []
    assert script.requests[1]["tool_choice"]["function"]["name"] == "plan"


def test_a_server_that_ignores_the_schema_is_asked_otherwise_the_next_time(make: Any) -> None:
    with srv.serving(srv.say("I would load the file first."), srv.say(PLAN)) as script:
        chat = make(script)
        assert isinstance(read_plan(plan_with(chat).text), str)
        plan_with(chat)
    assert [form_of(request) for request in script.requests] == ["json_schema", "tool"]


def test_a_failure_of_another_kind_teaches_nothing(make: Any, tmp_path: Path) -> None:
    with srv.serving(*[srv.fail(400, "odd")] * 4, srv.say(PLAN)) as script:
        chat = make(script)
        with pytest.raises(ModelUnavailable):
            plan_with(chat)
        plan_with(chat)
    assert form_of(script.requests[-1]) == "json_schema"
    assert not (tmp_path / "endpoints.json").exists()


@pytest.mark.parametrize(("refusal", "gone"), [
    ("System role not supported", lambda sent: sent["messages"][0]["role"] == "user"),
    ("Conversation roles must alternate user/assistant/user/assistant", lambda sent: len(sent["messages"]) == 1),
    ("Unknown parameter: stream_options", lambda sent: "stream_options" not in sent),
    ("max_tokens is not allowed here", lambda sent: "max_tokens" not in sent and "temperature" not in sent),
])
def test_what_a_server_does_not_take_is_left_out(make: Any, refusal: str, gone: Callable[[Any], bool]) -> None:
    with srv.serving(srv.fail(400, refusal), srv.say(CODE), srv.say(CODE)) as script:
        assert ask(make(script, "vllm")).text == CODE
        ask(make(script, "vllm"))
    assert not gone(script.requests[0])
    assert gone(script.requests[1])
    assert gone(script.requests[2]), "remembered in a new process too"


def test_an_endpoint_that_wants_tools_gets_run_python(make: Any) -> None:
    arguments = json.dumps({"code": "print('ok')"})
    calls = [srv.call_piece(arguments[:5], name="run_python", call_id="c1"), srv.call_piece(arguments[5:])]
    called = srv.say("", "tool_calls", calls=calls)
    with srv.serving(srv.fail(400, "tools are required for this model"), called, called) as script:
        reply = ask(make(script))
        ask(make(script))
    assert len(script.requests) == 3, "a new process knows it from the first call on"
    assert "tools" not in script.requests[0]
    assert [sent["tools"][0]["function"]["name"] for sent in script.requests[1:]] == ["run_python", "run_python"]
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("run_python", arguments)]


@pytest.mark.parametrize("arguments", ['{"code": "x = 1\nprint(x)"}', "[]", "null", '{"code": "cut', "q" * 600_000])
def test_malformed_tool_calls_come_through_as_they_are(make: Any, arguments: str) -> None:
    calls = [srv.call_piece(arguments, name="run_python", call_id="c1")]
    with srv.serving(srv.say("", "tool_calls", calls=calls), srv.say("", "tool_calls", calls=calls)) as script:
        chat = make(script)
        first, second = ask(chat), ask(chat)
    assert first.tool_calls[0].arguments == second.tool_calls[0].arguments == arguments
    assert "tools" not in script.requests[0]
    assert script.requests[1]["tools"][0]["function"]["name"] == "run_python", "it wanted tools unasked"


def test_tool_call_pieces_without_a_number(make: Any) -> None:
    calls = [srv.call_piece('{"code"', name="run_python", index=None, call_id="c1"),
             srv.call_piece(': "1"}', index=None, call_id=None)]
    with srv.serving(srv.say("", "tool_calls", calls=calls)) as script:
        reply = ask(make(script))
    assert [call.arguments for call in reply.tool_calls] == ['{"code": "1"}']


def test_openais_own_newer_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that OpenAI serves by its Responses API only; the client chooses it by the model's name."""
    acts = [srv.responses(CODE), srv.responses("```python", "incomplete", {"reason": "max_output_tokens"}),
            srv.responses(PLAN)]
    with srv.serving(*acts) as script:
        monkeypatch.setenv("OPENAI_BASE_URL", script.url)
        own = Endpoint(kind="openai", url="https://api.openai.com/v1", model="gpt-5-pro", key="k", own=True)
        chat = OpenAIChat(own, Settings(home=str(tmp_path), model_retries=0))
        tokens: list[str] = []
        reply = ask(chat, on_token=tokens.append)
        cut = ask(chat)
        plan = plan_with(chat)
    assert reply.text == "".join(tokens) == CODE
    assert (reply.finish_reason, reply.usage.input_tokens, reply.usage.output_tokens) == ("stop", 11, 4)
    assert cut.finish_reason == "length"
    assert isinstance(read_plan(plan.text), Plan)
    assert script.requests[0]["input"][-1]["content"] == "Print 1."
    assert script.requests[2]["text"]["format"]["schema"]["required"] == PLAN_SCHEMA["required"]


def test_a_fallback_is_asked_when_the_first_gives_no_reply(make: Any, monkeypatch: pytest.MonkeyPatch,
                                                           tmp_path: Path) -> None:
    with srv.serving(srv.fail(401, "no")) as first, srv.serving(srv.say(CODE), srv.say(CODE)) as second:
        monkeypatch.setenv("VLLM_BASE_URL", first.url)
        monkeypatch.setenv("LLAMACPP_BASE_URL", second.url)
        chat = open_chat("vllm:scripted-1", Settings(home=str(tmp_path), fallback_model="llamacpp:scripted-1"))
        assert chat.unavailable() is None
        reply = ask(chat)
        ask(chat)
    assert reply.text == CODE
    assert "llamacpp:scripted-1 was asked instead" in reply.warnings[0]
    assert len(first.requests) == 1, "a wrong key does not become right"
    assert len(second.requests) == 2


def test_both_models_down_says_so_of_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LLAMACPP_BASE_URL", "http://127.0.0.1:9/v1")
    chat = open_chat("vllm:a", Settings(home=str(tmp_path), fallback_model="llamacpp:b", model_retries=0))
    assert "vllm serve" in (chat.unavailable() or "")
    with pytest.raises(ModelUnavailable, match=r"vllm serve[\s\S]*fallback[\s\S]*llama-server"):
        ask(chat)


@pytest.mark.parametrize(("given", "address"), [
    ("", "http://localhost:11434"), ("0.0.0.0:11500", "http://localhost:11500"), ("gpu", "http://gpu:11434"),
    ("http://gpu:1/", "http://gpu:1"), ("https://ollama.example", "https://ollama.example:443"),
    (":8000", "http://localhost:8000"), ("[::1]:5", "http://[::1]:5"), ("http://h:1/v1", "http://h:1"),
])
def test_ollama_host_as_everybody_writes_it(given: str, address: str) -> None:
    assert ollama_address({"OLLAMA_HOST": given}) == address


@pytest.mark.parametrize(("kind", "env"), [
    ("openai", {}), ("openai", {"OPENAI_BASE_URL": "localhost:8000"}), ("vllm", {"VLLM_BASE_URL": "ftp://x"}),
    ("ollama", {"OLLAMA_HOST": "h:99999"}),
])
def test_a_wrong_environment_is_named(kind: Any, env: dict[str, str]) -> None:
    with pytest.raises(ModelUnavailable, match=r"OPENAI_API_KEY|OPENAI_BASE_URL|VLLM_BASE_URL|OLLAMA_HOST"):
        endpoint_for(kind, "x", env)


def test_without_a_name_and_without_anything_the_ways_out_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        default_chat(Settings(home=str(tmp_path)), {"OLLAMA_HOST": "127.0.0.1:9"})
    for way in ("OPENAI_API_KEY", "ollama pull", "recording:FILE", "paste", "--model"):
        assert way in str(caught.value)


def test_without_a_name_ollama_gives_its_first_model_that_chats(tmp_path: Path) -> None:
    with srv.serving() as script:
        script.pages = {"/v1/models": {"data": [{"id": "qwen2.5:7b"}]}, "/api/show": {"capabilities": ["completion"]}}
        assert default_chat(Settings(home=str(tmp_path)), {"OLLAMA_HOST": script.root}).label == "ollama:qwen2.5:7b"
        script.pages = {"/v1/models": {"data": []}}
        with pytest.raises(ModelUnavailable, match=r"ollama pull qwen2\.5"):
            default_chat(Settings(home=str(tmp_path)), {"OLLAMA_HOST": script.root})


def test_without_a_name_a_server_of_ones_own_names_its_model(tmp_path: Path) -> None:
    with srv.serving(srv.say(CODE)) as script:
        chat = default_chat(Settings(home=str(tmp_path)), {"OPENAI_BASE_URL": script.url})
        ask(chat)
    assert script.requests[0]["model"] == "scripted-1"


def test_a_key_alone_takes_a_current_openai_model() -> None:
    from fumehood.graph.models import _openai_model

    with srv.serving() as script:
        own = Endpoint(kind="openai", url=script.url, model="", key="k", own=True)
        script.pages["/v1/models"] = {"data": [{"id": "gpt-4o"}, {"id": OPENAI_MODELS[2]}, {"id": OPENAI_MODELS[3]}]}
        assert _openai_model(own) == OPENAI_MODELS[2]
        script.pages["/v1/models"] = (500, {})
        assert _openai_model(own) == OPENAI_MODELS[0]


@pytest.mark.parametrize(("name", "said"), [
    ("opnai:gpt", "unknown provider 'opnai'; did you mean openai?"),
    ("olama:qwen2.5", "did you mean ollama?"),
    ("antropic:claude", "did you mean anthropic?"),
    ("zzz:thing", "unknown provider 'zzz'; known: openai, ollama"),
    ("gpt-5", "write openai:gpt-5"),
])
def test_a_wrong_provider_names_the_known_ones_and_no_invented_package(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(ModelUnavailable) as raised:
        chat_named(name, Settings(home=str(tmp_path)))
    assert said in str(raised.value)
    assert "pip install" not in str(raised.value)


@pytest.mark.parametrize("name", ["anthropic:claude", "google-genai:gemini"])
def test_other_names_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(langchain_chat, "find_spec", lambda _: None)  # as where langchain is not installed
    chat = chat_named(name, Settings(home=str(tmp_path)))
    assert "pip install langchain" in (chat.unavailable() or "")
    with pytest.raises(ModelUnavailable, match="pip install langchain"):
        ask(chat)


def test_any_langchain_model_object(tmp_path: Path) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(content=CODE, response_metadata={"stop_reason": "end_turn"})]))
    tokens: list[str] = []
    chat = wrap_chat_model(model, Settings(home=str(tmp_path)))
    reply = ask(chat, on_token=tokens.append)
    assert reply.text == "".join(tokens) == CODE
    assert len(tokens) > 1
    assert reply.usage.input_tokens > 0
    assert chat.label == "langchain:GenericFakeChatModel"
    assert reply.usage.cost is None
    model = GenericFakeChatModel(messages=iter([AIMessage(content=CODE)]))
    priced = Settings(home=str(tmp_path), prices={chat.label: Price(input=2_000_000, output=0)})
    paid = ask(wrap_chat_model(model, priced)).usage
    assert paid.cost == 2 * paid.input_tokens


def test_whatever_a_langchain_model_raises_is_a_named_error(tmp_path: Path) -> None:
    class Broken(GenericFakeChatModel):
        def _generate(self, *_: Any, **__: Any) -> Any:
            raise ZeroDivisionError("inside the provider")

    chat = wrap_chat_model(Broken(messages=iter([])), Settings(home=str(tmp_path), model_retries=0))
    with pytest.raises(ModelUnavailable, match="ZeroDivisionError: inside the provider"):
        ask(chat)


def test_what_a_listener_raises_is_not_taken_for_the_models(make: Any) -> None:
    class Stop(Exception):
        pass

    def listen(_: str) -> None:
        raise Stop

    with srv.serving(srv.say(CODE)) as script, pytest.raises(Stop):
        ask(make(script), on_token=listen)
    assert len(script.requests) == 1


def pasted(keys: bytes, purpose: Any = "program") -> tuple[Reply, str]:
    """What PasteChat makes of these keys on a real terminal, and what it showed there."""
    master, slave = pty.openpty()
    shown = bytearray()
    typed = threading.Event()

    def person() -> None:
        while True:
            try:
                data = os.read(master, 65536)
            except OSError:
                return
            if not data:
                return
            shown.extend(data)
            if not typed.is_set() and b"paste the reply" in shown:
                typed.set()
                for at in range(0, len(keys), 512):
                    os.write(master, keys[at:at + 512])

    thread = threading.Thread(target=person, daemon=True)
    thread.start()
    watchdog = threading.Timer(20, lambda: os.write(master, b"\x04"))
    watchdog.start()
    try:
        reply = PasteChat(os.ttyname(slave)).ask(PROMPT, purpose=purpose)
    finally:
        watchdog.cancel()
        os.close(slave)
        thread.join(1)
        os.close(master)
    return reply, shown.decode("utf-8", "replace")


def test_a_reply_is_pasted_at_a_terminal() -> None:
    long_line = "x = '" + "y" * 9000 + "'"
    reply, shown = pasted(f"```python\n{long_line}\nprint('é')q\x7f\n```\n.\n".encode())
    assert reply.text == f"```python\n{long_line}\nprint('é')\n```\n"
    assert "Print 1." in shown


def test_ctrl_d_ends_a_pasted_reply() -> None:
    reply, _ = pasted(b"one line\x04")
    assert reply.text == "one line"


def test_an_empty_pasted_plan_takes_the_default() -> None:
    reply, _ = pasted(b".\n", "plan")
    assert reply.finish_reason == "absent"


def test_paste_without_a_terminal(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    for place in (str(plain), str(tmp_path / "none")):
        chat = PasteChat(place)
        assert "needs a terminal" in (chat.unavailable() or "")
        with pytest.raises(ModelUnavailable, match="needs a terminal"):
            ask(chat)
