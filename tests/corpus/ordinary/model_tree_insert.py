class Tree:
    def __init__(self):
        self._root = None

    def insert(self, key):
        self._root = self._insert(self._root, key)

    def _insert(self, node, key):
        if node is None:
            return _Node(key)
        if key < node._key:
            node._left = self._insert(node._left, key)
        elif key > node._key:
            node._right = self._insert(node._right, key)
        return node

    def __iter__(self):
        stack, node = [], self._root
        while stack or node:
            while node:
                stack.append(node)
                node = node._left
            node = stack.pop()
            yield node._key
            node = node._right


class _Node:
    def __init__(self, key):
        self._key = key
        self._left = self._right = None


tree = Tree()
for key in [5, 2, 8, 1, 9, 3]:
    tree.insert(key)
print(list(tree))
