"""JSON Schemas: whether one can be used, and how a value falls short of it, in words for a model."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from jsonschema import exceptions, validators
from jsonschema.protocols import Validator
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

_MAX_DIGITS = 4_000
_PROBLEMS = 6
_PATTERN_S = 10
_CHILD = ("import json, sys; from fumehood.graph.schema import problems_of; "
          "print(json.dumps(problems_of(*json.load(sys.stdin))))")
# Their values are data, in which a "$ref" refers to nothing.
_DATA_KEYWORDS = {"const", "enum", "default", "examples"}


class SchemaInvalid(ValueError):
    """The schema of the result cannot be used; `str()` says where and what to do."""


def _validator(schema: dict[str, Any]) -> Validator:
    # A registry without a way to retrieve: no reference is ever fetched.
    made: Validator = validators.validator_for(schema, default=validators.Draft202012Validator)(schema, registry=Registry())
    return made


def _subschemas(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            if key not in _DATA_KEYWORDS:
                yield from _subschemas(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from _subschemas(value, f"{path}/{index}")


def check_schema(schema: dict[str, Any], *, patterns: bool = True) -> None:
    """Raise SchemaInvalid for what is no JSON Schema, refers to another document, or has a pattern that is no pattern.

    `patterns=False` refuses patterns altogether: for schemas that a model wrote, since one pattern can take for ever.
    """
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaInvalid(f"the schema is no JSON: {error}") from None
    if len(text) > 200_000:
        raise SchemaInvalid(f"the schema has {len(text):,} characters; at most 200,000 are taken")
    named = schema.get("$schema", "")
    # validator_for answers an unknown dialect with its default, so the default is one that nobody means.
    if named and "draft-03" not in str(named) and (
            validators.validator_for({"$schema": named}, default=validators.Draft3Validator) is validators.Draft3Validator):
        raise SchemaInvalid(f"the schema names a dialect that is not known here: {str(named)[:100]!r}; leave $schema "
                            "out, or use https://json-schema.org/draft/2020-12/schema")
    try:
        validators.validator_for(schema, default=validators.Draft202012Validator).check_schema(schema)
    except exceptions.SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path) or "its top level"
        raise SchemaInvalid(f"the schema is wrong at {where}: {error.message[:300]}") from None
    resolver = Registry().with_resource("", Resource.from_contents(schema, default_specification=DRAFT202012)).resolver()
    for path, part in _subschemas(schema):
        where = path or "its top level"
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = part.get(keyword)
            if isinstance(reference, str) and not path.endswith(("/properties", "/$defs", "/definitions")):
                try:
                    resolver.lookup(reference)
                except (Unresolvable, ValueError):
                    raise SchemaInvalid(f"the schema refers to {reference[:100]!r} at {where}, which is not in it; nothing "
                                        "is fetched: put it under $defs and refer to #/$defs/NAME") from None
        expressions = [part["pattern"]] if isinstance(part.get("pattern"), str) else []
        if isinstance(part.get("patternProperties"), dict):
            expressions += list(part["patternProperties"])
        for expression in expressions:
            if not patterns:
                raise SchemaInvalid(f"the schema has a pattern at {where}; patterns are taken from the caller only")
            try:
                re.compile(expression)
            except re.error as error:
                raise SchemaInvalid(f"the pattern {expression[:100]!r} at {where} is wrong: {error}") from None


def validate_value(value_json: str, schema: dict[str, Any]) -> list[str]:
    """How the value falls short of the schema, one sentence each with its path; empty when it fits.

    A schema with patterns is checked in a process of its own: a value can be made so that one pattern takes for ever.
    """
    if not any("pattern" in part or "patternProperties" in part for _, part in _subschemas(schema)):
        return problems_of(value_json, schema)
    try:
        done = subprocess.run([sys.executable, "-c", _CHILD], input=json.dumps([value_json, schema]), text=True,
                              capture_output=True, timeout=_PATTERN_S, check=True)
    except subprocess.TimeoutExpired:
        return [f"the result could not be checked within {_PATTERN_S} s: a pattern of the schema takes too long on it"]
    problems: list[str] = json.loads(done.stdout)
    return problems


def problems_of(value_json: str, schema: dict[str, Any]) -> list[str]:
    """What `validate_value` says, in this process.

    `format` is an annotation: a date without a zone is not refused for it. Raises SchemaInvalid where a reference leads
    out of the schema.
    """
    try:
        value = json.loads(value_json, parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS else float("inf"))
    except (ValueError, RecursionError):
        return ["the result is no JSON value; " + _REPR_HINT]
    try:
        found = []
        for error in _validator(schema).iter_errors(value):
            found.append(error)
            if len(found) >= 200:
                break
    except Unresolvable as error:
        raise SchemaInvalid(f"the schema refers to {error.ref!r}, which is not in it; nothing is fetched") from None
    except RecursionError:
        return ["the schema refers to itself without end on this value; the caller must mend it"]
    except OverflowError:
        return ["the result holds a number that is too large for the schema's check; deliver it rounded or as text"]
    found.sort(key=lambda error: (len(error.absolute_path), str(error.absolute_path)))
    problems = list(dict.fromkeys(_sentence(error) for error in found))
    if len(problems) > _PROBLEMS:
        problems = [*problems[:_PROBLEMS], f"and {len(problems) - _PROBLEMS} more"]
    return problems


_REPR_HINT = "use json.dumps(value), never str(value) or repr(value)"


def _path(error: exceptions.ValidationError) -> str:
    path = ""
    for part in error.absolute_path:
        path += f"[{part}]" if isinstance(part, int) else (f".{part}" if path else str(part))
    return path[:200] or "the result"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= 100 else f"{text[:60]}…{text[-20:]}"
    kind = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}.get(type(value), "a number")
    return text if value is None else f"{text} ({kind})"


def _sentence(error: exceptions.ValidationError) -> str:
    where, wanted, got = _path(error), error.validator_value, error.instance
    if error.validator == "type":
        kinds = " or ".join(wanted) if isinstance(wanted, list) else str(wanted)
        text = f"{where}: expected {kinds}, got {_shown(got)}"
        if isinstance(got, str) and re.match(r"\s*[{\[(]", got):
            text += "; deliver the value itself, not its text: " + _REPR_HINT
        elif isinstance(got, str) and re.fullmatch(r"\s*-?[\d.,\u00a0 ]+\s*%?\s*", got):
            text += "; deliver a number: float(...) or int(...) without separators or signs"
    elif error.validator == "required" and isinstance(got, dict) and isinstance(wanted, list):
        missing = ", ".join(repr(name) for name in wanted if name not in got)
        text = f"{where}: missing {missing[:200]}; there is {', '.join(list(got)[:12])[:200] or 'no key'}"
    elif error.validator == "additionalProperties" and isinstance(got, dict) and isinstance(error.schema, dict):
        known = error.schema.get("properties", {})
        extra = ", ".join(repr(name[:60]) for name in got if name not in known)
        text = f"{where}: {extra[:200]} not expected; allowed: {', '.join(list(known)[:12])[:200]}"
    elif error.validator in ("enum", "const"):
        listed = json.dumps(wanted, ensure_ascii=False)[:200]
        text = f"{where}: expected {'one of ' if error.validator == 'enum' else ''}{listed}, got {_shown(got)}"
    elif error.validator in ("anyOf", "oneOf") and error.context:
        near = sorted(error.context, key=lambda inner: -len(inner.absolute_path))[:3]
        text = f"{where}: fits none of the alternatives ({'; or '.join(_sentence(inner) for inner in near)})"
    elif len(error.message) <= 200:
        text = f"{where}: {error.message}"
    else:
        text = f"{where}: {error.validator} {json.dumps(wanted)[:100]} does not hold for {_shown(got)}"
    return text[:500]
