"""A policy as data: a profile (TOML) and Semgrep rules, read once and frozen, with one digest over all of it."""

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .errors import PolicyInvalid
from .profile_file import merge_profiles
from .ruleset import Rule, load_rules
from .verdict import Decision, sha256_json

DEFAULT_POLICY = "data-analysis"
Kind = Literal["scalar", "table", "file_conversion", "chart", "simulation", "fitting"]
Cost = Literal["low", "medium", "high"]
Preview = Literal["none", "names", "schema", "rows"]

_NAME = r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$"
_MODULE = r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\.\*)?$"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LimitValues(_Data):
    """Bounds of one execution, with the names and units of the sandbox's Limits."""

    wall_s: float = Field(gt=0, le=86_400)
    cpu_s: float = Field(gt=0, le=86_400)
    memory_mb: int = Field(ge=16, le=1_048_576)
    processes: int = Field(ge=1, le=4096)
    workspace_mb: int = Field(ge=1, le=1_048_576)
    output_kb: int = Field(ge=1, le=1_048_576)
    files: int = Field(ge=1, le=1_000_000)

    def above(self, bound: "LimitValues") -> list[str]:
        """Names of the values that exceed `bound`."""
        return [name for name in type(self).model_fields if getattr(self, name) > getattr(bound, name)]


class EngineRequirements(_Data):
    """What the policy asks of an engine, with the names of the sandbox's Requirements."""

    hard: list[Literal["memory", "cpu", "processes", "disk"]] = []
    pid_namespace: bool = False
    mount_namespace: bool = False
    foreign_kernel: bool = False
    network: Literal["namespace", "filter"] = "filter"


class Policy(_Data):
    """What generated programs may do, as enforced. Made by load_policy; nothing in a model's reply can change it."""

    name: str = Field(pattern=r"^[A-Za-z0-9][\w.-]*$")
    source: str
    """The profile's file."""
    description: str = ""
    imports: list[str]
    """Allowed modules: `pkg` is that module only, `pkg.*` its submodules too; parents of an entry are included."""
    partial_imports: dict[str, list[str]] = {}
    """Modules of which only these names may be used, dotted from the module: os → path.join. Nothing else of them."""
    denied_submodules: list[str] = []
    """Modules refused, with all below them, unless a longer entry of `imports` names them."""
    denied_names: list[str] = []
    """Builtins that may not be referenced, called or not."""
    denied_attributes: list[str] = []
    """Attribute names refused on anything, as import leaves too."""
    allowed_dunders: list[str] = []
    """Names of the form __x__, written without underscores, that may be used or defined."""
    allowed_private: list[str] = []
    """Names that begin with one underscore and are public by convention, such as _replace."""
    denied_hooks: list[str] = []
    """Methods, written without underscores, that a class may not define: Python calls them by itself."""
    review_calls: list[str] = []
    """Calls that a person must see: a last name (`chmod`), or a dotted name as imported (`threading.Thread`)."""
    limits_ceiling: LimitValues
    """No task may ask for more."""
    approval_limits: LimitValues
    """A task that asks for more than this needs a person."""
    engines: list[str] = Field(default=["docker", "bubblewrap", "landlock"], min_length=1)
    """Engines that may be used, in order of preference."""
    requirements: EngineRequirements = EngineRequirements()
    tools: list[str] = []
    """Names of host tools that programs may call."""
    kinds: dict[Kind, Decision]
    """What to do with each kind of computation."""
    cost: dict[Cost, Decision]
    """What to do with each level of estimated cost."""
    preview: Preview = "schema"
    """The most that a model may see of the inputs."""
    unscannable: Literal["deny", "review"] = "deny"
    """What to do with a program that Semgrep cannot scan whole although the syntax tree is clean. Never allow."""
    approval: Literal["auto", "always", "never"] = "auto"
    """auto: ask for what is to be reviewed; always: ask for every program; never: stop instead of asking."""
    approvers: str = Field(default="", max_length=200)
    """Who is expected to answer, in the operator's words (a team, an address); shown with what waits. Names nobody's right:
    that is a matter of who can open the store."""
    runtime_image: str | None = None
    """Digest of the image or environment that the imports were written for; null when it does not matter."""
    rules: list[Path]
    """The rule files, absolute."""
    rule_set: list[Rule]
    """The rules as read when the policy was loaded; these are enforced, whatever happens to the files later."""
    lines: dict[str, str]
    """Import entry → `file:line`, so that a refusal can say where to add a library."""
    sha256: str

    def allowing(self, module: str) -> str | None:
        """The entry of `imports` that allows this dotted module, or null. Denied submodules are taken into account."""
        best, entry = -1, None
        for candidate in self.imports:
            path = candidate.removesuffix(".*")
            covers = module == path or (candidate.endswith(".*") and module.startswith(path + "."))
            length = len(path) if covers else (0 if path.startswith(module + ".") else -1)
            if length > best:
                best, entry = length, candidate
        if best <= 0:
            return entry
        refused = (len(path) for path in self.denied_submodules if f"{module}.".startswith(path + "."))
        return None if max(refused, default=-1) >= best else entry

    def refusing(self, module: str) -> str | None:
        """The longest entry of `denied_submodules` that covers this dotted module, or null."""
        covering = [path for path in self.denied_submodules if f"{module}.".startswith(path + ".")]
        return max(covering, key=len, default=None)

    @cached_property
    def plain_imports(self) -> frozenset[str]:
        """The modules of `imports`, without `.*`."""
        return frozenset(entry.removesuffix(".*") for entry in self.imports)

    @cached_property
    def leading_imports(self) -> frozenset[str]:
        """Every dotted path on the way to a module that is allowed, whole or in part."""
        return frozenset(path[:index] for path in [*self.plain_imports, *self.partial_imports]
                         for index, letter in enumerate(path) if letter == ".")

    @cached_property
    def partial_modules(self) -> frozenset[str]:
        """Modules that may be imported for the parts of them that are allowed: `os` and `os.path` for os → path.join."""
        parts = [f"{module}.{name}" for module, names in self.partial_imports.items() for name in names]
        return frozenset(path[:index] for path in parts for index, letter in enumerate(path) if letter == ".")

    @cached_property
    def rules_by_id(self) -> dict[str, Rule]:
        """Rule id → rule."""
        return {rule.id: rule for rule in self.rule_set}

    @field_validator("imports", "denied_submodules")
    @classmethod
    def _modules(cls, entries: list[str]) -> list[str]:
        return _matching(entries, _MODULE, "a dotted module name, perhaps with .* at its end")

    @field_validator("engines")
    @classmethod
    def _engine_names(cls, entries: list[str]) -> list[str]:
        return _matching(entries, r"^[a-z][a-z0-9_-]*(:[\w.-]+)?$", "an engine name such as docker or docker:runsc")

    @field_validator("denied_names", "denied_attributes", "allowed_dunders", "allowed_private", "denied_hooks", "tools")
    @classmethod
    def _identifiers(cls, entries: list[str]) -> list[str]:
        return _matching(entries, r"^[A-Za-z_]\w*$", "a Python name")

    @field_validator("review_calls")
    @classmethod
    def _calls(cls, entries: list[str]) -> list[str]:
        return _matching(entries, _NAME, "a name or a dotted name")

    @field_validator("partial_imports")
    @classmethod
    def _parts(cls, entries: dict[str, list[str]]) -> dict[str, list[str]]:
        for module, names in entries.items():
            _matching([module], _NAME, "a module name")
            if not _matching(names, _NAME, "a name or a dotted name"):
                raise ValueError(f"{module!r} lists no names; leave it out")
        return entries

    @model_validator(mode="after")
    def _whole(self) -> "Policy":
        exceeding = self.approval_limits.above(self.limits_ceiling)
        both = sorted(set(self.partial_imports) & {entry.removesuffix(".*") for entry in self.imports})
        if both:
            raise ValueError(f"{', '.join(both)} stands in imports and in partial_imports; take it out of one of them "
                             "(in a profile that extends another: [remove] partial_imports)")
        if exceeding:
            raise ValueError(f"approval_limits exceed limits_ceiling in {', '.join(exceeding)}")
        for field, wanted in (("kinds", Kind), ("cost", Cost)):
            missing = set(get_args(wanted)) - set(getattr(self, field))
            if missing:
                raise ValueError(f"{field} says nothing about {', '.join(sorted(missing))}")
        return self


def load_policy(name_or_path: str | None = None, *, extra_rules: Sequence[Path] = ()) -> Policy:
    """The policy of that shipped name or TOML file; the default one for null.

    `extra_rules`: more rule files or folders, enforced beside the profile's own. Raises PolicyInvalid.
    """
    merged = merge_profiles(name_or_path or DEFAULT_POLICY)
    values = dict(merged.values)
    removed = values.pop("remove_rules", [])
    rules = load_rules([*merged.rule_sources, *extra_rules])
    unknown = sorted(set(removed) - {rule.id for rule in rules})
    if unknown:
        raise PolicyInvalid(f"{merged.source}: remove.rules names rules that do not exist: {', '.join(unknown)}")
    rules = [rule for rule in rules if rule.id not in removed]
    if not rules:
        raise PolicyInvalid(f"{merged.source}: every rule was removed; a gate without rules would allow everything")
    ceiling = values.get("limits_ceiling", {})
    if isinstance(ceiling, dict) and isinstance(values.get("approval_limits", {}), dict):
        values["approval_limits"] = {**ceiling, **values.get("approval_limits", {})}
    try:
        lines = {entry: line for entry, line in merged.lines.items() if entry in values.get("imports", [])}
        policy = Policy(**values, source=merged.source, rule_set=rules, lines=lines, sha256="",
                        rules=[Path(file) for file in sorted({rule.file for rule in rules})])
    except ValidationError as error:
        raise PolicyInvalid(f"{merged.source}: {_explain(error)}") from error
    return policy.model_copy(update={"sha256": _digest(policy)})


def show_policy(policy: Policy) -> dict[str, Any]:
    """The effective policy as JSON-able data: everything enforced, the rules by id with severity, message and file."""
    shown = policy.model_dump(mode="json", exclude={"rules", "rule_set", "lines"})
    shown["imports"] = [{"entry": entry, "line": policy.lines.get(entry)} for entry in policy.imports]
    shown["rules"] = [{"id": rule.id, "severity": rule.severity, "message": rule.message, "fix": rule.fix,
                       "file": rule.file} for rule in policy.rule_set]
    return shown


def _digest(policy: Policy) -> str:
    """Over what is enforced, and not over where it lies: the same policy in another folder has the same digest."""
    data = policy.model_dump(mode="json", exclude={"source", "lines", "rules", "rule_set", "sha256"})
    data["rules"] = [[rule.id, rule.sha256] for rule in policy.rule_set]
    return sha256_json(data)


def _matching(entries: list[str], pattern: str, what: str) -> list[str]:
    seen: set[str] = set()
    for entry in entries:
        if not re.fullmatch(pattern, entry):
            raise ValueError(f"{entry!r} is not {what}")
        if entry in seen:
            raise ValueError(f"{entry!r} is listed twice")
        seen.add(entry)
    return entries


def _explain(error: ValidationError) -> str:
    parts = []
    for problem in error.errors():
        place = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            parts.append(f"unknown key `{place}`")
        elif problem["type"] == "missing":
            parts.append(f"`{place}` is missing")
        else:
            parts.append(f"`{place}`: {problem['msg'].removeprefix('Value error, ')}" if place else
                         problem["msg"].removeprefix("Value error, "))
    return "; ".join(parts)
