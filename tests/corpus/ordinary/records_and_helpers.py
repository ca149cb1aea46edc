import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def curve(axes, x, y, options):
    return axes.plot(x, y, **options)


def bars(axes, values, **given):
    options = {"bins": 10, **given}
    axes.hist(values, **options)


table = np.zeros(3, dtype=[("day", int), ("value", float)])
records = table.view(np.recarray)
records.value = [1.5, 2.5, 0.5]
fig, (left, right) = plt.subplots(1, 2)
curve(left, records.day, records.value, {"marker": "x"})
bars(right, records.value, color="tab:blue")
fig.savefig("records.png")
print(type(records.view(np.ndarray)).__name__, records.value.mean())
