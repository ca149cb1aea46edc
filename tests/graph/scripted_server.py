"""A server that speaks OpenAI's protocol over real HTTP and answers as it was told, once per call."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Handler"], None]


def _event(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1", "choices": [],
            "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}}


def _lines(events: list[Any]) -> bytes:
    lines = [b"data: " + (item if isinstance(item, bytes) else json.dumps(item, ensure_ascii=False).encode()) + b"\n\n"
             for item in events]
    return b"".join(lines) + b"data: [DONE]\n\n"


def event_bytes(text: str) -> bytes:
    """One piece of a reply, for acts that write their own."""
    return _lines([_event({"content": text})]).removesuffix(b"data: [DONE]\n\n")


def say(text: str, finish: str | None = "stop", *, piece: int = 7, split: int | None = None, usage: bool = True,
        calls: list[dict[str, Any]] | None = None) -> Act:
    """A streamed reply in pieces of `piece` letters; `split`: the HTTP body is sent in parts of that many bytes."""
    events: list[Any] = [_event({"role": "assistant", "content": ""})]
    events += [_event({"content": text[at:at + piece]}) for at in range(0, len(text), piece)]
    events += [_event({"tool_calls": [call]}) for call in calls or []]
    events.append(_event({}, finish))
    if usage:
        events.append(_usage(120, 30))
    return stream(_lines(events), split=split)


def call_piece(arguments: str, *, name: str | None = None, index: int | None = 0, call_id: str | None = None,
               ) -> dict[str, Any]:
    """One piece of a tool call, as streams carry them."""
    function: dict[str, Any] = {"arguments": arguments}
    if name is not None:
        function["name"] = name
    return {"index": index, "id": call_id, "type": "function", "function": function}


def stream(body: bytes, *, split: int | None = None) -> Act:
    """These bytes as an event stream with chunked transfer, in parts of `split` bytes."""
    def act(handler: "Handler") -> None:
        handler.begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        size = split or max(1, len(body))
        for at in range(0, len(body), size):
            handler.chunk(body[at:at + size])
        handler.chunk(b"")
    return act


def events(*items: Any) -> Act:
    """A stream of these events: JSON values, or bytes as they are."""
    return stream(_lines(list(items)))


def responses(text: str, status: str = "completed", details: dict[str, Any] | None = None) -> Act:
    """A reply in the events of OpenAI's Responses API."""
    begun = {"id": "r1", "object": "response", "created_at": 1, "model": "scripted-1", "output": [], "tools": [],
             "parallel_tool_calls": True, "tool_choice": "auto", "status": "in_progress"}
    item = {"id": "m1", "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]}
    usage = {"input_tokens": 11, "output_tokens": 4, "total_tokens": 15, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens_details": {"reasoning_tokens": 0}}
    place = {"item_id": "m1", "output_index": 0, "content_index": 0}
    parts = [{"type": "response.created", "response": begun},
             {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
             {"type": "response.content_part.added", **place,
              "part": {"type": "output_text", "text": "", "annotations": []}},
             *({"type": "response.output_text.delta", **place, "delta": text[at:at + 5], "logprobs": []}
               for at in range(0, len(text), 5)),
             {"type": f"response.{status}", "response": {**begun, "status": status, "output": [item], "usage": usage,
                                                         "incomplete_details": details}}]
    lines = [f"event: {part['type']}\ndata: {json.dumps({**part, 'sequence_number': number})}\n\n"
             for number, part in enumerate(parts)]
    return stream("".join(lines).encode())


def fail(status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None) -> Act:
    """An error in OpenAI's form."""
    def act(handler: "Handler") -> None:
        handler.page(status, {"error": {"message": message, "type": "error", "code": code}}, headers)
    return act


def page(status: int, body: bytes, kind: str = "text/html") -> Act:
    """An answer that is not of the protocol at all."""
    def act(handler: "Handler") -> None:
        handler.begin(status, {"Content-Type": kind, "Content-Length": str(len(body))})
        handler.wfile.write(body)
    return act


def hang(seconds: float = 30.0) -> Act:
    """No byte until the server is closed."""
    def act(handler: "Handler") -> None:
        handler.script.closing.wait(seconds)
    return act


def drip(every_s: float = 0.05) -> Act:
    """A comment line now and then: bytes come, but no reply for longer than anyone waits."""
    def act(handler: "Handler") -> None:
        handler.begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        until = time.monotonic() + 40
        while not handler.script.closing.wait(every_s) and time.monotonic() < until:
            handler.chunk(b": still here\n\n")
        handler.chunk(_lines([_event({"content": "at last"}, "stop")]))
        handler.chunk(b"")
    return act


def cut(text: str) -> Act:
    """A reply whose connection breaks in its middle."""
    def act(handler: "Handler") -> None:
        handler.begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        handler.chunk(_lines([_event({"role": "assistant", "content": text})]).removesuffix(b"data: [DONE]\n\n"))
        handler.close_connection = True
        handler.connection.close()
    return act


def sudden_end(text: str) -> Act:
    """A reply that ends with the connection, without a finish reason and without an error."""
    def act(handler: "Handler") -> None:
        handler.begin(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        handler.wfile.write(_lines([_event({"role": "assistant", "content": text})]).removesuffix(b"data: [DONE]\n\n"))
        handler.close_connection = True
    return act


@dataclass
class Script:
    """What the server says, and what it was asked."""

    acts: list[Act] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    pages: dict[str, Any] = field(default_factory=lambda: {"/v1/models": {"data": [{"id": "scripted-1"}]}})
    """Answers to all other calls, by path: a JSON value, or (status, value)."""
    keys: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    @property
    def root(self) -> str:
        return self.url.removesuffix("/v1")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script

    def log_message(self, *_: Any) -> None:
        """The test's own output stays readable."""

    def begin(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def page(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        body = json.dumps(value).encode()
        self.begin(status, {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def do_GET(self) -> None:
        self._other()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path not in ("/v1/chat/completions", "/v1/responses"):
            self._other()
            return
        self.script.requests.append(json.loads(body))
        self.script.keys.append(self.headers.get("Authorization", ""))
        if not self.script.acts:
            self.page(418, {"error": {"message": "the script has run out", "type": "test"}})
            return
        try:
            self.script.acts.pop(0)(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _other(self) -> None:
        found = self.script.pages.get(self.path)
        if found is None:
            self.page(404, {"error": {"message": "404 page not found", "type": "test"}})
        elif isinstance(found, tuple):
            self.page(*found)
        else:
            self.page(200, found)


@contextmanager
def serving(*acts: Act) -> Iterator[Script]:
    """A server on this machine that plays the acts, one per chat call."""
    script = Script(list(acts))
    handler = type("Scripted", (Handler,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
