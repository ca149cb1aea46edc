class Positive:
    def __init__(self, name):
        self.name = "_" + name

    def check(self, value):
        if value <= 0:
            raise ValueError(f"{self.name} must be positive")
        return value


class Product:
    _price = Positive("price")

    def __init__(self, price):
        self.price = Product._price.check(price)


try:
    Product(-1)
except ValueError as error:
    print(error, repr(error), error.args[0])
print(Product(3).price)
