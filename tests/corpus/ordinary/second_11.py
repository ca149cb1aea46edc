class Account:
    """A bank account."""
    interest = 0.02
    _registry = {}
    def __init__(self, owner, balance=0.0):
        self.owner, self._balance = owner, balance
        Account._registry[owner] = self
    @property
    def balance(self):
        return self._balance
    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError("negative")
        self._balance = value
    @classmethod
    def total(cls):
        return sum(a._balance for a in cls._registry.values())
    @staticmethod
    def _check(x):
        return x > 0
    def __len__(self):
        return int(self._balance)
    def __contains__(self, x):
        return x == self.owner
    def __call__(self):
        return self.balance
class Savings(Account):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.__rate = 0.05
    def grow(self):
        self.balance *= 1 + self.__rate
        return self
print(Savings("x", 10).grow()(), Account.total(), "x" in Account("x"))
