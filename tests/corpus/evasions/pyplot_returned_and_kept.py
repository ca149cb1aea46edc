import matplotlib.pyplot as plt


def chart():
    return plt


kept = chart()
print(kept.np)
