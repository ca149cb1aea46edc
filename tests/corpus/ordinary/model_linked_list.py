class Node:
    def __init__(self, value, next=None):
        self.value = value
        self._next = next

    def __iter__(self):
        node = self
        while node is not None:
            yield node.value
            node = node._next


class LinkedList:
    def __init__(self):
        self._head = None
        self._size = 0

    def push(self, value):
        self._head = Node(value, self._head)
        self._size += 1

    def merge(self, other):
        for value in other._head or []:
            self.push(value)
        return self

    def __len__(self):
        return self._size


a, b = LinkedList(), LinkedList()
for n in range(3):
    a.push(n)
    b.push(n * 10)
print(list(a.merge(b)._head), len(a))
