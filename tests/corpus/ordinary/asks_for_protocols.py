def flatten(value):
    if hasattr(value, "__iter__") and not isinstance(value, str):
        for part in value:
            yield from flatten(part)
    else:
        yield value


def smallest(items):
    return min(items) if all(hasattr(item, "__lt__") for item in items) else None


print(list(flatten([1, [2, (3, 4)]])), smallest([3, 1]), hasattr(len, "__call__"), hasattr({}, "__getitem__"))
