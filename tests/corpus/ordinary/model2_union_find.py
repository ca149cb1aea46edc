class UnionFind:
    def __init__(self, n):
        self._parent = list(range(n))
        self._rank = [0] * n

    def find(self, x):
        while self._parent[x] != x:
            self._parent[x] = self._parent[self._parent[x]]
            x = self._parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._rank[a] < self._rank[b]:
            a, b = b, a
        self._parent[b] = a
        self._rank[a] += self._rank[a] == self._rank[b]
        return True


edges = sorted([(4, 0, 1), (1, 1, 2), (3, 0, 2), (7, 2, 3)])
uf = UnionFind(4)
print(sum(w for w, a, b in edges if uf.union(a, b)))
