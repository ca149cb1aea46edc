"""The walk over the syntax tree: what a program may refer to.

References are judged, not calls: a denied builtin is as dangerous in `map(eval, rows)` as in `eval(row)`. An imported
module may be used as the left side of a dot only, never as a value; so no container, function or pattern can carry it
to where its private parts are read. What a call does with its arguments is in calls.py, where paths flow in flow.py.
"""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .annotations import check_annotation, looks, reads_annotations
from .attributes import check_attribute
from .calls import check_call
from .classes import DATA_DUNDERS, check_class, check_pattern, defined_so
from .collect import collect_names
from .doors import check_filled, check_stored, check_value
from .imports import BROUGHT, BY_NAME, check_import, check_import_from
from .literals import BUILTIN_FIX, DESCRIBES, DUNDER, REUSABLE
from .meanings import check_constant, check_joined
from .names import Names, bound_names, defaults_of, outer_names
from .profile import Policy
from .verdict import Finding, Severity
from .visiting import Visitor, run_later


def walk_program(tree: ast.Module, policy: Policy, earlier: Sequence[ast.Module] = ()) -> tuple[list[Finding], Names]:
    """Findings about the judged program, with what earlier steps of the session defined in scope.

    Raises RecursionError when the tree is nested more deeply than can be walked.
    """
    names = collect_names([*earlier, tree])
    walk = Walk(policy, names)
    walk.visit(tree)
    if earlier:
        again = Walk(policy, names)
        for part in (part for one in earlier for part in run_later(one)):
            again.visit(part)
        # Earlier programs were allowed with the names as they were then; a function can be called with what they are now.
        for finding in again.findings[:1]:
            walk.deny(tree.body[0] if tree.body else tree, finding.rule,
                      f"With what this program binds, a function of an earlier step is refused: {finding.message}",
                      "Use other names than those that the earlier step's functions use.")
    return walk.findings, names


class Walk(Visitor):
    """One walk. `findings` grows; `local` are the names that belong to the functions around the current node.

    An alias of an import stays out of `local`: it must be followed into functions too.
    """

    def __init__(self, policy: Policy, names: Names) -> None:
        self.policy = policy
        self.names = names
        self.findings: list[Finding] = []
        self.local: frozenset[str] = frozenset()
        self.denied = frozenset(policy.denied_names)
        self.attributes = frozenset(policy.denied_attributes)
        self.dunders = frozenset(f"__{word}__" for word in policy.allowed_dunders)
        self.private = frozenset(policy.allowed_private)
        self.hooks = frozenset(f"__{word}__" for word in policy.denied_hooks)
        self.cleared: set[str] = set()
        """Dotted paths that were judged and are harmless wherever they stand."""
        self.refused: set[str] = set()
        """Top-level modules whose import was denied here; uses of them need no word of their own."""
        self._by_name = any(path.split(".")[0] == "operator" for paths in names.paths.values() for path in paths)
        self._plain: set[int] = set(names.returned)
        self._aliases: set[int] = set()
        self._looked_at: set[int] = set()
        self.star = False
        self.in_text = False
        """Whether what is judged stands in a text that a library evaluates."""
        self._in_class = False
        self.around: ast.ClassDef | None = None
        """The class whose body or methods the current node is in."""
        self.local_keywords: frozenset[str] = frozenset()
        """`**options` of the functions around: what is in them was judged where those are called."""
        self._kept: list[ast.AST] = []
        self._pieces: set[int] = set()

    # What others call

    def deny(self, node: ast.AST, rule: str, message: str, fix: str, severity: Severity = "ERROR") -> None:
        """Adds a finding at this node."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1
        self.findings.append(Finding(rule=rule, severity=severity, line=line, column=column, message=message, fix=fix))

    def attribute(self, node: ast.AST, name: str, base: ast.expr | None) -> None:
        """Judges the reading of attribute `name`; `base` is null where the object is not visible."""
        check_attribute(self, node, name, base)

    def uses_by_name(self, node: ast.expr) -> bool:
        """Whether an expression is operator.attrgetter or methodcaller."""
        return self._by_name and bool(self.names.resolve(node, self.local) & BY_NAME)

    def permit(self, node: ast.expr) -> None:
        """Marks a reference as judged by its surroundings, so that it is no value by itself."""
        self._plain.add(id(node))

    def is_permitted(self, node: ast.expr) -> bool:
        """Whether `permit` was called for this node."""
        return id(node) in self._plain

    def look(self, node: ast.expr) -> None:
        """Marks an expression that is only looked at."""
        self._looked_at.add(id(node))

    def is_looked_at(self, node: ast.expr) -> bool:
        """Whether `look` was called for this node."""
        return id(node) in self._looked_at

    def is_alias(self, node: ast.expr) -> bool:
        """Whether this node is the whole right side of an assignment to a name, which the tables follow."""
        return id(node) in self._aliases

    def own_object(self, base: ast.expr) -> bool:
        """Whether an object is surely of one of the program's own classes."""
        return isinstance(base, ast.Name) and (base.id in self.names.selves or base.id in self.names.instances)

    # Attributes

    def visit_Import(self, node: ast.Import) -> None:
        check_import(self, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        check_import_from(self, node)

    # Names

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if name.startswith("__") and name.endswith("__"):
            if name not in self.dunders or name == "__annotations__" or (
                    isinstance(node.ctx, ast.Store) and name not in DESCRIBES):
                self.deny(node, "denied-dunder", f"The name {name} leads into the interpreter.", "Do without it.")
            return
        if isinstance(node.ctx, ast.Load):
            if name in self.denied and not self._is_own(node) and not self.is_looked_at(node):
                self.deny(node, "denied-name", f"The builtin {name} may not be used, not even as a value.",
                          BUILTIN_FIX.get(name, "Do without it; use plain functions and data."))
            check_value(self, node)
            if name in self.names.modules and name not in self.local and id(node) not in self._plain:
                self.deny(node, "module-as-value", f"The module {name} is used as a value, not as {name}.something.",
                          f"Use {name}. followed by the function you need.")
            if self.star and name not in self.local and name in BROUGHT | (self.attributes - self.names.bindings.keys()):
                self.deny(node, "denied-attribute", f"{name} may come from import *.", "Import names one by one.")
            if name == "getattr" and id(node) not in self._plain and name not in self.local:
                self.deny(node, "computed-getattr", "getattr is used as a value.",
                          "Write obj.name, or a dict of functions.")
            if self.uses_by_name(node) and id(node) not in self._plain:
                self.deny(node, "attribute-by-name", f"{name} is used as a value.", "Use a lambda: lambda row: row.name.")

    def _is_own(self, node: ast.Name) -> bool:
        """Whether a name is surely bound by the program, so that it is not the builtin."""
        if node.id in self.local:
            return True
        bound = self.names.first_binding.get(node.id)
        return node.id in REUSABLE and bound is not None and node.lineno > bound and node.id not in self.names.deleted

    def visit_Attribute(self, node: ast.Attribute) -> None:
        base = node.value
        if isinstance(base, (ast.Name, ast.Attribute)):
            self.permit(base)
        reads_annotations(self, node)
        self.attribute(node, node.attr, base)
        check_value(self, node)
        if self.uses_by_name(node) and id(node) not in self._plain:
            self.deny(node, "attribute-by-name", f"{node.attr} is used as a value.",
                      "Use a lambda: lambda row: row.name.")
        if isinstance(node.ctx, (ast.Store, ast.Del)):
            check_stored(self, node)
        check_call(self, node)
        self.generic_visit(node)

    # Definitions

    @contextmanager
    def _inside(self, scope: ast.AST) -> Iterator[None]:
        before, in_class, keywords = self.local, self._in_class, self.local_keywords
        bound = bound_names(scope) - self.names.aliases
        self.local, self._in_class = (self.local - outer_names(scope)) | bound, False
        yield
        self.local, self._in_class, self.local_keywords = before, in_class, keywords

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        special = node.name.startswith("__") and node.name.endswith("__")
        if special and (node.name in self.hooks or node.name not in self.dunders or node.name in DATA_DUNDERS):
            self.deny(node, "hook-method", f"Python calls {node.name} by itself, where nobody sees it.",
                          "Use an ordinary method that the program calls.")
        for part in [*node.decorator_list, *defaults_of(node.args)]:
            self.visit(part)
        for item in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]:
            if item is not None and item.annotation is not None:
                check_annotation(self, item.annotation)
        if node.returns is not None:
            check_annotation(self, node.returns)
        self._type_parameters(node)
        with self._inside(node):
            if node.args.kwarg is not None:
                self.local_keywords |= {node.args.kwarg.arg}
            for statement in node.body:
                self.visit(statement)

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for part in defaults_of(node.args):
            self.visit(part)
        with self._inside(node):
            self.visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._type_parameters(node)
        for statement in node.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                for target in targets:
                    if isinstance(target, ast.Name) and target.id in self.hooks:
                        self.deny(target, "hook-method", f"Python calls {target.id} by itself.",
                                  "Use an ordinary method.")
                    elif isinstance(target, ast.Name) and defined_so(target.id, statement.value):
                        self.permit(target)
        check_class(self, node)
        for part in [*node.bases, *node.keywords, *node.decorator_list]:
            self.visit(part)
        before, around, local = self._in_class, self.around, self.local
        self._in_class, self.around, self.local = True, node, local - outer_names(node)
        for statement in node.body:
            if isinstance(statement, ast.Assign) and all(id(target) in self._plain for target in statement.targets):
                self.visit(statement.value)
            else:
                self.visit(statement)
        self._in_class, self.around, self.local = before, around, local

    def _type_parameters(self, node: ast.AST) -> None:
        for parameter in getattr(node, "type_params", []):
            self.visit(parameter)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        check_annotation(self, node.annotation)
        if node.value is not None:
            if isinstance(node.target, ast.Name) and not self._in_class:
                self._alias(node.value)
            self.visit(node.value)

    def expression(self, node: ast.AST, text: str) -> bool:
        """Judges text that a library will read as an expression, at the place of `node`. False when it is none."""
        try:
            inner = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        strict, self.in_text = self.in_text, True
        self._kept.append(inner)
        for part in ast.walk(inner):
            if hasattr(part, "lineno"):
                ast.copy_location(part, node)
        self.visit(inner.body)
        self.in_text = strict
        return True

    # Statements and expressions

    def visit_Assign(self, node: ast.Assign) -> None:
        if not self._in_class and all(isinstance(target, ast.Name) for target in node.targets):
            self._alias(node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._alias(node.value)
        self.generic_visit(node)

    def _alias(self, value: ast.expr) -> None:
        """A second name for a module is followed by the tables, so it is not a value that gets away."""
        parts = ast.iter_child_nodes(value) if isinstance(value, (ast.IfExp, ast.BoolOp)) else [value]
        for part in parts:
            if isinstance(part, ast.Name) and (part.id in self.names.modules or self.uses_by_name(part)):
                self.permit(part)
        if isinstance(value, ast.Attribute):
            self._aliases.add(id(value))

    def visit_Compare(self, node: ast.Compare) -> None:
        for part in [node.left, *node.comparators]:
            if isinstance(part, ast.Name) or (isinstance(part, ast.Attribute) and part.attr != "format"):
                self.permit(part)
        self.generic_visit(node)

    def _test(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> None:
        if isinstance(node.test, ast.Name):
            self.permit(node.test)
        self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = visit_Assert = _test

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Name):
            self.permit(node.operand)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.look(node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.look(node.iter)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        looks(self, node)
        check_call(self, node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        for text in self.names.strings_of(node.slice) or ():
            if DUNDER.fullmatch(text) and text not in self.dunders:
                self.deny(node, "denied-dunder", f"The key {text} leads into the interpreter.", "Use plain keys.")
        if isinstance(node.value, (ast.Name, ast.Attribute)):
            if not isinstance(node.value, ast.Name) or node.value.id not in self.names.modules:
                self.permit(node.value)
            if not isinstance(node.ctx, ast.Load):
                check_filled(self, node)
        self.generic_visit(node)

    def _joined(self, node: ast.BinOp | ast.JoinedStr) -> None:
        check_joined(self, node, self._pieces)
        self.generic_visit(node)

    visit_BinOp = visit_JoinedStr = _joined

    def visit_Constant(self, node: ast.Constant) -> None:
        check_constant(self, node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        self.permit(node.cls)
        check_pattern(self, node)
        self.generic_visit(node)

    def _capture(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping | ast.ExceptHandler) -> None:
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name and name.startswith("__") and name.endswith("__"):
            self.deny(node, "denied-dunder", f"The name {name} leads into the interpreter.", "Use another name.")
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = visit_ExceptHandler = _capture
