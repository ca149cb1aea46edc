class Countdown:
    def __init__(self, start):
        self.current = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.current <= 0:
            raise StopIteration
        self.current -= 1
        return self.current + 1


class Table:
    def __init__(self, **columns):
        self._columns = columns

    def __iter__(self):
        keys = list(self._columns)
        for values in zip(*self._columns.values()):
            yield dict(zip(keys, values))

    def __reversed__(self):
        return reversed(list(self))


print(list(Countdown(3)), *Table(a=[1, 2], b=["x", "y"]), next(reversed(Table(a=[1, 2]))))
