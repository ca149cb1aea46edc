import statistics


def dir(thing):
    return thing


print(dir(statistics))
