"""Regular expressions of the package: none that some supported Python matches wrongly."""

import importlib
import pkgutil
import re
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import fumehood.apps
import fumehood.graph
import fumehood.nodes
import fumehood.policies
import fumehood.sandbox
import pytest

ONE_SIGN = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
PACKAGES = [fumehood.apps, fumehood.graph, fumehood.nodes, fumehood.policies, fumehood.sandbox]


def patterns() -> list[Any]:
    """Every pattern that a module holds by itself or in a table."""
    found: dict[tuple[str, int], str] = {}
    for package in PACKAGES:
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name) if not info.ispkg else None
            for name, value in vars(module).items() if module else ():
                held = list(value.values()) if isinstance(value, dict) else value
                for item in held if isinstance(held, (list, tuple)) else [held]:
                    for pattern in item if isinstance(item, tuple) else (item,):
                        if isinstance(pattern, re.Pattern):
                            found.setdefault((pattern.pattern, pattern.flags), f"{info.name}.{name}")
    return [pytest.param(pattern, flags, id=f"{where}-{number}")
            for number, ((pattern, flags), where) in enumerate(found.items())]


def _atomic(tree: Any) -> bool:
    """Whether a possessive or atomic part holds more than one sign's choice, which Python before 3.11.5 gets wrong."""
    for operator, argument in tree:
        if operator is _constants.ATOMIC_GROUP:
            return True
        if operator is _constants.POSSESSIVE_REPEAT:
            inner = argument[2]
            if len(inner) != 1 or inner[0][0] not in ONE_SIGN:
                return True
        for part in argument if isinstance(argument, (tuple, list)) else [argument]:
            inside = part if isinstance(part, list) else [part]
            if any(isinstance(item, _parser.SubPattern) and _atomic(item) for item in inside):
                return True
    return False


@pytest.mark.parametrize(("pattern", "flags"), patterns())
def test_no_possessive_group(pattern: str | bytes, flags: int) -> None:
    assert not _atomic(_parser.parse(pattern, flags & ~re.DEBUG)), pattern


@pytest.mark.parametrize("pattern", [r"(?:a|bc)*+", r"(?>ab|a)c", r'"(?:[^"\\]++|\\.)*+"', r"x(?:y(?:ab)++)?"])
def test_the_check_finds_them(pattern: str) -> None:
    assert _atomic(_parser.parse(pattern))
