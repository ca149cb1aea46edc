import matplotlib.pyplot as plt

kept = []


def keep(function):
    kept.append(function())
    return function


@keep
def chart():
    return plt


print(kept[0].np)
