import heapq
class Graph:
    def __init__(self):
        self._adj = {}
    def add(self, a, b, w):
        self._adj.setdefault(a, []).append((b, w))
        return self
    def __getitem__(self, k):
        return self._adj.get(k, [])
    def shortest(self, s, t):
        seen, q = set(), [(0, s, [s])]
        while q:
            d, u, path = heapq.heappop(q)
            if u == t:
                return d, path
            if u in seen:
                continue
            seen.add(u)
            for v, w in self[u]:
                heapq.heappush(q, (d + w, v, path + [v]))
print(Graph().add("a", "b", 1).add("b", "c", 2).shortest("a", "c"))
