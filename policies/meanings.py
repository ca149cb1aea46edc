"""Text that acts: settings that name programs, SQL that opens files, documents that a library hands to an interpreter."""

import ast
import re
from typing import TYPE_CHECKING

from .literals import DUNDER, outside

if TYPE_CHECKING:
    from .tree import Walk

SETTING = re.compile(r"animation\.\w+_(?:path|args)|text\.(?:usetex|latex\.preamble)|pgf\.\w+|ps\.usedistiller"
                     r"|usetex|plotting\.backend|savefig\.directory|datapath")
"""Settings of matplotlib and pandas that name a program or a module to run."""
_POSTSCRIPT = re.compile(r"\s*%!PS")
_LOADS = re.compile(r"\bload_extension\s*\(|\bpragma\s+(?:\w+\.)?(?:temp|data)_store_directory\b", re.IGNORECASE)
_OPENS = re.compile(r"(?:^|;)\s*(?:attach\s+(?:database\b|['\"?:@$]|\w+\s+as\b)|vacuum\b[^;]*\binto\b)", re.IGNORECASE)
_STARTS = re.compile(r"[=+\-@][^\s|\"']+")
_WORD_END = re.compile(r"\W")
_SENDS = re.compile(r"\b(?:RTD|IMPORTHTML|IMPORTFEED|IMPORTRANGE)\(|\bIMAGE\(\s*\"[^\"]{0,200}\"\s*&", re.IGNORECASE)
_CELL = 8192
"""Longest text that is a cell, in characters: the longest formula of a spreadsheet."""
_PLAINLY = re.compile(r"(?:attach(?:\s+database)?|vacuum(?:\s+\w+)?\s+into)\s*(?:'([^']*)'|\"([^\"]*)\")", re.IGNORECASE)


def opens_outside(sql: str) -> bool:
    """Whether an SQL text opens a database that is not written out as a file of the working folder, or loads code."""
    if _LOADS.search(sql):
        return True
    opened = len(_OPENS.findall(sql))
    named = [one or other for one, other in _PLAINLY.findall(sql)]
    return opened > len(named) or (opened > 0 and any(outside(name) for name in named))


def active_formula(text: str) -> bool:
    """Whether a cell with this text starts a program by DDE (`=cmd|'/c …'!A1`), or sends cells away."""
    text = text.lstrip()
    if not text or text[0] not in "=+-@" or len(text) > _CELL:
        return False
    before, bar, after = text.partition("|")
    if bar and _STARTS.fullmatch(before.rstrip()) and _WORD_END.split(before.rstrip())[-1][:1].isalpha():
        topic = after.lstrip()
        if topic.startswith("'") and len(topic) > 1 and ("'!" in topic or topic.count("'") == 1):
            return True
        if text[0] == "=" and "!" in topic.partition("|")[0]:
            return True
    return text[0] == "=" and bool(_SENDS.search(text))


def check_joined(walk: "Walk", node: ast.BinOp | ast.JoinedStr, pieces: set[int]) -> None:
    """Judges a text that is put together from written-out ones; `pieces`: what belongs to one that was judged."""
    if isinstance(node, ast.BinOp) and id(node) not in pieces:
        for text in walk.names.strings_of(node) or ():
            _check_text(walk, node, text)
            if DUNDER.fullmatch(text) and text not in walk.dunders:
                walk.deny(node, "denied-dunder", f"{text}, put together here, names what leads into the interpreter.",
                          "Leave it out.")
    if isinstance(node, ast.BinOp):
        pieces |= {id(node.left), id(node.right)}


def check_constant(walk: "Walk", node: ast.Constant) -> None:
    """Judges a text for what a library does when it reads it."""
    text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
    if isinstance(text, str):
        _check_text(walk, node, text)
        if node.kind == "folded" and DUNDER.fullmatch(text) and text not in walk.dunders:
            walk.deny(node, "denied-dunder", f"{text}, put together here, names what leads into the interpreter.",
                      "Leave it out.")


def _check_text(walk: "Walk", node: ast.expr, text: str) -> None:
    if SETTING.fullmatch(text):
        walk.deny(node, "setting-runs-code", f"The setting {text} names a program or a module to run.", "Leave it alone.")
    if opens_outside(text):
        walk.deny(node, "sql-outside", "This SQL opens a file whose name is not written out or lies outside the working "
                  "folder, or loads native code.", "Write the relative file name into the text: ATTACH 'other.db' AS other.")
    if (text.lower() == "pgf" or text.lower().endswith(".pgf")) and _uses(walk, "matplotlib"):
        walk.deny(node, "starts-a-program", "A PGF file is rendered by LaTeX.", "Save as PNG, SVG or PDF.")
    if active_formula(text):
        walk.deny(node, "active-formula", "A cell with this formula starts a program or sends data away when the table is "
                  "opened.", "Write values, or formulas over cells: =SUM(A1:A3).")
    if _POSTSCRIPT.match(text) and _uses(walk, "PIL"):
        walk.deny(node, "starts-a-program", "PostScript is drawn by Ghostscript.", "Use PNG, SVG or PDF.")


def _uses(walk: "Walk", package: str) -> bool:
    return any(path.split(".")[0] == package for paths in walk.names.paths.values() for path in paths)
