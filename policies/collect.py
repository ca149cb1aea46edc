"""Collects what the names of a program stand for: one walk over its syntax tree, then aliases are followed."""

import ast
from collections.abc import Sequence

from .images import image_names
from .loops import READERS, items_of
from .names import SUBMODULES, Names, all_arguments, union
from .parameters import given_parameters
from .returned import returned_modules
from .selves import own_selves
from .visiting import Visitor

_ROUNDS = 6
_BY_TEXT = frozenset({"vars", "setattr", "__setattr__", "__dict__", "setstate", "__setstate__"})


def collect_names(trees: Sequence[ast.Module]) -> Names:
    """The tables for these programs, in the order in which they run; the last one is the judged one."""
    names = Names()
    collector = _Collector(names)
    for tree in trees:
        collector.visit(tree)
    collector.finish()
    names.selves = own_selves(trees)
    names.images = image_names(trees, names)
    names.given = given_parameters(trees, names)
    names.returned = returned_modules(trees, names)
    for statement in trees[-1].body:
        for bound in _certain(statement):
            names.first_binding.setdefault(bound, statement.lineno)
    return names


def _certain(statement: ast.stmt) -> list[str]:
    """Names that a statement of the module's own body binds whenever the program gets past it."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign) and statement.value:
        targets = [statement.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


class _Collector(Visitor):
    def __init__(self, names: Names) -> None:
        self.names = names
        self.bindings: dict[str, list[ast.expr | None]] = {}
        self.loops: list[tuple[ast.expr, ast.expr]] = []
        self.sources: list[tuple[ast.expr, ast.expr]] = []
        """Targets and what they are filled from, unpacked or looped over."""
        self.filled: list[tuple[str, ast.expr | None]] = []
        """Keys that are put into named dicts."""
        self.loads: dict[str, int] = {}
        self.reads: dict[str, int] = {}
        """How often a name is used at all, and how often only something in it is looked up."""
        self.styled: set[str] = set()
        """Names whose attribute `style` is set: on a table of pandas nobody does that."""
        self.given_style: list[ast.expr] = []
        self.depth = 0

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self._path(name, alias.name if alias.asname else name, module=True)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            path = f"{node.module or ''}.{alias.name}"
            self._path(alias.asname or alias.name, path, module=path in SUBMODULES)

    def _path(self, name: str, path: str, *, module: bool) -> None:
        self.names.paths.setdefault(name, set()).add(path)
        self.bindings.setdefault(name, []).append(None)
        if module:
            self.names.modules.add(name)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._bind(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self._bind(node.target, node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._bind(node.target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._bind(node.target, None)
        self.generic_visit(node)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        self.loops.append((node.target, node.iter))
        if isinstance(node.target, ast.Name):
            self.names.loops.setdefault(node.target.id, []).append(node.iter)
        self._looked_up(node.iter)
        if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id in READERS:
            for argument in node.iter.args:
                self._looked_up(argument)
        self.generic_visit(node)

    visit_For = visit_AsyncFor = visit_comprehension = _loop

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.bindings.setdefault(node.name, []).append(None)
            self.names.deleted.add(node.name)  # Python deletes it at the end of the handler
        self.generic_visit(node)

    def visit_withitem(self, node: ast.withitem) -> None:
        if node.optional_vars:
            self._bind(node.optional_vars, None)
            self.sources.append((node.optional_vars, node.context_expr))
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.names.deleted |= {item.id for target in node.targets for item in ast.walk(target) if isinstance(item, ast.Name)}
        self.generic_visit(node)

    def _capture(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            self.bindings.setdefault(name, []).append(None)
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = _capture

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.classes.add(node.name)
        self.names.bodies.setdefault(node.name, []).append(node)
        self.bindings.setdefault(node.name, []).append(None)
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.names.members.add(statement.name)
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                self.names.members |= {target.id for target in targets if isinstance(target, ast.Name)}
            self._fields(statement)
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    def _fields(self, statement: ast.stmt) -> None:
        """What a statement in the body of a class sets; what is in no simple statement is not followed."""
        fields = self.names.fields
        within = getattr(statement, "body", ())
        self.names.by_text |= any(isinstance(part, ast.NamedExpr) for child in ast.iter_child_nodes(statement)
                                  if child not in within for part in ast.walk(child))
        if isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) for target in statement.targets):
            for target in statement.targets:
                fields.setdefault(getattr(target, "id", ""), []).append(statement.value)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            fields.setdefault(statement.name, []).append(None)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            fields.setdefault(statement.target.id, []).append(None)
        elif not isinstance(statement, (ast.Expr, ast.Pass)):
            self.names.by_text = True

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bindings.setdefault(node.name, []).append(None)
        self.names.functions.setdefault(node.name, []).extend(all_arguments(node.args))
        self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_arguments(self, node: ast.arguments) -> None:
        for item in all_arguments(node):
            self.bindings.setdefault(item.arg, []).append(None)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.names.by_text |= node.attr in _BY_TEXT
        if node.attr == "style" and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.styled.add(node.value.id)
        if self.depth and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.names.members.add(node.attr)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self.names.by_text |= node.id in _BY_TEXT
        if isinstance(node.ctx, ast.Load):
            self.loads[node.id] = self.loads.get(node.id, 0) + 1

    def _looked_up(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self.reads[node.id] = self.reads.get(node.id, 0) + 1

    def visit_Compare(self, node: ast.Compare) -> None:
        for part in node.comparators:
            self._looked_up(part)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Load):
            self._looked_up(node.value)
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.filled.append((node.value.id, node.slice))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        func = node.func
        if any(item.arg == "style" for item in node.keywords):
            self.given_style.append(node)
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            if func.attr == "update":
                for argument in node.args:
                    keys = argument.keys if isinstance(argument, ast.Dict) else [None]
                    self.filled += [(func.value.id, key) for key in keys]
                self.filled += [(func.value.id, ast.Constant(item.arg) if item.arg else None) for item in node.keywords]
            elif func.attr in ("get", "items", "keys", "values", "index", "count"):
                self._looked_up(func.value)
            elif func.attr in ("setdefault", "__setitem__"):
                self.filled.append((func.value.id, node.args[0] if node.args else None))
        self.generic_visit(node)

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.bindings.setdefault(target.id, []).append(value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
            if items is None and value is not None:
                self.sources.append((target, value))
            for index, part in enumerate(target.elts):
                self._bind(part, items[index] if items else None)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, None)
        elif isinstance(target, ast.Attribute):
            self.names.fields.setdefault(target.attr, []).append(value)
            own = isinstance(target.value, ast.Name) and target.value.id == "self"
            self.names.renamed |= target.attr == "name" and not own

    def finish(self) -> None:
        """Follows aliases and visible strings until nothing changes."""
        names = self.names
        for target, source in self.loops:
            for value in items_of(self._written(source)):
                self._bind(target, value)
        names.bindings = self.bindings
        simple = [(name, value) for name, values in self.bindings.items() for value in values
                  if isinstance(value, (ast.Name, ast.Attribute, ast.IfExp, ast.BoolOp, ast.NamedExpr))]
        for _ in range(_ROUNDS):
            before = sum(map(len, names.paths.values())) + len(names.modules)
            for name, value in simple:
                self._alias(name, value)
            if sum(map(len, names.paths.values())) + len(names.modules) == before:
                break
        for _ in range(_ROUNDS):
            names.strings = {name: union([names.strings_of(value) for value in values])
                             for name, values in self.bindings.items()}
        names.values = {name: union([self._values_of(value) for value in values])
                        for name, values in self.bindings.items() if self._only_read(name)}
        for _ in range(2):
            names.strings = {name: union([names.strings_of(value) for value in values])
                             for name, values in self.bindings.items()}
        names.instances = {name for name, values in self.bindings.items() if values and all(
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in names.classes
            for value in values)}

        held = [value for name in self.styled for value in self.bindings.get(name, ())]
        if self.styled & names.instances or any(self._is_container(value) for value in [*held, *self.given_style]):
            names.members.add("style")
        self._follow_objects()
        names.keys = self._keys()

    def _is_container(self, value: ast.expr | None) -> bool:
        """Whether an expression makes an object that holds whatever it is given."""
        return isinstance(value, ast.Call) and bool(
            self.names.resolve(value.func) & {"types.SimpleNamespace", "argparse.Namespace"})

    def _only_read(self, name: str) -> bool:
        """Whether nothing is put into what a name holds, and it is handed to nobody who could."""
        return self.loads.get(name, 0) == self.reads.get(name, 0) and not any(name == filled for filled, _ in self.filled)

    def _written(self, source: ast.expr) -> ast.expr:
        """A loop over a named list or dict that is only read, as a loop over the literal."""
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id in READERS:
            return ast.Call(source.func, [self._written(argument) for argument in source.args], source.keywords)
        held = source.func.value if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) else source
        if not isinstance(held, ast.Name) or not self._only_read(held.id):
            return source
        bound = self.bindings.get(held.id, [])
        if len(bound) != 1 or not isinstance(bound[0], (ast.List, ast.Tuple, ast.Set, ast.Dict)):
            return source
        if held is source:
            return bound[0]
        assert isinstance(source, ast.Call)
        assert isinstance(source.func, ast.Attribute)
        return ast.Call(ast.Attribute(bound[0], source.func.attr, ast.Load()), source.args, source.keywords)

    def _values_of(self, value: ast.expr | None) -> frozenset[str] | None:
        """Every string in a written-out dict, list or tuple; null when something else is in it."""
        if isinstance(value, ast.Dict):
            return union([self.names.strings_of(item) if key else None
                          for key, item in zip(value.keys, value.values, strict=True)])
        if isinstance(value, (ast.List, ast.Tuple)):
            return union([self.names.strings_of(item) for item in value.elts])
        return None

    def _follow_objects(self) -> None:
        """Names that hold what a library made: by assignment, unpacking, loops and with."""
        names = self.names
        flows = [(name, value) for name, values in self.bindings.items() for value in values
                 if value is not None and not isinstance(value, ast.Constant)]
        flows += [(part.id, source) for target, source in [*self.sources, *self.loops] for part in ast.walk(target)
                  if isinstance(part, ast.Name)]
        for _ in range(_ROUNDS):
            before = len(names.foreign)
            names.foreign |= {name for name, value in flows if name not in names.foreign and names.from_library(value)}
            if len(names.foreign) == before:
                break

    def _keys(self) -> dict[str, frozenset[str] | None]:
        names = self.names
        found = {name: union([self._keys_of(value) for value in values]) for name, values in self.bindings.items()
                 if any(isinstance(value, (ast.Dict, ast.Call)) for value in values)}
        for name, key in self.filled:
            if name in found:
                found[name] = union([found[name], names.strings_of(key)])
        return found

    def _keys_of(self, value: ast.expr | None) -> frozenset[str] | None:
        if isinstance(value, ast.Dict):
            return union([self.names.strings_of(key) for key in value.keys])
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict" and not value.args:
            return None if any(item.arg is None for item in value.keywords) else frozenset(
                item.arg for item in value.keywords if item.arg)
        return None

    def _alias(self, name: str, value: ast.expr) -> None:
        names = self.names
        if isinstance(value, ast.IfExp):
            self._alias(name, value.body)
            self._alias(name, value.orelse)
        elif isinstance(value, ast.BoolOp):
            for part in value.values:
                self._alias(name, part)
        elif isinstance(value, ast.NamedExpr):
            self._alias(name, value.value)
        elif isinstance(value, (ast.Name, ast.Attribute)):
            found = names.resolve(value)
            if found and len(names.paths.get(name, ())) < 16:
                names.paths.setdefault(name, set()).update(found)
                names.aliases.add(name)
                if (isinstance(value, ast.Name) and value.id in names.modules) or found & SUBMODULES:
                    names.modules.add(name)
