import typing

# ruleid: no-annotation-eval
from typing import ForwardRef


class Row:
    # ruleid: no-annotation-eval
    price: "print('x')"
    # ruleid: no-annotation-eval
    amount: "float(1)" = 1.0
    # ok: no-annotation-eval
    parent: "Row | None" = None
    # ok: no-annotation-eval
    names: list[str] = []


# ruleid: no-annotation-eval
hints = typing.get_type_hints(Row)
# ruleid: no-annotation-eval
lookup = typing.get_type_hints


# ruleid: no-annotation-eval
def area(width: "print(1)") -> float:
    return width


# ruleid: no-annotation-eval
def volume(width) -> "print(1)":
    return width


# ok: no-annotation-eval
def price(row: "Row") -> "float":
    return 1.0
# ruleid: no-annotation-eval
def rows(values: list["print(1)"]):
    return values
