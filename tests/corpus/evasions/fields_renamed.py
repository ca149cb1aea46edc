from dataclasses import dataclass, fields


@dataclass
class Row:
    a: int = 0


def read(row):
    for part in fields(row):
        part.name = open("name.txt").read()
        print(getattr(row, part.name))


read(Row())
