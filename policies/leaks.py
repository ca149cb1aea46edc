"""Findings about paths: literals and computed texts that lead out of the working folder, descriptors, databases."""

import ast
from collections.abc import Sequence

from .computed import Computed, find_computed
from .flow import Leak, find_leaks, read_flows
from .verdict import Finding, finding_at
from .visiting import every

_INSIDE = "Use the name of an input or output, relative to the working folder."


def check_paths(tree: ast.Module, before: Sequence[ast.Module] = ()) -> list[Finding]:
    """Denials for what a program opens, with the flows of the programs before it in the session."""
    own = {id(node) for node in every(tree)} if before else None
    tables = read_flows([*before, tree])
    findings = []
    for leak in find_leaks(tables):
        place = leak.literal if own is None or id(leak.literal) in own else leak.place
        if own is None or id(place) in own:
            findings.append(_leak(leak, place))
    findings += [_computed(computed) for computed in find_computed(tables)
                 if own is None or id(computed.place) in own]
    return findings


def _leak(leak: Leak, place: ast.AST) -> Finding:
    if leak.address:
        return finding_at(place, "network-address", f"The address {leak.text[:80]!r} is opened; there is no network.",
                          "Ask for the data as an input file.")
    return finding_at(place, "path-outside", f"The path {leak.text[:80]!r} leaves the working folder.", _INSIDE)


def _computed(computed: Computed) -> Finding:
    if computed.kind == "sql":
        return finding_at(computed.place, "sql-outside", "This SQL is spelled by code, or opens another database.",
                          'Write the statement out, and give values as parameters: execute("… a = ?", (x,)).')
    if computed.kind == "descriptor":
        return finding_at(computed.place, "open-descriptor",
                          "open with a number takes over a file that somebody else opened.",
                          "Open a file of the working folder by its name; print writes to stdout.")
    if computed.text is None:
        return finding_at(computed.place, "computed-path",
                          "This path is spelled by code, so nobody can see that it stays in the working folder.",
                          'Write the name as a text, or with an f-string: f"out/{region}.csv".')
    return finding_at(computed.place, "path-outside",
                      f"The path put together here, {computed.text[:80]!r}, leaves the working folder.", _INSIDE)
