"""The graph is wired as its routes and the README say."""

import re
from pathlib import Path
from typing import get_args, get_type_hints

from fumehood.graph import routes
from fumehood.graph.build import build_graph

ROOT = Path(__file__).parents[2]


def answers(route: object) -> set[str]:
    """Every answer that a route's return type names."""
    found: set[str] = set()

    def walk(hint: object) -> None:
        for item in get_args(hint):
            found.add(item) if isinstance(item, str) else walk(item)

    walk(get_type_hints(route)["return"])
    return found


def test_every_answer_of_a_route_leads_somewhere_and_no_edge_is_dead() -> None:
    for source, branches in build_graph().branches.items():
        for name, branch in branches.items():
            assert set(branch.ends or {}) == answers(getattr(routes, name)), source


def drawn() -> set[tuple[str, str]]:
    """The diagram's edges as LangGraph draws them; labels are left out, since it draws one per pair of nodes."""
    graph = build_graph().compile().get_graph()
    rename = {"__start__": "START", "__end__": "END"}
    return {(rename.get(edge.source, edge.source), rename.get(edge.target, edge.target)) for edge in graph.edges}


def test_the_readme_shows_this_graph() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("```mermaid")[1].split("```")[0]
    shown = set()
    labels: dict[tuple[str, str], set[str]] = {}
    for line in text.splitlines()[2:]:
        match = re.fullmatch(r"\s+(\w+) (?:-- \"?([\w, ]+?)\"? )?--> (\w+)", line)
        if match:
            edge = (match[1], match[3])
            shown.add(edge)
            labels.setdefault(edge, set()).update(filter(None, (match[2] or "").split(", ")))
    assert shown == drawn()
    for source, branches in build_graph().branches.items():
        for branch in branches.values():
            for answer, target in (branch.ends or {}).items():
                edge = (source.replace("__start__", "START"), target)
                assert answer in labels[edge], edge
