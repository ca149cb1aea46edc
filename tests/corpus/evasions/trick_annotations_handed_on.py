def add(notes):
    notes["x=print(1)"] = int
class Row:
    a: int = 0
add(Row.__annotations__)
