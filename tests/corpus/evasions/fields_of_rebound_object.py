import json
from dataclasses import fields


def read(row):
    for part in fields(row):
        row = json.JSONEncoder
        print(getattr(row, part.name))
