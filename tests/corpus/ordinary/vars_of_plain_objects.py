import argparse
from types import SimpleNamespace


class Row:
    def __init__(self, a, b):
        self.a, self.b = a, b


row = Row(1, 2)
settings = SimpleNamespace(low=1, high=2)
parser = argparse.ArgumentParser()
parser.add_argument("--top", type=int, default=3)
args = parser.parse_args([])
print(vars(row), vars(settings)["low"], vars(args))
