import json


def fields(thing):
    return [open("name.txt")]


def read(thing):
    return [getattr(thing, part.name) for part in fields(thing)]


print(read(json.JSONEncoder()))
