"""Doors of the allowed libraries that take names, classes or memory from data: open in their plain form only.

Each is harmless when it is called in the one way that programs call it, so a reference to it that is no such call is
refused: what is handed on as a value can be called by anything with anything.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .classes import is_enum, tuple_fields
from .literals import DUNDER
from .meanings import SETTING
from .memory import BUFFERED, check_buffered

if TYPE_CHECKING:
    from .tree import Walk


@dataclass(frozen=True, slots=True)
class Shape:
    """How something may be called: so many positional arguments, these keywords."""

    positional: int
    keywords: frozenset[str] | None
    """Keywords that may be given; null: any."""
    why: str
    fix: str


_WRAPPER = "It copies attributes by names that are given as texts."
_ARGUMENTS = "It sets attributes, by names from texts, on the object that it is given."
_MEMORY = "It lays an array over memory that it does not own."
_PROPERTIES = "It calls setters by names that are given as texts."
_STARTS = "It starts processes."
_CLASSES = "It makes classes whose methods cannot be seen."
_MASKED = "Index or reshape the array, or use numpy.lib.stride_tricks.sliding_window_view."
_CLASS = "Write a class statement or a dataclass."

_SHAPES = {
    "functools.wraps": Shape(1, frozenset({"wrapped"}), _WRAPPER, "@functools.wraps(function), nothing else."),
    "functools.update_wrapper": Shape(2, frozenset(), _WRAPPER, "functools.update_wrapper(wrapper, function)."),
    "scipy.optimize.differential_evolution": Shape(6, None, _STARTS, "Name the arguments, and leave workers out."),
    "numpy.info": Shape(3, frozenset({"maxwidth", "output"}), "It imports the module that it is to search.",
                        "np.info(np.mean)."),
    "sqlite3.connect": Shape(3, None, "Its later arguments let a URI name any file.", "sqlite3.connect(\"rows.db\")."),
    "matplotlib.pyplot.setp": Shape(1, None, _PROPERTIES, "plt.setp(labels, rotation=45)."),
    "matplotlib.artist.setp": Shape(1, None, _PROPERTIES, "plt.setp(labels, rotation=45)."),
    "scipy.optimize.brute": Shape(6, None, _STARTS, "Name the arguments, and leave workers out."),
}
"""Dotted path → its shape."""
_METHODS = {
    "parse_args": Shape(1, frozenset({"args"}), _ARGUMENTS, "parser.parse_args([]): there are no arguments here."),
    "parse_known_args": Shape(1, frozenset({"args"}), _ARGUMENTS, "parser.parse_args([])."),
    "parse_intermixed_args": Shape(1, frozenset({"args"}), _ARGUMENTS, "parser.parse_args([])."),
    "parse_known_intermixed_args": Shape(1, frozenset({"args"}), _ARGUMENTS, "parser.parse_args([])."),
    "open": Shape(6, None, "Its later arguments replace how files are opened.", "open(name, mode, encoding=\"utf-8\")."),
    "hist": Shape(10, None, "Its later arguments name a module to import.", "Name the arguments."),
    "setp": Shape(1, None, _PROPERTIES, "plt.setp(labels, rotation=45)."),
    "boxplot": Shape(10, None, "Its later arguments name a module to import.", "Name the arguments."),
}
"""Name of a method → its shape."""
_TESTED = frozenset({"numpy.ndarray", "numpy.recarray", "numpy.chararray", "numpy.rec.recarray", "numpy.char.chararray",
                     "numpy.matlib.matrix", "numpy.ndarray.__new__", "numpy.recarray.__new__"})
"""Classes that programs test against and annotate with, and that lay arrays over any memory when they are called."""
_DRAWN = frozenset({"matplotlib.pyplot.plot", "matplotlib.pyplot.hist", "matplotlib.pyplot.boxplot"})
"""Those of matplotlib, whose options say how lines and boxes look; those of a table name a module to import."""
_TABLES = frozenset({"pandas", "pyarrow"})
"""Libraries without which there is no table."""
_METAS = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})
_SETTINGS = frozenset({"matplotlib.rcParams", "matplotlib.pyplot.rcParams", "matplotlib.rcParamsDefault"})
_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
_STORED = {"readinto": "It is lent memory of the interpreter.", "readinto1": "It is lent memory of the interpreter.",
           "backend": "A plotting back end is a module that is imported by name.",
           "strides": "Strides decide which memory an array covers.",
           "fromfile_prefix_chars": "Arguments are read from any file that is named after this sign."}
"""Attributes of library objects that are doors when they are set."""
_FILLS = frozenset({"update", "setdefault", "pop", "popitem", "clear", "append", "extend", "insert", "remove", "add",
                    "discard", "__setitem__"})
_VALUE_REFUSED = frozenset(_SHAPES) | _TESTED | _METAS | _SETTINGS | BUFFERED | {"dataclasses.make_dataclass"}
_KEY = "A setting is chosen by text that is not written out; some settings name programs to run."
_KEY_FIX = "Write the name: plt.rcParams[\"font.size\"] = 9."
REFUSED_KEYWORDS = frozenset({"allow_pickle", "opener", "shell", "usetex", "uri", "backend", "namespace", "workers",
                              "fromfile_prefix_chars", "assigned", "updated", "refcheck", "module", "qualname"})
"""Flags that open a door, refused among the keys of a dict that a call unpacks."""
_GUARDED = frozenset({"open", "load", "connect", "plot", "hist", "boxplot", "basicConfig", "parse_args", "Enum",
                      "make_dataclass", "resize", "ArgumentParser", "savefig", "differential_evolution", "brute", "setp",
                      "quad_vec", "cubature", "multiscale_graphcorr"})
"""Calls that take one of those flags, or name files."""


def check_value(walk: "Walk", node: ast.Name | ast.Attribute) -> None:
    """Judges a reference that is neither called nor the left side of a dot."""
    if walk.is_permitted(node) or walk.is_alias(node) or not isinstance(node.ctx, ast.Load):
        return
    refused = {path for path in walk.names.resolve(node, walk.local)
               if path in _VALUE_REFUSED or (path.startswith("PIL.") and path.endswith(".show"))}
    if isinstance(node, ast.Attribute) and node.attr == "setp":
        refused.add("setp")
    for path in sorted(refused):
        walk.deny(node, "door-as-value", f"{path} is handed on as a value, so what it is called with cannot be seen.",
                  "Call it where it stands." if path not in _SETTINGS else _KEY_FIX)


def check_doors(walk: "Walk", node: ast.Call) -> None:
    """Judges the call of a function or method that is a door."""
    func = node.func
    paths = walk.names.resolve(func, walk.local)
    name = func.attr if isinstance(func, ast.Attribute) else ""
    for path in paths:
        if path in _SHAPES:
            _fits(walk, node, path, _SHAPES[path])
        elif path in _TESTED:
            walk.deny(node, "raw-memory", f"{path} may not be called. {_MEMORY}", "Use np.array, np.zeros or np.frombuffer.")
        elif path in _METAS:
            walk.deny(node, "computed-class", f"{path} may not be called. {_CLASSES}", _CLASS)
        elif path in _ENUMS or path == "dataclasses.make_dataclass":
            _made_class(walk, node, path)
        elif path.startswith("PIL.") and path.endswith(".show"):
            walk.deny(node, "starts-a-program", "show starts a viewer for the image.", "Save it: image.save(\"out.png\").")
        elif path.startswith("numpy.") and any(_container(walk, item) for item in node.args):
            walk.deny(node, "raw-memory", "A namespace can claim to be an array over any memory.",
                      "Give a list of its values.")
        elif path in BUFFERED:
            check_buffered(walk, node)
        elif path in ("numpy.bmat", "numpy.asmatrix", "numpy.matrix") and not (
                node.args and isinstance(node.args[0], (ast.List, ast.Name))):
            walk.deny(node, "names-from-text", f"{path} reads a text as names of variables.", "Use np.block([[a, b]]).")
    if isinstance(func, ast.Name) and (len(node.args) > 1 or node.keywords) and is_enum(walk.names, func.id):
        _made_class(walk, node, "enum.Enum")
    shape = _METHODS.get(name or getattr(func, "id", ""))
    if shape is not None:
        _fits(walk, node, name or "open", shape)
    if name in ("set_option", "option_context") and paths and any(
            walk.names.strings_of(item) is None for item in node.args[::2]):
        walk.deny(node, "setting-runs-code", "An option is chosen by text that is not written out.", "Write its name.")
    if name == "view" and name not in walk.names.members and len(node.args) == 1 and not node.keywords:
        walk.permit(node.args[0])  # the same memory, as an array of this class or type
    if name in _FILLS and isinstance(func, ast.Attribute):
        _filled(walk, node, func.value)
    _metaclass(walk, node)
    if not (drawn := walk.names.surely(func, walk.local)) or not drawn <= _DRAWN:
        called = {name or getattr(func, "id", ""), *(path.rsplit(".", 1)[-1] for path in paths)}
    else:
        called = set()
    if not any(path.split(".")[0] in _TABLES for held in walk.names.paths.values() for path in held):
        called -= {path.rsplit(".", 1)[-1] for path in _DRAWN}
    _unpacked(walk, node, called)


def _container(walk: "Walk", node: ast.expr) -> bool:
    """Whether an expression is surely an object with whatever attributes it was given, by names from data too."""
    made = [node] if isinstance(node, ast.Call) else walk.names.bindings.get(getattr(node, "id", ""), [])
    return bool(made) and all(isinstance(value, ast.Call) and (
        getattr(value.func, "attr", "") in ("parse_args", "parse_known_args")
        or bool(walk.names.resolve(value.func, walk.local) & {"types.SimpleNamespace", "argparse.Namespace"}))
        for value in made)


def check_stored(walk: "Walk", node: ast.Attribute) -> None:
    """Judges `library.name = value`."""
    _changed(walk, node, walk.names.resolve(node, walk.local))
    if _class_of_other(walk, node.value):
        walk.deny(node, "module-changed", "This changes the class of an object that is not surely the program's own.",
                  "Keep your own function, and call it.")
    if node.attr in _STORED:
        walk.deny(node, "setting-runs-code", _STORED[node.attr], "Leave it as it is.")
    if node.attr.startswith("__") and node.attr.endswith("__") and node.attr not in ("__doc__", "__name__"):
        walk.deny(node, "denied-dunder", f"{node.attr} may not be assigned.", "Define it in the class.")


def _class_of_other(walk: "Walk", node: ast.expr) -> bool:
    """Whether an expression is the class of an object, and that may be a library's."""
    return any(not walk.own_object(of) for of in _whose_class(walk, node))


def _whose_class(walk: "Walk", node: ast.expr) -> Iterator[ast.expr]:
    """The objects whose class an expression may be: x of `type(x)` and `x.__class__`, also by a name of it."""
    for kind in (node, *walk.names.bindings.get(getattr(node, "id", ""), ())):
        if isinstance(kind, ast.Call) and isinstance(kind.func, ast.Name) and kind.func.id == "type" and kind.args:
            yield kind.args[0]
        elif isinstance(kind, ast.Attribute) and kind.attr == "__class__":
            yield kind.value


def check_filled(walk: "Walk", node: ast.Subscript) -> None:
    """Judges `library.table[key] = value`, and `self.__dict__[key] = value`."""
    _into_dict(walk, node, node.value)
    paths = walk.names.resolve(node.value, walk.local)
    if not paths:
        return
    if paths <= _SETTINGS:
        _settings(walk, node, walk.names.strings_of(node.slice))
        return
    _changed(walk, node, paths)


def _settings(walk: "Walk", node: ast.AST, keys: frozenset[str] | None) -> None:
    """Settings of matplotlib that are changed; null when their names are not written out."""
    if keys is None or any(SETTING.fullmatch(key) for key in keys):
        walk.deny(node, "setting-runs-code", _KEY, _KEY_FIX)


def _filled(walk: "Walk", node: ast.Call, base: ast.expr) -> None:
    """A table of a library, changed by a method."""
    _into_dict(walk, node, base)
    paths = {path for path in walk.names.resolve(base, walk.local) if path.count(".") and base_is_table(walk, base)}
    if not paths:
        return
    if paths <= _SETTINGS:
        for argument in node.args[:1]:
            keys = visible_keys(walk, argument)
            _settings(walk, node, walk.names.strings_of(argument) if keys is None else keys)
        return
    _changed(walk, node, paths)


def _into_dict(walk: "Walk", node: ast.AST, held: ast.expr) -> None:
    if isinstance(held, ast.Attribute) and held.attr == "__dict__":
        walk.deny(node, "attribute-by-name", "This sets attributes by names in texts.",
                  "Assign them one by one, self.name = value, or keep a dict: self.options = options.")


def base_is_table(walk: "Walk", base: ast.expr) -> bool:
    """Whether something imported is a table rather than a module or a class: it is written in small letters."""
    last = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
    return not last[:1].isupper() and last not in walk.names.modules and not (
        walk.names.resolve(base) & walk.policy.plain_imports)


def _changed(walk: "Walk", node: ast.AST, paths: set[str]) -> None:
    if any(not path.startswith("pandas.options") for path in paths):
        walk.deny(node, "module-changed",
                  f"{sorted(paths)[0]} belongs to a library and is changed for everything that uses it.",
                  "Keep your own variable or function instead.")


def visible_keys(walk: "Walk", node: ast.expr) -> frozenset[str] | None:
    """Keys of a dict that is written out, here or where its name is bound."""
    if isinstance(node, ast.Dict):
        texts = [walk.names.strings_of(key) for key in node.keys]
        return None if any(text is None for text in texts) else frozenset(one for text in texts for one in text or ())
    return walk.names.keys.get(node.id) if isinstance(node, ast.Name) else None


def _fits(walk: "Walk", node: ast.Call, name: str, shape: Shape) -> None:
    starred = any(isinstance(item, ast.Starred) for item in node.args)
    strange = shape.keywords is not None and any(item.arg not in shape.keywords for item in node.keywords)
    if starred or len(node.args) > shape.positional or strange:
        walk.deny(node, "door-by-data", f"{name.split('.')[-1]} is called in an unusual way. {shape.why}", shape.fix)


def _made_class(walk: "Walk", node: ast.Call, path: str) -> None:
    """Enum("Kind", names) and make_dataclass("Row", fields): the names must be written out."""
    if path in _ENUMS and len(node.args) < 2 and not node.keywords:
        return
    allowed = {"names", "start"} if path in _ENUMS else {"frozen", "order", "eq", "repr", "kw_only", "slots", "fields"}
    spec = node.args[1] if len(node.args) > 1 else next(
        (item.value for item in node.keywords if item.arg in ("names", "fields")), None)
    fields = tuple_fields(walk.names, spec)
    if fields is None and spec is not None:
        keys = visible_keys(walk, spec)
        fields = None if keys is None else sorted(keys)
    if fields is None or any(item.arg not in allowed for item in node.keywords) or any(
            name.startswith("_") or DUNDER.search(name) or name in walk.attributes for name in fields):
        walk.deny(node, "computed-class", f"{path.split('.')[-1]} is given names that are not written out, or more than "
                  "names.", _CLASS)


def _metaclass(walk: "Walk", node: ast.Call) -> None:
    """`type(x)("C", bases, members)` makes a class where x is one."""
    func = node.func
    if len(node.args) + len(node.keywords) < 2 and not any(isinstance(item, ast.Starred) for item in node.args):
        return
    for of in _whose_class(walk, func):
        if not walk.own_object(of) or _is_class(walk, of):
            walk.deny(node, "computed-class", "The type of something unknown is called with more than one argument, "
                      "which makes a class where it is the type of a class.", "Name the class that you mean.")


def _is_class(walk: "Walk", of: ast.expr) -> bool:
    return isinstance(of, ast.Name) and (of.id == "cls" or of.id in walk.names.classes
                                         or (of.id == "self" and walk.around is None))


def _unpacked(walk: "Walk", node: ast.Call, called: set[str]) -> None:
    """`f(**options)`: a refused flag among the keys, or keys that nobody can see where one would matter."""
    for item in node.keywords:
        if item.arg is not None:
            continue
        keys = visible_keys(walk, item.value)
        handed_on = isinstance(item.value, ast.Name) and item.value.id in walk.local_keywords
        if keys is None and called & _GUARDED and not handed_on:
            walk.deny(node, "hidden-flags", f"{sorted(called)[0]} is called with options that are not written out.",
                      "Write the options as keywords.")
        elif keys and keys & REFUSED_KEYWORDS and not (keys & {"module", "workers", "backend"} == keys & REFUSED_KEYWORDS
                                                       and not called & _GUARDED):
            walk.deny(node, "hidden-flags", f"The flag {sorted(keys & REFUSED_KEYWORDS)[0]} is passed in a dict.",
                      "Leave it out.")
