from dataclasses import dataclass
from string import Template
@dataclass
class Account:
    owner: str
    _balance: float = 0.0
    def balance(self): return self._balance
    def label(self, width=10): return "{:>{w}}: {:.2f}".format(self.owner, self._balance, w=width)
    def deposit(self, amount):
        if amount <= 0: raise ValueError("amount")
        self._balance += amount
        return self
accounts = [Account("a").deposit(5), Account("b").deposit(3)]
print(sorted(accounts, key=Account.balance, reverse=True), list(map(Account.label, accounts)), max(accounts, key=Account.balance).owner)
