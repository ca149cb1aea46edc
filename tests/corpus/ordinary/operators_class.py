class Money:
    __slots__ = ("cents",)
    def __init__(self, cents):
        self.cents = cents
    def __add__(self, o):
        return Money(self.cents + o.cents)
    __radd__ = __add__
    def __eq__(self, o):
        return self.cents == o.cents
    def __lt__(self, o):
        return self.cents < o.cents
    def __hash__(self):
        return hash(self.cents)
    def __bool__(self):
        return self.cents != 0
    def __iter__(self):
        yield self.cents
    def __format__(self, spec):
        return f"{self.cents / 100:{spec or '.2f'}}"
print(f"{Money(150) + Money(50)}", {Money(1)} == {Money(1)})
