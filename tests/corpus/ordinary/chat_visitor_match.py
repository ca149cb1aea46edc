from dataclasses import dataclass
import json
import operator as op
import math

type_names = {"n": "number"}


@dataclass(frozen=True)
class Num:
    value: float


@dataclass(frozen=True)
class BinOp:
    left: object
    symbol: str
    right: object


OPS = {"+": op.add, "-": op.sub, "*": op.mul, "/": op.truediv, "^": op.pow}
PREC = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


def tokenize(text):
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit() or c == ".":
            j = i
            while j < len(text) and (text[j].isdigit() or text[j] == "."):
                j += 1
            yield float(text[i:j])
            i = j
        else:
            yield c
            i += 1


def parse(tokens, min_prec=0):
    tok = next(tokens)
    left = Num(tok) if isinstance(tok, float) else parse_group(tokens)
    while (nxt := tokens.peek()) in PREC and PREC[nxt] >= min_prec:
        next(tokens)
        left = BinOp(left, nxt, parse(tokens, PREC[nxt] + 1))
    return left


def parse_group(tokens):
    inner = parse(tokens)
    next(tokens)
    return inner


class Peekable:
    def __init__(self, it):
        self._items = list(it)
        self._pos = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self._pos >= len(self._items):
            raise StopIteration
        self._pos += 1
        return self._items[self._pos - 1]

    def peek(self):
        return self._items[self._pos] if self._pos < len(self._items) else None


def evaluate(node):
    match node:
        case Num(value):
            return value
        case BinOp(left, "/", right) if evaluate(right) == 0:
            return math.inf
        case BinOp(left=l, symbol=s, right=r):
            return OPS[s](evaluate(l), evaluate(r))
        case _:
            raise TypeError(f"unexpected node {node!r}")


for formula in ["1 + 2 * 3", "(1+2)*3", "2^3^0.5 / 0"]:
    print(formula, "=", evaluate(parse(Peekable(tokenize(formula)))))
