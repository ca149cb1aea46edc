"""The context of a run: settings that can be sent as JSON. Live parts are made from them by `graph.live`."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from ..sandbox.packages import data_folder


class Price(BaseModel):
    """What a model costs, in the operator's own unit, per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Settings(BaseModel):
    """Everything that is set per installation and not per question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: str = Field(default_factory=lambda: str(data_folder()))
    """Folder of runs, checkpoints, and the sandbox's environment."""
    model: str | None = None
    """`openai:NAME`, `ollama:NAME`, `recording:FILE`, `paste`, or any name that `init_chat_model` knows."""
    fallback_model: str | None = None
    """Asked where the first gives no reply."""
    database_url: str | None = None
    """PostgreSQL address of checkpoints and runs; null is SQLite below `home`."""
    engines: list[str] | None = None
    """Order of engines, within what the policy allows; null is the policy's order."""
    extra_rules: list[str] = []
    """Folders of an operator's own Semgrep rules."""
    prices: dict[str, Price] = {}
    """By model name."""
    model_timeout_s: float = Field(default=120.0, gt=0)
    first_load_timeout_s: float = Field(default=600.0, gt=0)
    """For local servers that load the model at its first call."""
    model_retries: int = Field(default=2, ge=0, le=20)
    record: str | None = None
    """File that the model's replies are written to, for `recording:`."""
    warm: bool = False
    """Keep a pool of sandboxes started ahead; for processes that run many programs."""
    telemetry: bool = False
    """Spans and metrics by OpenTelemetry; the host application says where they go."""
    parts: str = ""
    """Name of parts that Python code registered with `graph.live.register`."""

    @property
    def home_path(self) -> Path:
        return Path(self.home).expanduser()
