"""Text that acts: settings that name programs, SQL that opens files, documents that a library hands to an interpreter."""

import ast
import re
from typing import TYPE_CHECKING

from .literals import outside

if TYPE_CHECKING:
    from .tree import Walk

SETTING = re.compile(r"animation\.\w+_(?:path|args)|text\.(?:usetex|latex\.preamble)|pgf\.\w+|ps\.usedistiller"
                     r"|usetex|plotting\.backend|savefig\.directory|datapath")
"""Settings of matplotlib and pandas that name a program or a module to run."""
_POSTSCRIPT = re.compile(r"\s*%!PS")
_LOADS = re.compile(r"\bload_extension\s*\(", re.IGNORECASE)
_OPENS = re.compile(r"(?:^|;)\s*(?:attach\s+(?:database\b|['\"?:@$]|\w+\s+as\b)|vacuum\b[^;]*\binto\b)", re.IGNORECASE)
_PLAINLY = re.compile(r"(?:attach(?:\s+database)?|vacuum(?:\s+\w+)?\s+into)\s*(?:'([^']*)'|\"([^\"]*)\")", re.IGNORECASE)


def opens_outside(sql: str) -> bool:
    """Whether an SQL text opens a database that is not written out as a file of the working folder, or loads code."""
    if _LOADS.search(sql):
        return True
    opened = len(_OPENS.findall(sql))
    named = [one or other for one, other in _PLAINLY.findall(sql)]
    return opened > len(named) or (opened > 0 and any(outside(name) for name in named))


def check_constant(walk: "Walk", node: ast.Constant) -> None:
    """Judges a text for what a library does when it reads it."""
    text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
    if not isinstance(text, str):
        return
    if SETTING.fullmatch(text):
        walk.deny(node, "setting-runs-code", f"The setting {text} names a program or a module to run.", "Leave it alone.")
    if opens_outside(text):
        walk.deny(node, "sql-outside", "This SQL opens a file whose name is not written out or lies outside the working "
                  "folder, or loads native code.", "Write the relative file name into the text: ATTACH 'other.db' AS other.")
    if (text.lower() == "pgf" or text.lower().endswith(".pgf")) and _uses(walk, "matplotlib"):
        walk.deny(node, "starts-a-program", "A PGF file is rendered by LaTeX.", "Save as PNG, SVG or PDF.")
    if _POSTSCRIPT.match(text) and _uses(walk, "PIL"):
        walk.deny(node, "starts-a-program", "PostScript is drawn by Ghostscript.", "Use PNG, SVG or PDF.")


def _uses(walk: "Walk", package: str) -> bool:
    return any(path.split(".")[0] == package for paths in walk.names.paths.values() for path in paths)
