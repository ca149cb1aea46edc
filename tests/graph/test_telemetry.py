"""Spans and metrics as the real SDK exports them."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from fumehood.graph.state import Attempt, Outcome
from fumehood.graph.stop import StopReason
from fumehood.graph.telemetry import Telemetry
from fumehood.policies.verdict import Finding
from fumehood.sandbox.evidence import Evidence
from fumehood.sandbox.execution import Execution
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode


class Seen:
    """A telemetry whose spans and metrics go to memory, not to the process's global providers."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.reader = InMemoryMetricReader()
        self.spans_to = TracerProvider()
        self.spans_to.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.metrics_to = MeterProvider([self.reader])
        self.telemetry = Telemetry(on=True)
        vars(self.telemetry)["_tracer"] = self.spans_to.get_tracer("t")
        vars(self.telemetry)["_meter"] = self.metrics_to.get_meter("t")

    def points(self) -> dict[str, list[tuple[dict[str, Any], float]]]:
        data = self.reader.get_metrics_data()
        assert data is not None
        found: dict[str, list[tuple[dict[str, Any], float]]] = {}
        for metric in data.resource_metrics[0].scope_metrics[0].metrics:
            for point in metric.data.data_points:
                value = getattr(point, "value", None)
                found.setdefault(metric.name, []).append(
                    (dict(point.attributes or {}), getattr(point, "sum", 0) if value is None else value))
        return found


@pytest.fixture
def seen() -> Iterator[Seen]:
    seen = Seen()
    yield seen
    seen.spans_to.shutdown()
    seen.metrics_to.shutdown()


def test_a_run_gives_nested_spans_with_the_conventions_names(seen: Seen) -> None:
    with seen.telemetry.run("r1"):
        with seen.telemetry.chat("openai:gpt-x", purpose="program") as noted:
            noted.note(gen_ai__usage__input_tokens=10, gen_ai__usage__output_tokens=3, gen_ai__response__model=None)
        with seen.telemetry.execution("docker", program_sha256="ab", attempt=1) as noted:
            noted.note(fumehood__outcome="completed")
    chat, tool, run = seen.exporter.get_finished_spans()
    assert (chat.name, tool.name, run.name) == ("chat gpt-x", "execute_tool run_program", "invoke_agent fumehood")
    assert chat.kind is SpanKind.CLIENT
    assert chat.parent is not None
    assert run.context is not None
    assert chat.parent.span_id == run.context.span_id
    assert dict(chat.attributes or {}) == {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-x",
        "fumehood.purpose": "program", "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 3}
    assert (tool.attributes or {})["fumehood.outcome"] == "completed"
    assert (run.attributes or {})["gen_ai.conversation.id"] == "r1"
    points = seen.points()
    assert sorted((attributes["gen_ai.token.type"], value) for attributes, value in points["gen_ai.client.token.usage"]
                  ) == [("input", 10), ("output", 3)]
    assert len(points["gen_ai.client.operation.duration"]) == 1


def test_an_error_is_known_by_its_type_and_tells_no_content(seen: Seen) -> None:
    with pytest.raises(ValueError, match="secret"), seen.telemetry.chat("m", purpose="plan"):
        raise ValueError("the prompt was: secret")
    span, = seen.exporter.get_finished_spans()
    assert (span.attributes or {})["error.type"] == "ValueError"
    assert span.status.status_code is StatusCode.ERROR
    assert "secret" not in span.to_json()


def test_a_finished_run_is_counted_by_reason_verdict_engine_and_rule(seen: Seen) -> None:
    attempts = [
        Attempt(step=1, number=1, verdict="deny", detail="secret",
                findings=[Finding(rule="no-os", severity="ERROR", line=1, message="secret")]),
        Attempt(step=1, number=2, verdict="allow", execution=Execution(outcome="timeout", wall_s=2.0, stdout="secret"),
                evidence=Evidence(engine="bubblewrap", runtime="r", witness="kernel"))]
    outcome = Outcome(run_id="r", status="stopped", stop_reason=StopReason.TIMEOUT, message="secret", attempts=attempts)
    seen.telemetry.finished(outcome, seconds=3.5)
    points = seen.points()
    assert points["fumehood.runs"] == [({"status": "stopped", "stop_reason": "timeout"}, 1)]
    assert points["fumehood.run.duration"] == [({"status": "stopped", "stop_reason": "timeout"}, 3.5)]
    assert points["fumehood.rule.hits"] == [({"rule": "no-os"}, 1)]
    assert sorted(attributes["verdict"] for attributes, _ in points["fumehood.verdicts"]) == ["allow", "deny"]
    assert points["fumehood.executions"] == [({"execution": "timeout"}, 1)]
    assert points["fumehood.execution.duration"] == [({"engine": "bubblewrap"}, 2.0)]
    assert "secret" not in str(points)


def test_off_imports_and_keeps_nothing() -> None:
    code = """
import sys
from fumehood.graph.state import Outcome
from fumehood.graph.telemetry import Telemetry
telemetry = Telemetry(on=False)
with telemetry.run("r"), telemetry.chat("m", purpose="plan") as noted, telemetry.execution(
        "docker", program_sha256="a", attempt=1):
    noted.note(gen_ai__usage__input_tokens=1)
telemetry.finished(Outcome(run_id="r", status="stopped"), seconds=1.0)
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert done.stdout == "[]\n"


def test_wanted_but_not_installed_is_said() -> None:
    code = """
import sys
sys.modules["opentelemetry"] = None
from fumehood.graph.telemetry import Telemetry
from fumehood.graph.errors import SettingsInvalid
try:
    Telemetry(on=True)
except SettingsInvalid as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert "pip install 'fumehood[otel]'" in done.stdout
