from collections import deque
def bfs(graph, start):
    seen, queue = {start}, deque([start])
    while queue:
        node = queue.popleft()
        for other in graph.get(node, []):
            if other not in seen:
                seen.add(other); queue.append(other)
    return seen
print(sorted(bfs({"a": ["b"], "b": ["c"]}, "a")))
