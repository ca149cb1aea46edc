import json


def inner(self):
    return self.__dict__


print(inner(json.JSONEncoder))
