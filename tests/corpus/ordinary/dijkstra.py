import heapq
def dijkstra(g, s):
    d = {s: 0}
    q = [(0, s)]
    while q:
        c, u = heapq.heappop(q)
        for v, w in g[u]:
            if c + w < d.get(v, float("inf")):
                d[v] = c + w
                heapq.heappush(q, (d[v], v))
    return d
print(dijkstra({"a": [("b", 1)], "b": []}, "a"))
