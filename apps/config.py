"""Configuration from the environment, read once, at the edge: FUMEHOOD_* by pydantic-settings."""

from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from ..graph.errors import SettingsInvalid
from ..graph.settings import Settings

_AS_JSON = 'lists and tables are written as JSON, such as ["bubblewrap","docker"]'


class Environment(BaseSettings, Settings):
    """What an operator may set: every field of the settings, and the policy. Lists and tables are written as JSON."""

    model_config = SettingsConfigDict(env_prefix="FUMEHOOD_", extra="ignore", frozen=True)

    policy: str = "data-analysis"


def read_environment() -> Environment:
    """Raises SettingsInvalid that names the variable."""
    try:
        return Environment()
    except ValidationError as error:
        raise SettingsInvalid("; ".join(map(_wrong, error.errors()))) from error
    except SettingsError as error:
        raise SettingsInvalid(f"the environment: {error}; {_AS_JSON}") from error


def _wrong(item: ErrorDetails) -> str:
    hint = f"; {_AS_JSON}" if item["type"] in ("list_type", "dict_type") else ""
    name, *place = map(str, item["loc"])
    return f"FUMEHOOD_{name.upper()}: {' of '.join(reversed(place))}{': ' if place else ''}{item['msg']}{hint}"


def settings_from(environment: Environment, **flags: Any) -> Settings:
    """The settings of this call: flags win over the environment."""
    chosen = {name: getattr(environment, name) for name in Settings.model_fields}
    chosen |= {name: value for name, value in flags.items() if value}
    return Settings(**{**chosen, "home": str(environment.home_path.absolute())})
