"""Spans and metrics by OpenTelemetry, with the names of its GenAI conventions. Off unless the settings turn it on.

Only the API is used: where spans and metrics go is what the host application (or `opentelemetry-instrument`) set up.
Attributes hold names, digests and numbers, never a program, a prompt, an output or a goal.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .errors import SettingsInvalid
from .state import Outcome
from .tallies import tallies_of

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Span, Tracer

Attribute = str | int | float | bool | list[str]
AGENT = "fumehood"


class Noted:
    """What is added to a span while it is open. Without telemetry it takes everything and keeps nothing."""

    def __init__(self, span: "Span | None" = None) -> None:
        self._span = span
        self.attributes: dict[str, Attribute] = {}

    def note(self, **attributes: Attribute | None) -> None:
        """Attributes by name, `__` for a dot; None is left out."""
        for name, value in attributes.items():
            if value is not None:
                self.attributes[name.replace("__", ".")] = value
                if self._span is not None:
                    self._span.set_attribute(name.replace("__", "."), value)


class Telemetry:
    """One per process. `on` false: nothing is imported and nothing is kept."""

    def __init__(self, *, on: bool) -> None:
        """Raises SettingsInvalid where it is wanted and OpenTelemetry is not installed."""
        self._on = on
        if on:
            try:
                import opentelemetry.metrics
                import opentelemetry.trace  # noqa: F401
            except ImportError as error:
                raise SettingsInvalid("telemetry is on, but OpenTelemetry is missing: "
                                      "pip install 'fumehood[otel]'") from error

    @cached_property
    def _tracer(self) -> "Tracer":
        from opentelemetry import trace

        return trace.get_tracer(AGENT)

    @cached_property
    def _meter(self) -> "Meter":
        from opentelemetry import metrics

        return metrics.get_meter(AGENT)

    @cached_property
    def _instruments(self) -> dict[str, Any]:
        meter = self._meter
        return {
            "calls": meter.create_histogram("gen_ai.client.operation.duration", "s", "Time of one model call"),
            "tokens": meter.create_histogram("gen_ai.client.token.usage", "{token}", "Tokens of one model call"),
            "runs": meter.create_counter("fumehood.runs", "{run}", "Finished runs by status and stop reason"),
            "run": meter.create_histogram("fumehood.run.duration", "s", "Time that a finished run took"),
            "verdict": meter.create_counter("fumehood.verdicts", "{verdict}", "Verdicts of the gate by decision"),
            "rule": meter.create_counter("fumehood.rule.hits", "{program}", "Programs in which a rule found something"),
            "execution": meter.create_counter("fumehood.executions", "{execution}", "Executions by how they ended"),
            "engine": meter.create_histogram("fumehood.execution.duration", "s", "Time of executions by engine"),
        }

    @contextmanager
    def run(self, run_id: str) -> Iterator[Noted]:
        """`invoke_agent`: one advance of a run, from its start or a resume to its end or the next wait."""
        with self._span(f"invoke_agent {AGENT}", "INTERNAL", {
                "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": AGENT,
                "gen_ai.conversation.id": run_id}) as noted:
            yield noted

    @contextmanager
    def chat(self, model: str, *, purpose: str) -> Iterator[Noted]:
        """`chat MODEL`: one call. Note `gen_ai__usage__input_tokens` and the like when the reply is there."""
        started = time.monotonic()
        provider, _, name = model.partition(":")
        shared = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider,
                  "gen_ai.request.model": name or provider}
        with self._span(f"chat {name or provider}", "CLIENT", {**shared, "fumehood.purpose": purpose}) as noted:
            yield noted
            if self._on:
                self._instruments["calls"].record(time.monotonic() - started, shared)
                for kind in ("input", "output"):
                    count = noted.attributes.get(f"gen_ai.usage.{kind}_tokens")
                    if isinstance(count, int):
                        self._instruments["tokens"].record(count, {**shared, "gen_ai.token.type": kind})

    @contextmanager
    def execution(self, engine: str, *, program_sha256: str, attempt: int) -> Iterator[Noted]:
        """`execute_tool run_program`: one program in a sandbox."""
        with self._span("execute_tool run_program", "INTERNAL", {
                "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "run_program",
                "gen_ai.tool.type": "function", "fumehood.engine": engine, "fumehood.program_sha256": program_sha256,
                "fumehood.attempt": attempt}) as noted:
            yield noted

    def finished(self, outcome: Outcome, *, seconds: float) -> None:
        """Count a finished run. `seconds`: from its creation to its end."""
        if not self._on:
            return
        end = {"status": outcome.status, "stop_reason": outcome.stop_reason.value if outcome.stop_reason else ""}
        self._instruments["runs"].add(1, end)
        self._instruments["run"].record(seconds, end)
        for tally in tallies_of(outcome):
            if tally.kind in ("verdict", "rule", "execution"):
                self._instruments[tally.kind].add(tally.count, {tally.kind: tally.name})
        for attempt in outcome.attempts:
            if attempt.execution is not None and attempt.evidence is not None:
                self._instruments["engine"].record(attempt.execution.wall_s, {"engine": attempt.evidence.engine})

    @contextmanager
    def _span(self, name: str, kind: str, attributes: dict[str, Attribute]) -> Iterator[Noted]:
        if not self._on:
            yield Noted()
            return
        from opentelemetry.trace import SpanKind, Status, StatusCode

        # An exception's text may quote a prompt or a program, so only its type is recorded.
        with self._tracer.start_as_current_span(name, kind=SpanKind[kind], attributes=attributes,
                                                record_exception=False, set_status_on_exception=False) as span:
            try:
                yield Noted(span)
            except BaseException as error:
                span.set_attribute("error.type", type(error).__qualname__)
                span.set_status(Status(StatusCode.ERROR))
                raise
