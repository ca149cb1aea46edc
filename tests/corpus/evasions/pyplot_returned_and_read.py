import matplotlib.pyplot as plt


def chart():
    return plt


print(chart().np.lib)
