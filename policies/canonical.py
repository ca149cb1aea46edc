"""The canonical source: what Semgrep scans instead of the text, so that Python and Semgrep judge the same program.

`ast.unparse` drops comments and encodings and writes names as Python reads them. What Semgrep's parser is known to drop
or to refuse is lowered first. The list is closed:

- `match`: its subject, pattern values, class names and attributes, captures, guards and bodies as plain statements;
- an f-string with an expression in a format spec, with a spec and a conversion, with a spec that begins like `:=`, or
  that cannot be written back: calls of `format`;
- `a[*b]` and `x = *a, b`, `for x in *a, b`, `return *a, b`, `yield *a, b`: a parenthesised tuple, or a call of `tuple`;
- type parameters and `type` statements of Python 3.12: their bounds as statements, an assignment;
- parenthesised `with`, mapping patterns and slices need nothing more: unparse writes them plainly.

The canonical source is scanned and never run. Its last line is a call of SENTINEL, whose finding proves that the whole
file was parsed: "scanned, no errors" does not.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

SENTINEL = "fumehood_end_of_program"
MAX_CANONICAL = 2_000_000
"""Longest text that is scanned, in characters: f-strings and patterns grow when they are lowered."""

_SUBJECT = "match_subject"
_MATCHED = "match_holds"
_Node = TypeVar("_Node", bound=ast.AST)


class CannotLower(Exception):
    """The program cannot be written in a form that Semgrep reads. `str()` says why."""


@dataclass(frozen=True)
class Canonical:
    """Text for the scan. `first_line` is where the judged program begins, after those of earlier steps."""

    text: str
    tree: ast.Module
    again: ast.Module
    """The tree of the text itself."""
    first_line: int
    sentinel_line: int

    def origin(self, line: int, column: int) -> tuple[int, int]:
        """Line and column (1-based) of the program as written, for a place in the canonical text; column 0: unknown."""
        exact, lines = self._places
        return exact.get((line, column - 1)) or (lines.get(line, 0), 0)

    @cached_property
    def _places(self) -> tuple[dict[tuple[int, int], tuple[int, int]], dict[int, int]]:
        """Places of the nodes, by walking the tree and the tree of its own text side by side."""
        exact: dict[tuple[int, int], tuple[int, int]] = {}
        lines: dict[int, int] = {}
        pairs: list[tuple[ast.AST, ast.AST]] = [(self.again, self.tree)]
        while pairs:
            here, origin = pairs.pop(0)
            line, source = getattr(here, "lineno", 0), getattr(origin, "lineno", 0)
            if line and source:
                exact.setdefault((line, here.col_offset), (source, origin.col_offset + 1))  # type: ignore[attr-defined]
                lines.setdefault(line, source)
            pairs.extend(zip(ast.iter_child_nodes(here), ast.iter_child_nodes(origin), strict=False))
        return exact, lines


def canonicalise(tree: ast.Module, earlier: Sequence[ast.Module] = ()) -> Canonical:
    """Canonical text of a parsed program, after that of the programs before it. The trees are changed.

    Raises CannotLower.
    """
    try:
        texts = [_unparse(_Lower().visit(module)) for module in earlier]
        lowered = _Lower().visit(tree)
        text = _unparse(lowered)
    except (RecursionError, ValueError) as error:
        raise CannotLower(f"the program is nested too deeply to be scanned ({type(error).__name__})") from error
    before = "".join(texts)
    whole = f"{before}{text}{SENTINEL}()\n"
    if len(whole) > MAX_CANONICAL:
        raise CannotLower("the program and those before it are too long to be scanned")
    try:
        again = ast.parse(whole)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotLower(f"the program cannot be written back ({type(error).__name__})") from error
    again.body.pop()
    first = before.count("\n") + 1
    body = [statement for module in earlier for statement in module.body] + lowered.body
    return Canonical(text=whole, tree=ast.Module(body=body, type_ignores=[]), again=again,
                     first_line=first, sentinel_line=whole.count("\n"))


def _unparse(tree: ast.Module) -> str:
    text = ast.unparse(tree)
    return text + "\n" if text else ""


class _Lower(ast.NodeTransformer):
    """Rewrites in place; each lowered node keeps the line of what it came from."""

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        subject = self.visit(node.subject)
        if any(isinstance(item, ast.Starred) for item in getattr(node.subject, "elts", [])):
            subject = _tuple_call(subject)
        out: list[ast.stmt] = [_at(ast.Expr(subject), node)]
        if not isinstance(subject, (ast.Name, ast.Attribute)):
            out = [_at(ast.Assign([ast.Name(_SUBJECT, ast.Store())], subject), node)]
            subject = ast.Name(_SUBJECT, ast.Load())
        for case in node.cases:
            captures: list[str] = []
            values = self._pattern(case.pattern, subject, captures)
            out += [_at(ast.Expr(value), case.pattern) for value in values]
            out += [_at(ast.Assign([ast.Name(name, ast.Store())], subject), case.pattern) for name in captures]
            test = self.visit(case.guard) if case.guard else ast.Name(_MATCHED, ast.Load())
            out.append(_at(ast.If(test, self._body(case.body), []), case.pattern))
        return out

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            done += new if isinstance(new, list) else [new]
        return done

    def _pattern(self, pattern: ast.pattern, subject: ast.expr, captures: list[str]) -> list[ast.expr]:
        """Expressions that a pattern evaluates or compares with; names it binds go to `captures`."""
        match pattern:
            case ast.MatchValue(value=value):
                return [self.visit(value)]
            case ast.MatchSingleton(value=value):
                return [ast.Constant(value)]
            case ast.MatchSequence(patterns=parts) | ast.MatchOr(patterns=parts):
                return self._patterns(parts, subject, captures)
            case ast.MatchMapping(keys=keys, patterns=parts, rest=rest):
                values = [self.visit(key) for key in keys] + self._patterns(parts, subject, captures)
                captures += [rest] if rest else []
                return values
            case ast.MatchClass(cls=kind, patterns=parts, kwd_attrs=names, kwd_patterns=more):
                reads: list[ast.expr] = [ast.Attribute(subject, name, ast.Load()) for name in names]
                return [self.visit(kind), *reads, *self._patterns([*parts, *more], subject, captures)]
            case ast.MatchStar(name=name):
                captures += [name] if name else []
                return []
            case ast.MatchAs(pattern=inner, name=name):
                values = self._pattern(inner, subject, captures) if inner else []
                captures += [name] if name else []
                return values
        raise CannotLower(f"the pattern {type(pattern).__name__} is not known to the gate")

    def _patterns(self, parts: list[ast.pattern], subject: ast.expr, captures: list[str]) -> list[ast.expr]:
        return [value for part in parts for value in self._pattern(part, subject, captures)]

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        if not _odd(node):
            return node
        parts: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                arguments = [value.value]
                if value.format_spec:
                    arguments.append(_spec(value.format_spec))
                parts.append(ast.Call(ast.Name("format", ast.Load()), arguments, []))
            else:
                parts.append(value)
        whole = parts[0] if parts else ast.Constant("")
        for part in parts[1:]:
            whole = ast.BinOp(whole, ast.Add(), part)
        return _at(whole, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple) and any(isinstance(item, ast.Starred) for item in node.slice.elts):
            node.slice.elts = [_sliced(item) for item in node.slice.elts]
            node.slice = _tuple_call(node.slice)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        """`type X = int` (3.12) as an assignment."""
        self.generic_visit(node)
        alias: Any = node
        return _at(ast.Assign([alias.name], alias.value), node)

    def _generic(self, node: ast.AST) -> list[ast.AST]:
        """Type parameters (3.12) become statements before the definition: their bounds are expressions."""
        self.generic_visit(node)
        parameters = getattr(node, "type_params", [])
        bounds = [bound for item in parameters for bound in (getattr(item, "bound", None),
                                                             getattr(item, "default_value", None)) if bound]
        if parameters:
            node.type_params = []  # type: ignore[attr-defined]
        return [*(_at(ast.Expr(bound), node) for bound in bounds), node]

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _generic

    def _starred_value(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        for field in ("value", "iter"):
            value = getattr(node, field, None)
            if isinstance(value, ast.Tuple) and any(isinstance(item, ast.Starred) for item in value.elts):
                setattr(node, field, _tuple_call(value))
        return node

    visit_Assign = visit_AnnAssign = visit_AugAssign = visit_Return = visit_Yield = visit_For = _starred_value
    visit_AsyncFor = visit_NamedExpr = visit_Expr = _starred_value


def _spec(spec: ast.expr) -> ast.expr:
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    plain = [part.value if isinstance(part, ast.FormattedValue) else part for part in parts]
    return plain[0] if len(plain) == 1 else ast.Tuple(plain, ast.Load())


def _odd(node: ast.JoinedStr) -> bool:
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            spec = value.format_spec
            if spec and (value.conversion != -1 or not isinstance(spec, ast.JoinedStr)
                         or any(not isinstance(part, ast.Constant) for part in spec.values)
                         or str(getattr(spec.values[0] if spec.values else None, "value", "")).startswith("=")):
                return True
            if any(isinstance(inner, (ast.JoinedStr, ast.Lambda)) for inner in ast.walk(value.value)):
                return True
    try:
        ast.unparse(node)
    except ValueError:
        return True
    return False


def _sliced(item: ast.expr) -> ast.expr:
    """`a:b` among stars, as a call with the same parts."""
    if not isinstance(item, ast.Slice):
        return item
    bounds = [part if part is not None else ast.Constant(None) for part in (item.lower, item.upper, item.step)]
    return ast.copy_location(ast.Call(ast.Name("slice", ast.Load()), bounds, []), item)


def _tuple_call(value: ast.expr) -> ast.expr:
    """`*a, b` as a call with the same parts: Semgrep's parser accepts stars among arguments everywhere."""
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    call = ast.Call(ast.Name("tuple", ast.Load()), list(items), [])
    return ast.copy_location(call, value)


def _at(node: _Node, origin: ast.AST) -> _Node:
    return ast.fix_missing_locations(ast.copy_location(node, origin))
