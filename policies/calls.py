"""What calls do with their arguments: doors of the allowed libraries that run text, read attributes by name or unpickle.

Also references that are only harmless when called in one way: `np.load`, `df.query`, `"...".format`.
"""

import ast
import re
from typing import TYPE_CHECKING

from .classes import holds_own_values, names_own, sets_own_field
from .doors import check_doors, visible_keys
from .keywords import check_keywords, imports
from .literals import DUNDER
from .patterns import check_pattern_call
from .templates import check_format, check_kept, check_logging, formats_logs

if TYPE_CHECKING:
    from .tree import Walk

_BY_TEXT = frozenset({"apply", "agg", "aggregate", "transform"})
_METHODS_REFUSED = frozenset({"eval", "query", "pipe", "apply", "applymap", "map", "agg", "aggregate", "transform", "plot",
                              "hist", "boxplot", "style", "set_flags"})
_AGG_OPTIONS = frozenset({"axis", "raw", "result_type", "numeric_only", "min_count", "skipna", "ddof", "by_row",
                          "include_groups", "na_action", "convert_dtype", "meta"})
_SEEN_ONLY = frozenset({"show", "query", "format", "format_map", "load", "setp"})
_RC_GROUPS = frozenset({"font", "figure", "axes", "lines", "legend", "grid", "xtick", "ytick", "savefig", "patch",
                        "hist",
                        "boxplot", "scatter", "errorbar", "image", "date", "mathtext", "axes3d", "polaraxes", "hatch",
                        "contour", "markers", "path", "pcolor"})
_DRAWERS = frozenset({"scipy.stats.probplot", "scipy.stats.ppcc_plot", "scipy.stats.boxcox_normplot",
                      "scipy.stats.boxcox_llf", "scipy.stats.yeojohnson_normplot"})
"""Functions that draw on what they are given, and are given pyplot itself."""
_POINTS = frozenset({"k", "distance_upper_bound", "p", "eps"})
"""Keywords of a search for points, which no query of a table takes."""
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_\- ]+")
"""Without a dot, which would make a style's name that of a module to import."""
_BACKTICKS = re.compile(r"`[^`]*`")
_VARIABLE = re.compile(r"@([A-Za-z]\w*)\b(?!\s*[.(\[])")
"""A variable in a query's text, taken as it is. Its name is then judged like any other name of the program."""
_USE_VALUES = "Pass the value itself."
_MASK = "Use a mask: df[(df[\"a\"] > 1) & (df[\"b\"] == x)]."


def check_call(walk: "Walk", node: ast.Call | ast.Attribute) -> None:
    """Judges one call, or one attribute that is taken as a value. Findings go to the walk."""
    if isinstance(node, ast.Attribute):
        _reference(walk, node)
        return
    walk.permit(node.func)
    func = node.func
    if isinstance(func, ast.Name) and func.id not in walk.local:
        _builtin(walk, node, func.id)
    if sets_own_field(walk, node):
        walk.look(func)
    if walk.uses_by_name(func):
        _by_name(walk, node)
    name = func.attr if isinstance(func, ast.Attribute) else ""
    paths = walk.names.resolve(func, walk.local)
    if name == "query":
        _query(walk, node)
    if "numpy.load" in paths or (name == "load" and not paths and len(node.args) > 1):
        _load(walk, node)
    if name in _BY_TEXT:
        _methods(walk, node)
    _refuse_methods(walk, node, [item.value for item in node.keywords if item.arg == "aggfunc"])
    check_kept(walk, node, paths)
    if "matplotlib.use" in paths or name == "switch_backend" or (name == "use" and walk.names.rooted(func, walk.local)):
        _setting(walk, node)
    if name == "rc" and walk.names.rooted(func, walk.local):
        groups = walk.names.strings_of(node.args[0]) if node.args else None
        plain = {"text"} if all(item.arg for item in node.keywords) else set()  # where usetex, if any, is in sight
        if groups is None or not groups <= _RC_GROUPS | plain:
            walk.deny(node, "setting-runs-code", "rc changes a group of settings that can name programs to run.",
                      "Set fonts, lines, axes, figure or legend only, by a literal name.")
    if name == "basicConfig" or "logging.Formatter" in paths or (name == "__init__" and formats_logs(walk)):
        check_logging(walk, node)
    if name in ("rc_context", "context") and walk.names.rooted(func, walk.local):
        _context(walk, node)
    if name == "show" and not any(path.startswith("matplotlib.") for path in paths) and imports(walk, "PIL") \
            and not _figure(walk, func):
        walk.deny(node, "starts-a-program", "show starts a viewer for the image.", "Save it: image.save(\"out.png\").")
    if paths and paths <= _DRAWERS and walk.names.surely(func, walk.local):
        for item in [*node.args, *(one.value for one in node.keywords)]:
            if walk.names.resolve(item, walk.local) == {"matplotlib.pyplot"}:
                walk.permit(item)
    check_doors(walk, node)
    check_pattern_call(walk, node, paths)
    check_keywords(walk, node, paths)


def _reference(walk: "Walk", node: ast.Attribute) -> None:
    called = walk.is_permitted(node)
    if node.attr in ("format", "format_map"):
        check_format(walk, node)
    elif node.attr == "query" and not called and not _spatial(walk, node.value) and not _address(walk, node.value):
        walk.deny(node, "query-expression", "query is used as a value, so its expression cannot be seen.", _MASK)
    elif node.attr == "load" and not called and "numpy.load" in walk.names.resolve(node, walk.local) \
            and not walk.is_alias(node):
        walk.deny(node, "unpickling", "np.load is used as a value, so its flags cannot be seen.", "Call np.load(name).")


def _builtin(walk: "Walk", node: ast.Call, name: str) -> None:
    if name == "getattr" and not names_own(walk, node):
        found = walk.names.strings_of(node.args[1]) if len(node.args) > 1 else None
        if found is None or any(isinstance(item, ast.Starred) for item in node.args):
            walk.deny(node, "computed-getattr", "getattr with a name that is not written out can read anything.",
                      "Write obj.name; for a column row[name], as iterrows() and to_dict(\"records\") give it; for a "
                      "function choose from a dict: {\"mean\": np.mean}[kind].")
            return
        for text in sorted(found):
            walk.attribute(node, text, node.args[0])
            if text in _SEEN_ONLY:
                walk.deny(node, "computed-getattr", f"getattr hides what {text} is given.", f"Call .{text}(...) directly.")
        if isinstance(node.args[0], ast.Name):
            walk.permit(node.args[0])
    elif name in ("isinstance", "issubclass") and len(node.args) == 2:
        for part in ast.walk(node.args[1]):
            if isinstance(part, ast.Attribute) or (isinstance(part, ast.Name) and part.id not in walk.names.modules):
                walk.permit(part)
    elif name in ("hasattr", "dir") and node.args and isinstance(node.args[0], ast.Name) and name not in walk.names.bindings:
        walk.permit(node.args[0])
    elif name == "open" and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value,
                                                                                                int):
        walk.deny(node, "open-descriptor", "open with a number takes over a file that somebody else opened.",
                  "Open a file of the working folder by its name; print writes to stdout.")
    elif name == "vars" and len(node.args) == 1 and holds_own_values(walk, node.args[0]):
        walk.look(node.func)
    elif name == "type" and len(node.args) == 3:
        namespace = node.args[2]
        keys = namespace.keys if isinstance(namespace, ast.Dict) else [None]
        for key in keys:
            texts = walk.names.strings_of(key)
            if texts is None or any(DUNDER.search(text) for text in texts):
                walk.deny(node, "computed-class",
                          "type with three arguments makes a class whose methods cannot be seen.",
                          "Write a class statement or a dataclass.")
                break


def _by_name(walk: "Walk", node: ast.Call) -> None:
    for argument in node.args[:1] if _is_caller(node) else node.args:
        found = walk.names.strings_of(argument)
        if found is None:
            walk.deny(node, "attribute-by-name", "An attribute is chosen by a name that is not written out.",
                      "Use a lambda: lambda row: row.name.")
            return
        for text in found:
            for part in text.split("."):
                walk.attribute(node, part, None)
                if part in _METHODS_REFUSED:
                    walk.deny(node, "attribute-by-name", f"The method {part} may not be chosen by name.",
                              "Call it directly.")


def _is_caller(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name != "attrgetter"


def _spatial(walk: "Walk", base: ast.expr) -> bool:
    """Whether an object is a tree of scipy.spatial, which has a `query` too, for points."""
    made = [base] if isinstance(base, ast.Call) else walk.names.bindings.get(getattr(base, "id", ""), [])
    return bool(made) and all(isinstance(value, ast.Call) and any(
        path.startswith("scipy.spatial") for path in walk.names.resolve(value.func)) for value in made)


def _address(walk: "Walk", base: ast.expr) -> bool:
    """The parts of an address have a `query` too, which is a text."""
    made = [base] if isinstance(base, ast.Call) else walk.names.bindings.get(getattr(base, "id", ""), [])
    return bool(made) and all(isinstance(value, ast.Call) and walk.names.resolve(value.func) & {
        "urllib.parse.urlparse", "urllib.parse.urlsplit"} for value in made)


def _query(walk: "Walk", node: ast.Call) -> None:
    first = node.args[0] if node.args else next((item.value for item in node.keywords if item.arg == "expr"), None)
    own = "query" in walk.names.members and walk.own_object(getattr(node.func, "value", node.func))
    # A table takes one text; the rest of its arguments have names.
    own = own or (len(node.args) > 1 and not any(isinstance(item, ast.Starred) for item in node.args))
    if first is None or isinstance(first, (ast.List, ast.Tuple)) or own:
        return
    texts = walk.names.strings_of(first)
    if texts is None:
        points = any(item.arg in _POINTS for item in node.keywords)
        if not points and not (isinstance(node.func, ast.Attribute) and _spatial(walk, node.func.value)):
            walk.deny(node, "query-expression", "query evaluates text, and this text is not written out.", _MASK)
        return
    for text in sorted(texts):
        plain = _VARIABLE.sub(r" \1 ", _BACKTICKS.sub("column", text))
        imported = any(name in walk.names.paths and name not in walk.local for name in _VARIABLE.findall(text))
        # Backticks inside of a string would hide from the walk what stands between them.
        if "@" in plain or imported or ("@" in text and "`" in text) or DUNDER.search(text):
            walk.deny(node, "query-expression", "query with @ on more than the plain name of a variable calls functions "
                      "and reads attributes from text.", _MASK)
        elif not walk.expression(node, plain) and plain != text:
            walk.deny(node, "query-expression", "query with @ in a text that is no Python expression.", _MASK)


def _load(walk: "Walk", node: ast.Call) -> None:
    hidden = any(isinstance(item, ast.Starred) for item in node.args) or any(item.arg is None for item in node.keywords)
    if hidden or len(node.args) > 2:
        walk.deny(node, "unpickling", "load is called with flags that can switch unpickling on.",
                  "Call np.load(name): arrays of numbers and text need no pickles.")


def _methods(walk: "Walk", node: ast.Call) -> None:
    """`df.agg("mean")` calls a method by its name. More arguments go to that method, so then its name must be seen."""
    first = node.args[0] if node.args else next((item.value for item in node.keywords if item.arg in ("func", "arg")), None)
    _refuse_methods(walk, node, [*node.args[:1], *(item.value for item in node.keywords)])
    axis = len(node.args) == 2 and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, int)
    more = len(node.args) > 2 or (len(node.args) == 2 and not axis) or any(
        item.arg not in _AGG_OPTIONS | {"func", "arg"} for item in node.keywords)
    if first is not None and more and not _seen_function(walk, first):
        walk.deny(node, "method-by-name", "A method is chosen by text put together at run time, and is given arguments.",
                  _USE_VALUES)


def _refuse_methods(walk: "Walk", node: ast.Call, arguments: list[ast.expr]) -> None:
    for argument in arguments:
        for text in _names_in(walk, argument):
            if text in _METHODS_REFUSED or text.startswith(("to_", "read_")) or (
                    DUNDER.search(text) and " " not in text) or text in walk.attributes:
                walk.deny(node, "method-by-name", f"The method {text} is called by its name in a string.", _USE_VALUES)


def _names_in(walk: "Walk", argument: ast.expr) -> list[str]:
    """Texts in what names functions: a text, a name that holds one, the same in a list, dict, pair or pd.NamedAgg."""
    found: list[str] = []
    stack: list[ast.AST] = [argument]
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Constant, ast.Name, ast.BinOp, ast.JoinedStr)):
            found += walk.names.strings_of(part) or ()
        elif isinstance(part, ast.Dict):
            stack += part.values
        elif isinstance(part, ast.Call):
            named = walk.names.resolve(part.func, walk.local) & {"pandas.NamedAgg"}
            stack += [*part.args[1:], *(item.value for item in part.keywords if item.arg != "column")] if named else []
        elif isinstance(part, (ast.List, ast.Tuple, ast.Set, ast.IfExp)):
            stack += list(ast.iter_child_nodes(part))
    return found


def _seen_function(walk: "Walk", first: ast.expr) -> bool:
    """Whether what is applied is a function for certain, or a method whose name is written out."""
    if isinstance(first, (ast.Lambda, ast.Attribute, ast.List, ast.Dict)) or walk.names.strings_of(first) is not None:
        return True
    if isinstance(first, ast.Call):
        return bool(walk.names.resolve(first.func, walk.local))
    if not isinstance(first, ast.Name):
        return False
    bound = walk.names.bindings.get(first.id)
    if bound is None or first.id in walk.names.paths:
        return True
    values = [value for value in bound if value is not None]  # a function, also one of a class, has no value
    seen = all(isinstance(value, (ast.Lambda, ast.Attribute)) for value in values)
    return seen and (first.id in walk.names.functions or len(values) == len(bound))


def _setting(walk: "Walk", node: ast.Call) -> None:
    for argument in node.args[:1]:
        items = argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]
        for item in items:
            texts = walk.names.strings_of(item)
            if texts is None and visible_keys(walk, item) is None:
                walk.deny(node, "setting-runs-code", "A back end or style is chosen by text that is not written out.",
                          "Write its name: matplotlib.use(\"Agg\").")
            elif texts and not all(_PLAIN_WORD.fullmatch(text) for text in texts):
                walk.deny(node, "setting-runs-code", "A back end or style is loaded from a module or an address.",
                          "Use one by its plain name: \"Agg\", \"ggplot\".")


def _context(walk: "Walk", node: ast.Call) -> None:
    """Settings for a while."""
    for item in [*node.args, *(one.value for one in node.keywords)]:
        parts = item.elts if isinstance(item, ast.List) else [item]
        named = [text for one in parts for text in walk.names.strings_of(one) or ()]
        if not all(_PLAIN_WORD.fullmatch(text) for text in named):
            walk.deny(node, "setting-runs-code", "A style is loaded from a module or a file.", "Use one by its plain name.")
        if visible_keys(walk, item) is None and walk.names.strings_of(item) is None and not isinstance(item, ast.Constant) \
                and not (isinstance(item, ast.List) and all(walk.names.strings_of(one) for one in item.elts)):
            walk.deny(node, "setting-runs-code", "Settings are taken from a dict that is not written out.",
                      "Write them: plt.rc_context({\"font.size\": 9}).")


def _figure(walk: "Walk", func: ast.expr) -> bool:
    """Whether `x.show` is a figure's, by what x is bound to."""
    base = func.value if isinstance(func, ast.Attribute) else func
    return isinstance(base, ast.Name) and any(
        isinstance(target, ast.Call) and any(path.startswith("matplotlib.") for path in walk.names.resolve(target.func))
        for target in walk.names.bindings.get(base.id, ()))
