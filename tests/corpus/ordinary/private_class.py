class Stack:
    def __init__(self):
        self._items = []
        self.__count = 0
    def push(self, x):
        self._items.append(x)
        self.__count += 1
        return self
    def _peek(self):
        return self._items[-1]
    @property
    def top(self):
        return self._peek()
    def merge(self, other):
        self._items.extend(other._items)
        return self
print(Stack().push(3).top)
