"""Paths that a program computes and opens: found where their text is outside the working folder, or cannot be read.

Names of inputs, columns, loop variables, dates and whatever comes from a file are data, and may be part of a path; the
sandbox is the wall for those. What only literals went into is followed, and what cannot be followed is refused: no
ordinary program spells a file name with chr, translate or a reversed text.
"""

import ast
from dataclasses import dataclass
from typing import Literal

from .flow import arguments, hands_on, is_sink, writes_archive
from .literals import outside
from .meanings import opens_outside
from .shapes import counts, in_memory, index_of, is_joined, is_path, is_text, letter, number_of
from .sinks import KEYWORDS
from .spelling import (
    ABSOLUTE,
    AS_BYTES,
    BUILTINS,
    CONSTANTS,
    DEEP,
    DESCRIPTORS,
    NUMBERS,
    ONLY_OF_PATHS,
    OWN_METHODS,
    PARSERS,
    PATHS,
    REARRANGED,
    SAME,
    SPELLERS,
    SPELLING_MODULES,
    SQL,
    TAKEN_APART,
    TWO,
)
from .tables import Tables
from .texts import (
    DATA,
    EXACT,
    HIDDEN,
    NOTHING,
    NUMBER,
    Text,
    absolute,
    applied,
    braces,
    cut,
    either,
    exact,
    glued,
    joined,
    loose,
    normalised,
    percent,
    repeated,
    spelled,
    substituted,
    under,
    up,
)

_ROUNDS = 3


@dataclass(slots=True)
class Computed:
    """A call that opens a path, or runs SQL, which is computed. `text`: what it is, null when that cannot be read."""

    place: ast.AST
    text: str | None
    kind: Literal["path", "descriptor", "sql"] = "path"


def find_computed(tables: Tables) -> list[Computed]:
    """Every opening call with such a path. Literals given directly are not repeated: flow finds them."""
    reader = _Reader(tables)
    found = _read_all(tables, reader)
    for _ in range(_ROUNDS):
        if found or not reader.again():
            break
        found = _read_all(tables, reader)
    return found


def _read_all(tables: Tables, reader: "_Reader") -> list[Computed]:
    found: list[Computed] = []
    for call in tables.calls:
        name = tables.called(call.func)
        if name in SQL and call.args and not isinstance(call.args[0], ast.Constant):
            sql = reader.read(call.args[0])
            text = next((one for one in sorted(sql.texts) if opens_outside(one)), None)
            if sql.hidden or text is not None:
                found.append(Computed(call, text, "sql"))
        for argument in _paths_of(call, reader):
            if isinstance(argument, ast.Constant) and not isinstance(argument.value, (int, float)):
                continue
            held = reader.read(argument)
            if name in DESCRIPTORS and (counts(argument, tables) or (held.number and not held.texts and not held.data)):
                found.append(Computed(call, None, "descriptor"))
            elif held.hidden:
                found.append(Computed(call, None))
            else:
                leads = next((text for text in sorted(held.texts) if outside(text) and text.strip()), None)
                if leads is not None:
                    found.append(Computed(call, leads))
    return found


def _paths_of(call: ast.Call, reader: "_Reader") -> list[ast.expr]:
    """What a call opens: its first argument, those named like paths, or the Path whose method it is."""
    name = reader.tables.called(call.func)
    found: list[ast.expr] = []
    if isinstance(call.func, ast.Attribute) and name in OWN_METHODS and (
            is_path(reader.tables, call.func.value) or (name in ONLY_OF_PATHS and reader.read(call.func.value).hidden)):
        found.append(call.func.value)
        found += call.args[:1] if name in ("rename", "replace", "samefile") else []
    elif hands_on(call, reader.tables):
        for item in arguments(call):
            found += item.elts if isinstance(item, (ast.List, ast.Tuple)) else [item]
        found = [item for item in found if not isinstance(item, (ast.Constant, ast.Lambda))]
    elif (is_sink(call, reader.tables) or writes_archive(call, reader.tables)) and name not in PATHS | {"joinpath"}:
        found += call.args[:2] if name in TWO else call.args[:1]
        found += [item.value for item in call.keywords if item.arg in KEYWORDS]
    return [item for item in found if not isinstance(item, ast.Starred) and not in_memory(reader.tables, item)]


class _Reader:
    """Reads expressions, following names, attributes, parameters and returns as the tables give them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.flows = tables.by_name
        self._named: dict[str, Text] = {}
        self._before: dict[str, Text] = {}
        """What was known of names when they were read before; a name that depends on itself adds to that."""
        self._depth = 0

    def again(self) -> bool:
        """Makes ready to read everything again with what is known now. False when that would tell nothing new."""
        if self._named == self._before:
            return False
        self._before, self._named = self._named, {}
        return True

    def read(self, node: ast.AST | None) -> Text:
        """What an expression can be."""
        if self._depth > DEEP:
            return HIDDEN
        self._depth += 1
        try:
            return self._read(node)
        finally:
            self._depth -= 1

    def _read(self, node: ast.AST | None) -> Text:
        match node:
            case ast.Constant(value=str() as text):
                return exact(text)
            case ast.Constant(value=bytes() as raw):
                return exact(raw.decode("latin-1"))
            case ast.Constant(value=bool() | int() | float()):
                return NUMBER
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.JoinedStr(values=parts):
                result = exact("")
                for part in parts:
                    result = joined(result, self.read(part))
                return result
            case ast.FormattedValue(value=value, format_spec=spec):
                return self._formatted(value, spec)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._sum(self.read(left), self.read(right))
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                template = self.read(left)
                if not template.texts and not template.hidden:
                    return template
                several = right.elts if isinstance(right, ast.Tuple) else getattr(right, "values", [right])
                return percent(template, [self.read(item) for item in several])
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                one, other = self.read(left), self.read(right)
                return repeated(one, number_of(right)) if one.texts or one.hidden else repeated(other, number_of(left))
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return under(self.read(left), self.read(right))
            case ast.BinOp() | ast.UnaryOp():
                return NUMBER
            case ast.IfExp(body=one, orelse=other):
                return either([self.read(one), self.read(other)])
            case ast.Lambda() | ast.Compare():
                return NOTHING
            case ast.Call():
                return self._call(node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self.read(node.elt)
            case ast.DictComp(key=key, value=value):
                return either([self.read(key), self.read(value)])
            case None:
                return NOTHING
        inner = [self.read(part) for part in ast.iter_child_nodes(node) if isinstance(part, (ast.expr, ast.keyword))]
        return either(inner) if inner else NOTHING

    def _name(self, name: str) -> Text:
        if name in self._named:
            return self._named[name]
        if name == "__file__":
            return Text(depth=1)
        constant = CONSTANTS.get(self.tables.origins.get(name, ""))
        if constant is not None:
            return constant
        values = self.flows.get(name)
        if values is None:
            return NOTHING if name in BUILTINS else DATA
        self._named[name] = self._before.get(name, NOTHING)
        given = [value for value in values if not isinstance(value, ast.Name) or not value.id.startswith("(")
                 or value.id in self.flows]
        self._named[name] = either([self.read(value) for value in given]) if given else DATA
        return self._named[name]

    def _attribute(self, node: ast.Attribute) -> Text:
        path = self.tables.dotted(node)
        if path in CONSTANTS:
            return CONSTANTS[path]
        if path.startswith("string."):
            return HIDDEN
        if node.attr in ("__file__", "bytes", "bytes_le", "packed"):
            return HIDDEN
        if node.attr == "anchor" or (node.attr in ("root", "drive") and is_path(self.tables, node.value)):
            return exact("/")
        if node.attr in ("name", "stem", "suffix", "parts", "suffixes"):
            base = self.read(node.value)
            return DATA if base.depth is None and not base.texts else loose(base) if node.attr == "parts" else DATA
        if node.attr == "parent":
            return up(self.read(node.value))
        if node.attr == "parents":
            base = self.read(node.value)
            return HIDDEN if base.depth is not None else base
        if node.attr in self.flows:
            return self._name(node.attr)
        return DATA

    def _subscript(self, node: ast.Subscript) -> Text:
        base, index = node.value, node.slice
        if isinstance(base, ast.Attribute) and base.attr == "parents" and isinstance(index, ast.Constant) \
                and isinstance(index.value, int):
            return up(self.read(base.value), index.value + 1)
        held = self.read(base)
        if held.depth is not None or is_joined(self.tables, base):  # a piece of a path may be its slash
            return HIDDEN
        if not is_text(self.tables, base):
            return held
        return cut(held, index_of(index))

    def _formatted(self, value: ast.expr, spec: ast.expr | None) -> Text:
        held = self.read(value)
        if spec is not None:
            told = "".join(str(part.value) for part in ast.walk(spec) if isinstance(part, ast.Constant))
            date = "%" in told
            if not date and (spelled(told.replace(":", "")) or told.endswith("c")):
                return HIDDEN
            if date and told.startswith(("/", "~")):
                return exact(told)
        return Text(data=True) if held.number and not held.texts else held

    def _sum(self, left: Text, right: Text) -> Text:
        return NUMBER if left.number and right.number and not (left.texts or right.texts) else joined(left, right)

    def _call(self, node: ast.Call) -> Text:
        name, func = self.tables.called(node.func), node.func
        if isinstance(func, ast.Lambda):
            return self.read(func.body)
        if isinstance(func, ast.Call):
            return either([self.read(func), *map(self.read, node.args)])
        lambdas = [value for value in self.flows.get(getattr(func, "id", ""), ()) if isinstance(value, ast.Lambda)]
        if lambdas:
            return either([*(self.read(value.body) for value in lambdas), *map(self.read, node.args)])
        path = self.tables.dotted(func)
        for own in (getattr(func, "id", ""), name):
            if own in self.tables.functions and not path and isinstance(func, (ast.Name, ast.Attribute)):
                return self._name(own)
        base = NOTHING
        if isinstance(func, ast.Attribute):
            above = self.tables.dotted(func.value)
            if above in CONSTANTS or above.startswith("string."):
                path = ""
            base = NOTHING if path else self.read(func.value)
        given = [self.read(item) for item in node.args]
        named = [self.read(item.value) for item in node.keywords]
        whole = either([base, *given, *named])
        if name in ("cwd", "getcwd", "gettempdir", "mkdtemp", "TemporaryDirectory"):
            return Text(depth=0)
        if name in PATHS or path in ("os.path.join", "posixpath.join") or name == "joinpath":
            parts = ([base] if name == "joinpath" else []) + given
            result = parts[0] if parts else exact("")
            for part in parts[1:]:
                result = under(result, part)
            return result
        if name in ABSOLUTE:
            return absolute(either([base, *given]))
        if name == "dirname":
            return up(either(given))
        if name == "basename":
            return DATA
        if name in NUMBERS:
            return NUMBER
        if name == "format" and isinstance(func, ast.Attribute):
            return braces(base, [*given, *named])
        if name == "join" and isinstance(func, ast.Attribute) and node.args:
            letters = is_text(self.tables, node.args[0])
            return glued(base, self._items(node.args[0]), loose(given[0]) if letters else whole)
        if path in ("re.sub", "re.subn") and len(given) > 2:
            return substituted(given[0], given[1], given[2])
        if path == "unicodedata.normalize" and len(given) == 2:
            return normalised(given[0], given[1])
        if name in EXACT and isinstance(func, ast.Attribute) and not path:
            return applied(name, base, [*given, *named])
        return self._other(node, name, path, base, whole)

    def _other(self, node: ast.Call, name: str, path: str, base: Text, whole: Text) -> Text:
        if whole.data and not whole.hidden and name not in SAME | AS_BYTES:
            return DATA
        top = path.split(".")[0]
        mapped = name == "map" and node.args and self.tables.called(node.args[0]) in SPELLERS
        if name in SPELLERS or mapped or top in SPELLING_MODULES:
            return letter(node) if name == "chr" else HIDDEN
        if path in PARSERS or (top == "html" and name == "unescape"):
            return HIDDEN if any(spelled(text.replace(":", "")) for text in whole.texts) else DATA
        if name in REARRANGED:
            used = node.args[1:] if name in ("sub", "subn") else node.args
            return loose(either([base, *map(self.read, used)]))
        if name == "format" and len(node.args) > 1:
            return HIDDEN
        if name in SAME:
            if name in TAKEN_APART and any(is_text(self.tables, item) for item in node.args[:1]):
                return loose(whole)
            return whole
        return HIDDEN if whole.hidden else DATA

    def _items(self, node: ast.expr) -> list[Text] | None:
        """The items of a written-out list, here or behind a name."""
        if isinstance(node, ast.Name):
            values = self.flows.get(node.id, [])
            node = values[0] if len(values) == 1 and isinstance(values[0], ast.expr) else node
        if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(item, ast.Starred) for item in node.elts):
            return [self.read(item) for item in node.elts]
        return None
