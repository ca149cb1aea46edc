"""Imports, and dotted paths that begin at one: what the policy's list of modules allows, part by part."""

import ast
import sys
from typing import TYPE_CHECKING

from .literals import PACKAGE_OF
from .profile import Policy

if TYPE_CHECKING:
    from .tree import Walk

PUBLIC = frozenset({"logging.Formatter", "numpy.select", "scipy.signal", "scipy.io", "numpy.typing", "numpy.random"})
"""Public parts of libraries whose names are also those of modules that are refused."""
_NEIGHBOURS = frozenset({"datetime.time", "collections.abc", "concurrent.futures"})
"""Attributes of standard modules that are named like another standard module and are meant to be used."""
_HIDDEN = frozenset({"logging.config", "logging.handlers", "concurrent.futures.process", "json.tool", "sqlite3.dump",
                     "xml.sax", "xml.dom", "urllib.request", "http.client", "email.mime", "importlib.util"})
"""Submodules of the standard library that others may have loaded, so that they can be reached without an import."""
_STAR = frozenset({"math", "cmath", "statistics", "itertools", "collections", "datetime", "decimal", "fractions",
                   "random", "string", "heapq", "bisect", "typing"})
"""Modules whose `import *` brings nothing but what they document."""
BROUGHT = frozenset({"Formatter", "get_type_hints", "ForwardRef"})
"""What of it is refused."""
_LEAKED = frozenset({
    "np", "npt", "numpy", "pd", "pandas", "sp", "scipy", "mpl", "matplotlib", "pa", "PIL", "PILImage", "abc", "argparse",
    "ast", "base64", "binascii", "codecs", "contextlib", "dataclasses", "difflib", "fileinput", "functools", "futures",
    "gzip", "hashlib", "heapq", "importlib", "itertools", "json", "keyword", "locale", "logging", "operator", "pathlib",
    "platform", "pprint", "re", "secrets", "shlex", "stringprep", "struct", "tarfile", "tempfile", "textwrap", "threading",
    "token", "tokenize", "types", "typing", "unicodedata", "unittest", "urllib", "uuid", "warnings", "weakref", "zipfile",
    "zlib", "zoneinfo", "traceback", "atexit", "ctypes", "dis", "inspect", "builtins", "csv", "io",
})
"""Names under which libraries hold modules that they imported for themselves: a path through one is judged nowhere else."""
_OF_LIBRARIES = frozenset({"numpy.typing", "scipy.io", "pyarrow.types", "pyarrow.json", "pyarrow.csv", "matplotlib.typing",
                           "pandas.io", "pandas.api.types", "pandas.api.typing"})
"""Public parts that are called like such a module."""
_TESTERS = frozenset({"numpy", "scipy", "pandas", "matplotlib", "pyarrow"})
"""Libraries whose `test` runs test files, by options that are given as texts."""
BY_NAME = frozenset({"operator.attrgetter", "operator.methodcaller"})
_INSTEAD = {
    "os": "pathlib does the files of the working folder", "sys": "print the result and let the program end",
    "subprocess": "no other program can be started; compute it in Python",
    "socket": "there is no network; ask for the data as an input",
    "urllib": "there is no network; ask for the data as an input",
    "http": "there is no network; ask for the data as an input",
    "pickle": "write JSON, CSV or .npy", "shelve": "use sqlite3 or JSON",
    "multiprocessing": "use one process, or threads",
    "timeit": "take time.perf_counter() before and after",
    "shutil": "read and write files with pathlib", "importlib": "import what you need by name", "ctypes": "use numpy",
}


def check_import(walk: "Walk", node: ast.Import) -> None:
    for alias in node.names:
        _module(walk, alias, alias.name)
    _bound(walk, node)


def check_import_from(walk: "Walk", node: ast.ImportFrom) -> None:
    module = node.module or ""
    _bound(walk, node)
    if node.level:
        walk.deny(node, "import-not-allowed", "A program is one file: relative imports have nothing to refer to.",
                  "Put the code into the program.")
        return
    if module == "__future__":
        return
    before = len(walk.findings)
    _module(walk, node, module)
    if len(walk.findings) > before:
        return
    for alias in node.names:
        if alias.name == "*":
            if module not in _STAR:
                walk.deny(node, "import-star", f"from {module} import * brings names that nobody can see.",
                          f"Import {module} and write {module.split('.')[-1]}.name.")
            walk.star = True
        else:
            _leaf(walk, alias, module, alias.name)


def _bound(walk: "Walk", node: ast.Import | ast.ImportFrom) -> None:
    """An import may not bind a special name: in a class body that is a definition."""
    for alias in node.names:
        if alias.asname and alias.asname.startswith("__") and alias.asname.endswith("__"):
            walk.deny(alias, "denied-dunder", f"The name {alias.asname} leads into the interpreter.", "Use another name.")


def _module(walk: "Walk", node: ast.AST, module: str) -> None:
    """Judges the import of a dotted module."""
    policy = walk.policy
    parts = module.split(".")
    private = [part for part in parts if part.startswith("_") and module != "__future__"]
    if not private and (policy.allowing(module) is not None or module in policy.partial_modules):
        return
    top = parts[0]
    if policy.refusing(module):
        walk.deny(node, "denied-submodule", f"{module} is refused by {policy.source}.",
                  "Use the documented functions of the library's top level.")
        return
    listed = next((line for line in policy.lines.values() if line.startswith(f"{policy.source}:")), policy.source)
    package = PACKAGE_OF.get(top, top)
    known = f" (its package is {package})" if package != top else ""
    if top in sys.stdlib_module_names:
        message = f"The module {module} is not in the allowed imports of the policy {policy.name} ({listed})."
        fix = f"Do without {top}: {_INSTEAD.get(top, 'use the allowed libraries and relative paths')}."
    else:
        message = f"The library {module}{known} is not in the allowed imports of the policy {policy.name} ({listed})."
        fix = (f"Use an allowed library. An operator adds one with [add] imports = [\"{top}.*\"] in a profile that "
               f"extends {policy.name}, and {package} to the sandbox: fumehood sandbox build --requirements FILE.")
    walk.refused.add(top)
    walk.deny(node, "import-not-allowed", message, fix)


def _leaf(walk: "Walk", node: ast.AST, module: str, name: str) -> None:
    """Judges `from module import name`."""
    path = f"{module}.{name}"
    if path in BY_NAME or path in PUBLIC:
        return
    if name.startswith("_") and name not in walk.private and not (name in walk.dunders and name != "__class__"):
        walk.deny(node, "private-attribute", f"{name} is private to {module}.", "Import documented names.")
    elif name in walk.attributes:
        walk.deny(node, "denied-attribute",
                  f"{name} may not be imported from {module}: it leads out of what the policy allows.",
                  attribute_fix(name))
    elif name in walk.denied:
        walk.deny(node, "denied-name", f"{name} may not be imported from {module}.", "Do without it.")
    else:
        check_path(walk, node, path)


def check_path(walk: "Walk", node: ast.AST, path: str) -> None:
    """Judges a dotted path that begins at an import."""
    if path in walk.cleared or path.split(".")[0] in walk.refused:  # the import itself is refused, and says so
        return
    if path.endswith(".test") and path.split(".")[0] in _TESTERS:
        walk.deny(node, "starts-a-program", f"{path} runs test files.", "Check results with assert.")
        return
    module = _partial(walk.policy, path)
    if module is not None:
        used = path[len(module) + 1:]
        allowed = walk.policy.partial_imports[module]
        if not used and isinstance(node, ast.Attribute) and walk.is_permitted(node):
            return
        if not any(used == entry
                   or used.startswith(entry + ".") or entry.startswith(used + ".") for entry in allowed):
            walk.deny(node, "denied-module-part", f"{path} is not among what the policy allows of {module}.",
                      f"Allowed of {module}: {', '.join(allowed)}."
                      + (f" Or {_INSTEAD[module]}." if module in _INSTEAD else ""))
        return
    if path in PUBLIC:
        return
    leaked = _leaked(path)
    if leaked:
        walk.deny(node, "reexported-module", f"{leaked} is a module that {leaked.split('.')[0]} imported for itself.",
                  "Import what you need directly, if the policy allows it.")
        return
    covering = max((len(above) for above in _prefixes(path) if above in walk.policy.plain_imports), default=0)
    leads = path in walk.policy.leading_imports
    if not covering and not leads:
        walk.deny(node, "denied-submodule", f"{path} is not among the modules that the policy allows.",
                  "Use the documented functions of the allowed modules.")
        return
    refused = walk.policy.refusing(path)
    if refused and len(refused) >= covering and not (leads and isinstance(node, ast.Attribute) and walk.is_permitted(node)):
        walk.deny(node, "denied-submodule", f"{path} belongs to {refused}, which the policy refuses.",
                  "Use the documented functions of the library's top level.")
        return
    base, _, name = path.rpartition(".")
    top = base.split(".")[0]
    stranger = name in sys.stdlib_module_names and top in sys.stdlib_module_names and name != top
    hidden = next((part for part in _HIDDEN if f"{path}.".startswith(part + ".")), None)
    if hidden and walk.policy.allowing(hidden) is None:
        walk.deny(node, "denied-submodule", f"{hidden} is not among the modules that the policy allows.",
                  "Use the documented functions of the allowed modules.")
    elif (stranger and (base in (top, "os.path") or base in walk.policy.plain_imports) and path not in _NEIGHBOURS
          and walk.policy.allowing(path) is None):
        walk.deny(node, "reexported-module", f"{path} is the module {name} reached through {top}.",
                  f"Import {name} directly if the policy allows it.")
    elif name == "main" and top in sys.stdlib_module_names:
        walk.deny(node, "denied-attribute", f"{path} is a command line of its own.", "Call the module's functions.")
    elif not leads:
        walk.cleared.add(path)


def _prefixes(path: str) -> list[str]:
    """`a.b.c` → a, a.b, a.b.c."""
    parts = path.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts) + 1)]


def _leaked(path: str) -> str | None:
    """The first part of a dotted path that is another library's or the standard library's module; null for none."""
    parts = path.split(".")
    if parts[0] in sys.stdlib_module_names:
        return None
    for index in range(1, len(parts)):
        through = ".".join(parts[:index + 1])
        if parts[index] in _LEAKED and through not in _OF_LIBRARIES:
            return through
    return None


def _partial(policy: Policy, path: str) -> str | None:
    found = [above for above in _prefixes(path) if above in policy.partial_imports]
    return found[-1] if found else None


def attribute_fix(name: str) -> str:
    """The way out for a refused attribute."""
    if name in ("eval", "query"):
        return "Compute with columns and masks: df[\"c\"] = df[\"a\"] + df[\"b\"]."
    if name in ("home", "expanduser", "symlink_to", "hardlink_to"):
        return "Use a relative path in the working folder."
    return f"Use the documented functions of the allowed libraries; a column or key of this name is table[\"{name}\"]."


def part_of(policy: Policy, path: str) -> bool:
    """Whether a dotted path is a module of which parts are allowed, or one of those parts."""
    module = _partial(policy, path)
    if module is None:
        return any(entry.startswith(path + ".") for entry in policy.partial_imports)
    used = path[len(module) + 1:]
    return not used or any(f"{entry}.".startswith(used + ".") for entry in policy.partial_imports[module])
