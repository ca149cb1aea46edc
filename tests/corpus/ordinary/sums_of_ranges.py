class SumTree:
    """Sums of ranges, with updates."""

    def __init__(self, values):
        self.size = len(values)
        self.sums = [0] * (self.size + 1)
        for index, value in enumerate(values):
            self.add(index, value)

    def add(self, index, value):
        index += 1
        while index <= self.size:
            self.sums[index] += value
            index += index & -index

    def query(self, index):
        total = 0
        while index > 0:
            total += self.sums[index]
            index -= index & -index
        return total

    def between(self, low, high):
        return self.query(high) - self.query(low - 1 + 1)


class Steps:
    def __init__(self, levels):
        self.levels = levels

    def query(self, low, high):
        return max(self.levels[low:high])


def highest(steps, low, high):
    return steps.query(low, high), steps.query(low + 1, high)


tree = SumTree([3, 1, 4, 1, 5])
position = 3
print(tree.query(position), tree.query(position + 1), tree.between(1, 4), highest(Steps([3, 1, 4]), 0, 3))
