class Range:
    __match_args__ = ("low", "high")
    def __init__(self, low, high): self.low, self.high = low, high
match Range(1, 2):
    case Range(a, b): print(a, b)
