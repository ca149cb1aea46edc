"""Configuration from the environment, read once, at the edge: FUMEHOOD_* by pydantic-settings."""

from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ..graph.errors import SettingsInvalid
from ..graph.settings import Price, Settings


class Environment(BaseSettings):
    """The variables that an operator may set. Each has a flag or a meaning of its own in the documentation."""

    model_config = SettingsConfigDict(env_prefix="FUMEHOOD_", extra="ignore")

    home: Path = Field(default_factory=lambda: user_data_path("fumehood"))
    policy: str = "data-analysis"
    model: str | None = None
    fallback_model: str | None = None
    database_url: str | None = None
    engines: list[str] | None = None
    """JSON list, such as `["bubblewrap","docker"]`."""
    extra_rules: list[str] = []
    prices: dict[str, Price] = {}
    """JSON object: model name to `{"input": 1.0, "output": 2.0}` per million tokens."""
    model_timeout_s: float = 120.0
    telemetry: bool = False


def read_environment() -> Environment:
    """Raises SettingsInvalid that names the variable."""
    try:
        return Environment()
    except (ValidationError, ValueError) as error:
        raise SettingsInvalid(f"a FUMEHOOD_ variable is wrong: {error}") from error


def settings_from(environment: Environment, *, model: str | None = None, fallback_model: str | None = None,
                  record: str | None = None) -> Settings:
    """The settings of this call: flags win over the environment."""
    return Settings(
        home=str(environment.home.expanduser().absolute()), model=model or environment.model,
        fallback_model=fallback_model or environment.fallback_model, database_url=environment.database_url,
        engines=environment.engines, extra_rules=environment.extra_rules, prices=environment.prices,
        model_timeout_s=environment.model_timeout_s, record=record, telemetry=environment.telemetry)
