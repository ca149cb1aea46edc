from decimal import ROUND_HALF_UP, Decimal, getcontext, localcontext
from fractions import Fraction
from functools import total_ordering


@total_ordering
class Money:
    def __init__(self, amount, currency="EUR"):
        self._amount = Decimal(str(amount)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        self._currency = currency

    def __add__(self, other):
        if self._currency != other._currency:
            raise ValueError("currencies differ")
        return Money(self._amount + other._amount, self._currency)

    __radd__ = __add__

    def __eq__(self, other):
        return (self._amount, self._currency) == (other._amount, other._currency)

    def __lt__(self, other):
        return self._amount < other._amount

    def __str__(self):
        return f"{self._amount:,} {self._currency}"


print(Money(1.005) + Money(2), max(Money(1), Money(3)), Fraction(1, 3) + Fraction(1, 6), getcontext().prec)
with localcontext() as context:
    context.prec = 5
    print(Decimal(1) / Decimal(7))
