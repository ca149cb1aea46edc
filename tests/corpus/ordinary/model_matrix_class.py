class Matrix:
    __slots__ = ("_rows",)

    def __init__(self, rows):
        self._rows = [list(row) for row in rows]

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other._rows)] for row in self._rows])

    def __eq__(self, other):
        return isinstance(other, Matrix) and self._rows == other._rows

    __hash__ = None

    def __repr__(self):
        return f"{self.__class__.__name__}({self._rows!r})"


print(Matrix([[1, 2], [3, 4]]) @ Matrix([[1, 0], [0, 1]]))
