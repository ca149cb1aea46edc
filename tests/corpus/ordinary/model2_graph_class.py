import heapq
from collections import defaultdict


class Graph:
    def __init__(self):
        self._edges = defaultdict(dict)

    def connect(self, a, b, cost=1):
        self._edges[a][b] = cost
        self._edges[b][a] = cost
        return self

    def shortest(self, start, end):
        queue, seen = [(0, start, [start])], set()
        while queue:
            cost, node, path = heapq.heappop(queue)
            if node == end:
                return cost, path
            if node in seen:
                continue
            seen.add(node)
            for other, step in self._edges[node].items():
                heapq.heappush(queue, (cost + step, other, [*path, other]))
        return float("inf"), []


graph = Graph().connect("a", "b", 2).connect("b", "c").connect("a", "c", 5)
print(graph.shortest("a", "c"), graph._edges["a"])
