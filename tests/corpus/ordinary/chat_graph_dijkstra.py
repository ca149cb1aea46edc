from __future__ import annotations
import csv
import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter, CycleError
from typing import Generic, TypeVar, Protocol, Self, overload, Literal, Final, ClassVar, Any

N = TypeVar("N", bound="Comparable")


class Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


class Graph(Generic[N]):
    directed: ClassVar[bool] = True

    def __init__(self) -> None:
        self._edges: dict[N, dict[N, float]] = defaultdict(dict)

    @classmethod
    def from_csv(cls, path: str) -> Self:
        g = cls()
        with open(path, newline="") as fh:
            for src, dst, w in csv.reader(fh):
                g.add(src, dst, float(w))
        return g

    def add(self, a: N, b: N, weight: float = 1.0) -> Self:
        self._edges[a][b] = weight
        self._edges.setdefault(b, {})
        return self

    def __getitem__(self, node: N) -> Mapping[N, float]:
        return self._edges[node]

    def __contains__(self, node: object) -> bool:
        return node in self._edges

    def shortest(self, start: N, goal: N) -> tuple[float, list[N]]:
        best, queue = {start: 0.0}, [(0.0, start, [start])]
        while queue:
            dist, node, path = heapq.heappop(queue)
            if node == goal:
                return dist, path
            for nxt, w in self[node].items():
                if (cand := dist + w) < best.get(nxt, float("inf")):
                    best[nxt] = cand
                    heapq.heappush(queue, (cand, nxt, path + [nxt]))
        raise LookupError(f"no path from {start} to {goal}")


g: Graph[str] = Graph.from_csv("roads.csv")
try:
    print(*g.shortest("A", "F"))
except (KeyError, LookupError) as err:
    print("no way:", err)
ts = TopologicalSorter({"report": {"clean"}, "clean": {"load"}})
try:
    print(list(ts.static_order()))
except CycleError as e:
    print(e.args[1])
