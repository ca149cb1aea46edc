"""The program's own classes: what class patterns read of an object, and whose private names these are.

A positional class pattern reads the attributes that `__match_args__` names, on whatever passes isinstance; a private name
that a class overrides or shares with a library class is the library's. So fields are names written out in the class, and
a private name is the program's own only where the object surely is.
"""

import ast
from typing import TYPE_CHECKING

from .memory import check_lent
from .names import Names
from .patterns import check_template
from .private_names import LIBRARY_METHODS

if TYPE_CHECKING:
    from .tree import Walk

DATA_DUNDERS = frozenset({"__match_args__", "__slots__", "__annotations__", "__name__", "__qualname__", "__module__",
                          "__doc__", "__file__", "__all__", "__version__", "__class__"})
"""Special names that hold data; a def of that name, decorated, would put anything there."""
_SELF_PATTERNS = frozenset({"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str",
                            "tuple"})
"""Builtins whose one positional pattern is the object itself."""
_PLAIN_BASES = frozenset({
    "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple", "typing.TypedDict", "enum.Enum",
    "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "collections.UserDict", "collections.UserList",
    "collections.UserString", "collections.OrderedDict", "collections.defaultdict", "collections.Counter",
    "collections.deque", "json.JSONEncoder", "json.JSONDecoder", "html.parser.HTMLParser", "threading.Thread",
    "contextlib.ContextDecorator", "contextlib.AbstractContextManager", "datetime.tzinfo", "datetime.date",
    "datetime.datetime", "decimal.Decimal", "fractions.Fraction", "random.Random", "types.SimpleNamespace",
})
"""Library classes without private names that mean anything when they are overridden."""
_ABSTRACT = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})
"""What a class statement may name as its metaclass."""
_ENUM_HOOKS = frozenset({"_missing_", "_generate_next_value_", "_ignore_", "_order_", "_value_", "_name_",
                         "_value2member_map_", "_member_map_", "_member_names_"})
_ANSWERS = frozenset({"_missing_", "_generate_next_value_", "_ignore_", "_order_"})


def fields_of(names: Names, name: str, depth: int = 0) -> list[str] | None:
    """Attributes that a positional pattern of an own class can read; null when they are not written out."""
    found: list[str] = []
    definitions = names.bodies.get(name)
    if not definitions or depth > 20 or len(names.bindings.get(name, ())) != len(definitions):
        return None
    for node in definitions:
        for base in node.bases:
            inherited = _inherited(names, base, depth)
            if inherited is None:
                return None
            found += inherited
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                found.append(statement.target.id)
            elif isinstance(statement, ast.Assign) and any(_is(target, "__match_args__") for target in statement.targets):
                found += _texts(statement.value) or []
    return found


def _inherited(names: Names, base: ast.expr, depth: int) -> list[str] | None:
    if isinstance(base, ast.Subscript):
        base = base.value
    if isinstance(base, ast.Name) and base.id in names.bodies:
        return fields_of(names, base.id, depth + 1)
    if isinstance(base, ast.Call):
        return _called_fields(names, base)
    plain = names.resolve(base)
    if plain and plain <= _PLAIN_BASES:
        return []
    return [] if isinstance(base, ast.Name) and base.id not in names.bindings else None


def _called_fields(names: Names, call: ast.Call) -> list[str] | None:
    """Fields of `namedtuple("Point", "x y")` and its like, where they are written out."""
    paths = names.resolve(call.func)
    made = bool(paths) and paths <= {"collections.namedtuple", "typing.NamedTuple", "dataclasses.make_dataclass"}
    return tuple_fields(names, call.args[1]) if made and len(call.args) > 1 else None


def tuple_fields(names: Names, spec: ast.expr | None) -> list[str] | None:
    """Names in "x y", ["x", "y"] or [("x", int)]; null where one of them is not written out."""
    text = names.strings_of(spec)
    if text is not None:
        return [word for one in text for word in one.replace(",", " ").split()]
    items = spec.elts if isinstance(spec, (ast.List, ast.Tuple)) else [None]
    firsts = [item.elts[0] if isinstance(item, ast.Tuple) and item.elts else item for item in items]
    found = [names.strings_of(item) for item in firsts]
    return None if any(one is None for one in found) else [word for one in found for word in one or ()]


def is_enum(names: Names, name: str, depth: int = 0) -> bool:
    """Whether an own class is an enum: called with names it makes another one."""
    return any(isinstance(base, (ast.Name, ast.Attribute)) and (
        any(path.startswith("enum.") for path in names.resolve(base))
        or (isinstance(base, ast.Name) and depth < 20 and base.id != name and is_enum(names, base.id, depth + 1)))
        for node in names.bodies.get(name, ()) for base in node.bases)


def check_class(walk: "Walk", node: ast.ClassDef) -> None:
    """Judges what a class derives from, and what its body puts under special and private names."""
    for base in node.bases:
        of_type = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "type"
        if of_type or (isinstance(base, ast.Attribute) and base.attr == "__class__"):
            walk.deny(base, "computed-class", "A class derives from whatever an object is.", "Name the class.")
    for item in node.keywords:
        kinds = walk.names.resolve(item.value, walk.local)
        if item.arg == "metaclass" and kinds and kinds <= _ABSTRACT:
            walk.permit(item.value)
    for statement in node.body:
        if isinstance(statement, ast.Assign) and any(_is(target, "__match_args__") for target in statement.targets):
            texts = _texts(statement.value)
            own = own_members(walk.names, node)
            if texts is None or not all(text in own and text not in walk.attributes for text in texts):
                walk.deny(statement, "computed-fields",
                          "__match_args__ decides which attributes a pattern reads, of any object that matches.",
                          "Leave it out, or write the names of this class's own fields: __match_args__ = (\"x\", \"y\").")
            for target in statement.targets:
                walk.permit(target)
    check_lent(walk, node)
    check_template(walk, node)
    if library_bases(walk.names, node):
        for name, place in _private(node):
            if name not in walk.private and name not in _ANSWERS:
                walk.deny(place, "private-attribute", f"{name} may be a private name of the library's class, which it "
                          "replaces.", f"Call it {name.strip('_') or 'value'}.")


def library_bases(names: Names, node: ast.ClassDef, depth: int = 0) -> bool:
    """Whether a class derives from a library's class that has private names of its own, or from something unseen."""
    for base in node.bases:
        plain = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(plain, ast.Name) and plain.id in names.bodies:
            if depth < 20 and any(library_bases(names, one, depth + 1) for one in names.bodies[plain.id] if one is not node):
                return True
            continue
        if isinstance(plain, ast.Call) and _called_fields(names, plain) is not None:
            continue
        paths = names.resolve(plain)
        builtin = isinstance(plain, ast.Name) and plain.id not in names.bindings and not paths
        if not builtin and not (paths and paths <= _PLAIN_BASES):
            return True
    return False


def plain_class(names: Names, node: ast.ClassDef, depth: int = 0) -> bool:
    """Whether nobody but the program's own statements sets what a class and its objects hold."""
    return not node.keywords and not node.decorator_list and depth < 20 and all(
        isinstance(base, ast.Name) and (
            (base.id == "object" and "object" not in names.bindings)
            or (base.id in names.bodies and len(names.bindings[base.id]) == len(names.bodies[base.id]) and all(
                plain_class(names, one, depth + 1) for one in names.bodies[base.id])))
        for base in node.bases)


def own_members(names: Names, node: ast.ClassDef, depth: int = 0) -> set[str]:
    """Attributes that a class and its own bases define."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
            found.add(part.attr)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part in node.body:
            found.add(part.name)
        elif isinstance(part, ast.Assign) and part in node.body:
            found |= {target.id for target in part.targets if isinstance(target, ast.Name)}
            if any(_is(target, "__slots__") for target in part.targets):
                found |= set(_texts(part.value) or ())
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part in node.body:
            found.add(part.target.id)
    for base in node.bases:
        if isinstance(base, ast.Name) and depth < 20:
            for one in names.bodies.get(base.id, ()):
                if one is not node:
                    found |= own_members(names, one, depth + 1)
        elif isinstance(base, ast.Call):
            found |= set(_called_fields(names, base) or ())
    return found


def check_pattern(walk: "Walk", node: ast.MatchClass) -> None:
    """Judges the attributes that a class pattern reads, by keyword and by position."""
    for name in node.kwd_attrs:
        walk.attribute(node, name, None)
    if not node.patterns:
        return
    kind = node.cls
    if isinstance(kind, ast.Name):
        if kind.id in _SELF_PATTERNS and kind.id not in walk.names.bindings:
            return
        fields = fields_of(walk.names, kind.id)
        bound = walk.names.bindings.get(kind.id, ())
        if fields is None and len(bound) == 1 and isinstance(bound[0], ast.Call):
            fields = _called_fields(walk.names, bound[0])
        if fields is not None:
            for name in fields:
                walk.attribute(node, name, None)
                if name.startswith("_") and name not in walk.private:  # a class may claim any object by `register`
                    walk.deny(node, "private-attribute", f"This pattern reads {name}, of whatever passes for the class.",
                              "Name public fields: case Point(x=0).")
            return
    paths = walk.names.resolve(kind)
    if not paths or not all(path.startswith("ast.") for path in paths):
        walk.deny(node, "positional-pattern", "This pattern reads attributes by position, and their names are not in sight.",
                  "Name them: case Point(x=0, y=y); the class must be one of the program's own.")


def owns_private(walk: "Walk", name: str, base: ast.expr | None) -> bool:
    """Whether a private attribute surely or very likely belongs to one of the program's own classes."""
    names = walk.names
    if name in _ENUM_HOOKS and isinstance(base, ast.Name) and base.id in ("self", "cls"):
        return True
    if name not in names.members:
        return False
    if base is not None and walk.own_object(base):
        around = walk.around
        if around is None or not isinstance(base, ast.Name) or base.id not in ("self", "cls"):
            return not (isinstance(base, ast.Name) and base.id in ("self", "cls") and name in LIBRARY_METHODS)
        return not library_bases(names, around) or name in own_members(names, around)
    if isinstance(base, ast.Call) and isinstance(base.func, ast.Name):
        if base.func.id == "super":
            return walk.around is not None and not library_bases(names, walk.around)
        if base.func.id in names.classes:
            return True
    return name not in LIBRARY_METHODS and (base is None or not names.from_library(base))


def holds_own_values(walk: "Walk", of: ast.expr) -> bool:
    """Whether an object surely holds nothing but the program's own values: parsed arguments, a namespace, an instance."""
    if not isinstance(of, ast.Name) or of.id in walk.names.modules:
        return False
    made = walk.names.bindings.get(of.id, ())
    if of.id == "self" and of.id in walk.names.selves and walk.around is not None:
        return not library_bases(walk.names, walk.around)
    if of.id in walk.names.instances:
        kinds = {value.func.id for value in made if isinstance(value, ast.Call) and isinstance(value.func, ast.Name)}
        return not any(library_bases(walk.names, body) for kind in kinds for body in walk.names.bodies[kind])
    return (bool(made) and all(isinstance(value, ast.Call) and (
        (isinstance(value.func, ast.Attribute) and value.func.attr == "parse_args")
        or walk.names.resolve(value.func) & {"types.SimpleNamespace", "argparse.Namespace"}) for value in made))


def check_dict(walk: "Walk", node: ast.AST, base: ast.expr | None) -> None:
    """Judges the reading of `__dict__`, which is `vars`: of the program's own objects, and never to put something in."""
    known = isinstance(node, ast.expr) and not walk.is_alias(node)
    if base is None or not known or not holds_own_values(walk, base):
        walk.deny(node, "denied-dunder", "The attribute __dict__ leads into the interpreter, or sets attributes by names "
                  "in texts.", "Use dataclasses.asdict(x), or assign the attributes one by one: self.name = value.")


def names_own(walk: "Walk", node: ast.Call) -> bool:
    """Whether getattr reads a part of the program's own: a method by the beginning of its name, a field of a dataclass."""
    if len(node.args) not in (2, 3) or node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
        return False
    of, name = node.args[0], node.args[1]
    if isinstance(name, ast.Attribute):
        return isinstance(of, ast.Name) and name.attr == "name" and _loops_over_fields(walk, name.value, of.id)
    bound = walk.names.bindings.get(name.id) or [None] if isinstance(name, ast.Name) else [name]
    return (_is(of, "self") and "self" in walk.names.selves and walk.around is not None
            and all(_begins_as_own(walk, one) for one in bound) and plain_class(walk.names, walk.around))


def _begins_as_own(walk: "Walk", name: ast.expr | None) -> bool:
    """Whether a text is put together and begins like a method of the program's: `f"on_{kind}"`, `"on_" + kind`."""
    start = name
    while isinstance(start, ast.BinOp) and isinstance(start.op, ast.Add) and "__radd__" not in walk.names.members:
        start = start.left
    if isinstance(start, ast.JoinedStr) and start.values:
        start = start.values[0]
    if start is name or not (isinstance(start, ast.Constant) and isinstance(start.value, str)):
        return False
    return start.value[:1].isalpha() and any(member.startswith(start.value) for member in walk.names.members)


def _loops_over_fields(walk: "Walk", item: ast.expr, of: str) -> bool:
    """Whether a name goes through `dataclasses.fields(of)` and nothing else, where `of` is one thing for all of it."""
    if not isinstance(item, ast.Name) or walk.names.renamed or "self" not in walk.names.selves:
        return False
    sources = walk.names.loops.get(item.id, [])
    once = of in walk.names.selves or len(walk.names.bindings.get(of, ())) == 1
    return once and bool(sources) and len(sources) == len(walk.names.bindings.get(item.id, ())) and all(
        isinstance(source, ast.Call) and walk.names.surely(source.func) == {"dataclasses.fields"}
        and len(source.args) == 1 and _is(source.args[0], of) for source in sources)


def sets_own_field(walk: "Walk", node: ast.Call) -> bool:
    """`object.__setattr__(self, "total", …)`, as frozen dataclasses set a field of their own."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == "__setattr__" and len(node.args) == 3 and not node.keywords):
        return False
    base, target, name = func.value, node.args[0], node.args[1]
    plain = isinstance(base, ast.Name) and base.id == "object" and "object" not in walk.names.bindings
    return (plain and walk.around is not None and isinstance(target, ast.Name) and target.id == "self"
            and isinstance(name, ast.Constant) and name.value in walk.names.members)


def _private(node: ast.ClassDef) -> list[tuple[str, ast.AST]]:
    """Private names that a class body binds, and the attributes its methods store on self."""
    found: list[tuple[str, ast.AST]] = []
    for part in ast.walk(node):
        name = ""
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part in node.body:
            name = part.name
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and _at_level(node, part):
            name = part.id
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and _is(part.value, "self", "cls"):
            name = part.attr
        if name.startswith("_") and not name.startswith("__"):
            found.append((name, part))
    return found


def _at_level(node: ast.ClassDef, name: ast.Name) -> bool:
    """Whether a name is bound by the class body itself, not by a method in it."""
    return any(name is part for statement in node.body
               if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
               for part in ast.walk(statement))


def _is(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _texts(value: ast.expr) -> list[str] | None:
    """The texts of a literal tuple or list of texts."""
    items = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
    texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return texts if len(texts) == len(items) else None


def defined_so(name: str, value: ast.expr | None) -> bool:
    """Whether a special name may be set in a class body: `__slots__`, `__hash__ = None`, `__radd__ = __add__`."""
    if name in ("__slots__", "__doc__", "__version__"):
        return True
    if not (name.startswith("__") and name.endswith("__")) or name in DATA_DUNDERS:
        return False
    return (isinstance(value, ast.Constant) and value.value is None) or (
        isinstance(value, ast.Name) and value.id.startswith("__") and value.id.endswith("__"))


def text_classes(walk: "Walk") -> bool:
    """Whether a class of the program's may be a text, whose format is that of str."""
    bases = [base for bodies in walk.names.bodies.values() for body in bodies for base in body.bases]
    return any(isinstance(base, ast.Name) and (base.id == "str" or any(
        value is not None for value in walk.names.bindings.get(base.id, ()))) for base in bases) or any(
            path.endswith("UserString") for base in bases for path in walk.names.resolve(base))
