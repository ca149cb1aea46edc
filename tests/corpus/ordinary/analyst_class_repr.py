class Money:
    def __init__(self, amount, currency="EUR"):
        self._amount = amount
        self.currency = currency
    @property
    def amount(self):
        return self._amount
    def __add__(self, other):
        return Money(self._amount + other._amount, self.currency)
    def __repr__(self):
        return f"{type(self).__name__}({self._amount!r})"
    def __lt__(self, other):
        return self._amount < other._amount
print(sorted([Money(3), Money(1)])[0], Money(1) + Money(2))
