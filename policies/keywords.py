"""Keywords of calls that open a door, whatever is called: flags, folders by number, memory, worker processes."""

import ast
from typing import TYPE_CHECKING

from .doors import visible_keys
from .literals import DUNDER

if TYPE_CHECKING:
    from .tree import Walk

_BACKENDS = frozenset({"agg", "svg", "pdf", "ps", "cairo", "template", "matplotlib", "pyarrow", "numpy_nullable",
                       "threading"})
_WRITERS = frozenset({"info", "to_string", "to_html", "to_latex", "to_markdown"})
"""Methods of tables that write text to `buf`."""
_THREADED = ("scipy.fft", "scipy.spatial")
"""Where `workers` are threads."""


def imports(walk: "Walk", package: str) -> bool:
    """Whether the programs import something of a package."""
    return any(path.split(".")[0] == package for paths in walk.names.paths.values() for path in paths)


def check_keywords(walk: "Walk", node: ast.Call, paths: set[str]) -> None:
    """Judges the keywords of a call."""
    handed = node.args[:1] if any(path.startswith("functools.partial") for path in paths) else []
    called = paths.union(*(walk.names.resolve(item, walk.local) for item in handed))
    for item in node.keywords:
        value = item.value
        false = isinstance(value, ast.Constant) and value.value in (False, None)
        if item.arg == "allow_pickle" and not false:
            walk.deny(node, "unpickling", "allow_pickle runs code from a data file.", "Leave allow_pickle out.")
        elif item.arg == "shell" and not false:
            walk.deny(node, "starts-a-program", "shell=True starts a shell.", "Compute it in Python.")
        elif item.arg == "opener":
            walk.deny(node, "open-descriptor", "opener replaces how files are opened.", "Leave opener out.")
        elif item.arg == "uri" and not false:
            walk.deny(node, "sql-outside", "A database URI opens any file.",
                      "Connect to a file of the working folder by its name.")
        elif item.arg == "usetex" and not false:
            walk.deny(node, "setting-runs-code", "usetex runs LaTeX.", "Use mathtext: \"$x^2$\".")
        elif item.arg == "backend":
            texts = walk.names.strings_of(value)
            if not false and (texts is None or not {text.lower() for text in texts} <= _BACKENDS):
                walk.deny(node, "setting-runs-code", "A back end is a module that is imported by name.",
                          "Leave backend out.")
        elif item.arg in ("namespace", "fromfile_prefix_chars", "assigned", "updated") and not false:
            walk.deny(node, "door-by-data", f"{item.arg} takes names or attributes from data.", "Leave it out.")
        elif (item.arg in ("buffer", "buf", "strides") and "numpy.frombuffer" not in paths and imports(walk, "numpy")
              and not (item.arg == "buf" and getattr(node.func, "attr", "") in _WRITERS)):
            walk.deny(node, "raw-memory", f"{item.arg} lays an array over other memory.", "Use np.frombuffer.")
        elif item.arg in ("dir_fd", "src_dir_fd", "dst_dir_fd"):
            walk.deny(node, "open-descriptor", "A folder is given as a number.", "Name the folder.")
        elif item.arg == "stylesheet" and not false:
            walk.deny(node, "door-by-data", "A style sheet for XML is a program that opens files.", "Leave stylesheet out.")
        elif item.arg == "options" and "workers" in (visible_keys(walk, value) or ()):
            walk.deny(node, "starts-a-program", "workers starts processes.", "Leave workers out.")
        elif item.arg is not None and DUNDER.fullmatch(item.arg) and item.arg not in walk.dunders:
            walk.deny(node, "denied-dunder", f"Libraries look for {item.arg} to get at an object's memory or methods.",
                      "Use another name.")
        elif item.arg in ("readinto", "readinto1"):
            walk.deny(node, "raw-memory", f"{item.arg} is lent memory of the interpreter.", "Use another name.")
        elif item.arg == "refcheck":
            walk.deny(node, "raw-memory", "refcheck=False leaves arrays over memory that is gone.", "Leave refcheck out.")
        elif item.arg == "workers" and any(path.startswith("scipy.") and not path.startswith(_THREADED) for path in called) \
                and not (isinstance(value, ast.Constant) and value.value == 1):
            walk.deny(node, "starts-a-program", "workers starts processes.", "Leave workers out.")
