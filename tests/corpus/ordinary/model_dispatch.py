from functools import singledispatch, singledispatchmethod
from datetime import date


@singledispatch
def show(value):
    return str(value)


@show.register
def _(value: float):
    return f"{value:.2f}"


@show.register(list)
def _(value):
    return ", ".join(show(item) for item in value)


@show.register
def _(value: date | None):
    return value.isoformat() if value else "-"


class Printer:
    @singledispatchmethod
    def put(self, value):
        return repr(value)

    @put.register
    def _(self, value: int):
        return f"{value:,}"


print(show([1.5, 2, date(2024, 1, 2)]), Printer().put(12345))
