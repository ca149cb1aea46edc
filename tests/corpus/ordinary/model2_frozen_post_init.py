from dataclasses import dataclass, field


@dataclass(frozen=True)
class Order:
    price: float
    quantity: int
    total: float = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "total", self.price * self.quantity)


print(Order(2.5, 4).total)
