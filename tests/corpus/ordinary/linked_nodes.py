class Node:
    def __init__(self, value, nxt=None):
        self._value, self._next = value, nxt
node = Node(1, Node(2))
while node:
    print(node._value)
    node = node._next
