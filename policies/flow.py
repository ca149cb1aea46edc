"""Where path and address literals go.

A path is refused where it reaches something that opens files, not where it is data: a table of page addresses or a log
line is harmless. Flow is followed by name, through assignments, loops, containers, attributes, parameters and returns
of the program's own functions, without order: once a name may hold such a literal, it may hold it everywhere.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .literals import ADDRESS, CLIMBS, outside
from .sinks import DATA_CALLS, HARMLESS, KEYWORDS, OF_SYSTEM, OS_SINKS, PURE_MODULES, SINKS, SYSTEM
from .tables import Tables, picked, targets_of
from .visiting import children, every

_OPENERS = frozenset({"open", "read_csv", "read_table", "read_json", "read_excel", "read_parquet", "loadtxt", "genfromtxt",
                      "fromfile", "listdir", "scandir", "walk", "remove", "unlink", "FileIO", "open_code", "ZipFile",
                      "iglob"})
"""Functions that open, whoever calls them."""
_HELD = _OPENERS | {"Path", "PosixPath", "read_excel", "read_fwf", "load_workbook", "to_csv", "rmtree", "copyfile", "move"}
"""Those that are followed into lists and tables."""
_BY_NAME = frozenset({"getattr", "attrgetter", "methodcaller"})
_PACKS = frozenset({"write", "read", "append", "merge"})
_PURE_PARTS = frozenset({"name", "stem", "suffix", "suffixes", "parts", "parent", "parents", "as_posix",
                         "with_suffix", "anchor",
                         "is_absolute", "match", "relative_to", "is_relative_to"})


@dataclass(slots=True)
class Leak:
    """A literal outside the working folder that reaches a call that opens files."""

    literal: ast.AST
    text: str
    place: ast.AST
    """The call, or the join of paths."""

    @property
    def address(self) -> bool:
        """Whether it is an address of the network rather than a path."""
        found = ADDRESS.match(self.text)
        return bool(found) and not self.text.startswith("file:")


def read_flows(trees: Sequence[ast.Module]) -> Tables:
    """What flows where, over the programs of a session."""
    tables = Tables()
    for tree in trees:
        _collect(tree, tables)
    _link_functions(tables)
    tables.sinks = SINKS | _sink_aliases(tables)
    return tables


def find_leaks(tables: Tables) -> list[Leak]:
    """Every literal that leaves the working folder and reaches an opening call."""
    if not tables.literals:
        return []
    held = _held(tables)
    places: list[tuple[ast.AST, ast.expr]] = [(join, join.right) for join in tables.joins]
    for call in tables.calls:
        if is_sink(call, tables) or writes_archive(call, tables) or hands_on(call, tables):
            places += [(call, argument) for argument in arguments(call)]
            if hands_on(call, tables) and isinstance(call.func, ast.Attribute):  # pd.Series(paths).map(open)
                places.append((call, call.func.value))
        elif _of_library(call, tables):
            places += [(call, argument) for argument in arguments(call) if isinstance(argument, (ast.Constant, ast.Name))]
            places += [(call, item.value) for item in call.keywords if item.arg in KEYWORDS]
    leaks = []
    for place, value in places:
        for part in _parts(value, tables, direct=True):
            found = held.get(part) if isinstance(part, str) else part
            if found:
                leaks.append(Leak(*found, place))
    return leaks


def _of_library(call: ast.Call, tables: Tables) -> bool:
    """Whether a function of an imported library is called that may open what it is given."""
    path = tables.dotted(call.func)
    last = path.rsplit(".", 1)[-1]
    if last in ("Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath"):
        return False
    return bool(path) and path.split(".")[0] not in PURE_MODULES and last not in HARMLESS and last not in DATA_CALLS


def hands_on(call: ast.Call, tables: Tables) -> bool:
    """Whether an opening function is called in a roundabout way: handed on with its arguments, or picked out of things."""
    if not isinstance(call.func, (ast.Name, ast.Attribute, ast.Lambda)):
        parts = (part for part in every(call.func) if isinstance(part, (ast.Name, ast.Attribute)))
        return any(tables.called(part) in tables.sinks for part in parts)
    return any(isinstance(item, (ast.Name, ast.Attribute)) and tables.called(item) in _OPENERS for item in arguments(call))


def writes_archive(call: ast.Call, tables: Tables) -> bool:
    """`archive.write(path)` packs a file, `writer.append(path)` reads one; others write what they are given. `read` of a
    parser opens."""
    func: ast.AST = call.func
    if isinstance(func, ast.Name):
        func = next((value for value in tables.by_name.get(func.id, ()) if isinstance(value, ast.Attribute)), func)
    if not isinstance(func, ast.Attribute) or func.attr not in _PACKS:
        return False
    if func.attr == "read" or tables.dotted(func).startswith("scipy.io."):
        return True
    made = [func.value] if isinstance(func.value, ast.Call) else tables.by_name.get(getattr(func.value, "id", ""), ())
    return any(isinstance(value, ast.Call) and tables.dotted(value.func).split(".")[0] in ("zipfile", "tarfile", "pypdf")
               for value in made)


def _held(tables: Tables) -> dict[str, tuple[ast.AST, str]]:
    """Names that may hold a literal outside the working folder, with the first such literal."""
    held: dict[str, tuple[ast.AST, str]] = {}
    takers: dict[str, list[str]] = {}
    for targets, value in tables.flows:
        for part in _parts(value, tables, direct=False):
            if isinstance(part, str):
                takers.setdefault(part, []).extend(targets)
            else:
                for name in targets:
                    held.setdefault(name, part)
    fresh = list(held)
    while fresh:
        name = fresh.pop()
        for taker in takers.get(name, ()):
            if taker not in held:
                held[taker] = held[name]
                fresh.append(taker)
    return held


def arguments(call: ast.Call) -> list[ast.expr]:
    """What may be a path: all arguments, and the object for `/`-joined paths and methods of strings."""
    return [*call.args, *(item.value for item in call.keywords)]


def is_sink(call: ast.Call, tables: Tables) -> bool:
    func = call.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if isinstance(func, ast.Name):
        if tables.is_own(name):
            return False
        if name not in tables.sinks:
            name = tables.called(func)
    if name in ("Path", "PosixPath"):
        above = tables.parents.get(id(call))
        return not (isinstance(above, ast.Attribute) and above.attr in _PURE_PARTS)
    if name == "dump" and tables.dotted(func).startswith("json."):
        return False
    if name in OS_SINKS:
        root: ast.expr = func
        while isinstance(root, ast.Attribute):
            root = root.value
        return isinstance(root, ast.Name) and root.id in tables.system
    if name in OF_SYSTEM and isinstance(func, ast.Attribute) and tables.is_bare(name):
        return tables.is_system(func.value)
    return (name in tables.sinks or (name in tables.system and isinstance(func, ast.Name))
            or tables.dotted(func) == "openpyxl.drawing.image.Image")


def _sink_aliases(tables: Tables) -> set[str]:
    """Other names for opening calls: by import, by assignment, and in a second round for a name of a name."""
    aliases: set[str] = set()
    for _ in range(2):
        for targets, value in tables.flows:
            if isinstance(value, ast.Call) and any(tables.called(item) in _OPENERS for item in value.args
                                                   if isinstance(item, (ast.Name, ast.Attribute))):
                aliases.update(targets)  # cache(open), staticmethod(open)
            for part in picked(value):
                held = part is not value and not isinstance(value, (ast.IfExp, ast.BoolOp))
                last = part.attr if isinstance(part, ast.Attribute) else part.id
                if last in aliases or (last in (_HELD if held else SINKS) and not (held and tables.is_own(last))):
                    aliases.update(targets)
    return aliases


def _literal(node: ast.AST) -> str | None:
    """The text of a literal that leaves the working folder."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        return text if len(text) < 4096 and "\n" not in text and outside(text) else None
    return None


def _parts(node: ast.AST, tables: Tables, *, direct: bool) -> Iterator[tuple[ast.AST, str] | str]:
    """What an expression may be made of: literals outside the working folder, and names that may hold one.

    `direct`: a bare "/" counts too.
    """
    text = _literal(node)
    if text is not None and (direct or text.strip("/") or _joined(node, tables)):
        yield node, text
    elif isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
        if node.attr not in _PURE_PARTS:
            yield from _parts(node.value, tables, direct=direct)
    elif isinstance(node, ast.Call):
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if name in tables.functions:
            yield name
        if name in HARMLESS:
            return
        for argument in [*arguments(node), *([func.value] if isinstance(func, ast.Attribute) else [])]:
            yield from _parts(argument, tables, direct=False)
    elif isinstance(node, ast.JoinedStr):
        yield from _joined_text(node.values, tables, direct=direct)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _joined_text([node.left, node.right], tables, direct=direct)
    elif not isinstance(node, (ast.Compare, ast.Lambda)):
        for part in ast.iter_child_nodes(node):
            yield from _parts(part, tables, direct=direct)


def _joined_text(pieces: Sequence[ast.expr], tables: Tables, *, direct: bool) -> Iterator[tuple[ast.AST, str] | str]:
    """Text put together is absolute by its beginning only; it climbs by any of its pieces."""
    first = next((index for index, piece in enumerate(pieces) if not _empty(piece)), 0)
    for piece in pieces[first:first + 1]:
        yield from _parts(piece, tables, direct=direct)
    for piece in pieces[first + 1:]:
        yield from ((part, text) for part in ast.walk(piece) if (text := _literal(part)) and CLIMBS.search(text))


def _empty(piece: ast.expr) -> bool:
    return isinstance(piece, ast.Constant) and not piece.value


def _joined(node: ast.AST, tables: Tables) -> bool:
    """A bare "/" at the left of `+` or `/` begins an absolute path."""
    above = tables.parents.get(id(node))
    return isinstance(above, ast.BinOp) and above.left is node


def _collect(tree: ast.Module, tables: Tables) -> None:
    nodes: list[ast.AST] = [tree]
    tables.whole |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                     and not node.decorator_list}
    for node in nodes:
        for child in children(node):
            tables.parents[id(child)] = node
            nodes.append(child)
        if isinstance(node, ast.Constant) and not tables.literals:
            tables.literals = _literal(node) is not None
        if isinstance(node, ast.Assign):
            for target in node.targets:
                tables.flows += _pairs(target, node.value)
                if isinstance(node.value, ast.Lambda) and isinstance(target, ast.Name):
                    tables.functions.setdefault(target.id, []).extend(item.arg for item in node.value.args.args)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            if node.value is not None:
                tables.flows.append((targets_of(node.target), node.value))
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            tables.flows.append((targets_of(node.target), node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            tables.flows.append((targets_of(node.optional_vars), node.context_expr))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _function(node, tables)
        elif isinstance(node, ast.ClassDef):
            tables.shadowed.add(node.name)
        elif isinstance(node, ast.Lambda):
            tables.shadowed |= {item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)}
            for item, value in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
                tables.flows.append(([item.arg], value))
        elif isinstance(node, ast.Call):
            tables.calls.append(node)
            _passed(node, tables)
            _to_lambdas(node, tables)
            if getattr(node.func, "attr", getattr(node.func, "id", "")) in _BY_NAME:
                tables.handed |= OF_SYSTEM
        elif isinstance(node, ast.Attribute) and node.attr in OF_SYSTEM:
            above = tables.parents[id(node)]
            if not isinstance(above, ast.Call) or above.func is not node:
                tables.handed.add(node.attr)
        elif isinstance(node, ast.Import):
            tables.origins |= {alias.asname or alias.name.split(".")[0]:
                               alias.name if alias.asname else alias.name.split(".")[0] for alias in node.names}
            tables.system |= {alias.asname or alias.name.split(".")[0] for alias in node.names if alias.name in SYSTEM}
        elif isinstance(node, ast.ImportFrom):
            tables.origins |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            if node.module in SYSTEM:
                tables.handed |= {alias.name for alias in node.names}
                tables.system |= {alias.asname or alias.name for alias in node.names if alias.name in OS_SINKS | {"path"}}
            tables.flows += [([alias.asname], ast.Name(alias.name, ast.Load())) for alias in node.names if alias.asname]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            tables.joins.append(node)
        elif isinstance(node, ast.Match):
            bound = [name for part in ast.walk(node) for name in [getattr(part, "name", None), getattr(part, "rest",
                                                                                                       None)]
                     if isinstance(part, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)) and isinstance(name, str)]
            tables.flows.append((bound, node.subject))


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[list[str], ast.AST]]:
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)) \
            and len(target.elts) == len(value.elts):
        return [pair for one, part in zip(target.elts, value.elts, strict=True) for pair in _pairs(one, part)]
    return [(targets_of(target), value)]


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, tables: Tables) -> None:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    tables.functions.setdefault(node.name, []).extend(item.arg for item in positional)
    for item, value in zip(reversed(positional), reversed(arguments.defaults), strict=False):
        tables.flows.append(([item.arg], value))
    for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            tables.flows.append(([item.arg], default))
    extra = [item.arg for item in (*arguments.kwonlyargs, arguments.vararg, arguments.kwarg) if item]
    tables.functions[node.name].extend(extra)
    for part in every(node):
        if isinstance(part, (ast.Return, ast.Yield)) and part.value is not None:
            tables.flows.append(([node.name], part.value))
            tables.returned.add(id(part.value))


def _to_lambdas(call: ast.Call, tables: Tables) -> None:
    """What is beside a lambda in a call, or is what the call goes through, may be handed to it."""
    given = arguments(call)
    beside = [item for item in given if not isinstance(item, ast.Lambda)]
    beside += [call.func.value] if isinstance(call.func, ast.Attribute) else []
    for item in given:
        if isinstance(item, ast.Lambda):
            tables.flows += [([parameter.arg], value) for parameter in item.args.args for value in beside]


def _passed(call: ast.Call, tables: Tables) -> None:
    """What a call hands to parameters of the program's own functions, and to containers: `paths.append(x)`."""
    func = call.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if name in ("append", "add", "extend", "insert", "update", "appendleft", "setdefault", "put") and isinstance(func,
                                                                                                                 ast.Attribute):
        tables.flows += [(targets_of(func.value), part) for part in arguments(call)]
    tables.flows += [([f"({name})"], part) for part in arguments(call)]


def _link_functions(tables: Tables) -> None:
    """Parameters of the program's own functions take whatever is passed to a call of that name."""
    for name, parameters in tables.functions.items():
        for parameter in parameters:
            if parameter not in ("self", "cls"):
                tables.flows.append(([parameter], ast.Name(f"({name})", ast.Load())))
    for targets, value in tables.flows:
        for name in targets:
            tables.by_name.setdefault(name, []).append(value)
