class Account:
    rate = 0.01

    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.__log = []

    @property
    def balance(self):
        return round(self._balance, 2)

    def transfer(self, other, amount):
        if amount > self._balance:
            raise ValueError("not enough")
        self._balance -= amount
        other._balance += amount
        self.__log.append(("out", amount))
        return self

    def __add__(self, other):
        return type(self)(f"{self.owner}+{other.owner}", self._balance + other._balance)

    def __lt__(self, other):
        return self._balance < other._balance


class Savings(Account):
    def add_interest(self):
        self._balance *= 1 + self.rate


a, b = Savings("ann", 100), Account("bob", 50)
a.transfer(b, 20).add_interest()
print((a + b).balance, max(a, b).owner, sorted([a, b])[0].owner)
