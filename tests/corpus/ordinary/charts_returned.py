import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def chart(values):
    plt.figure()
    plt.plot(values)
    plt.title("Values")
    return plt


def sampled(count):
    samples = np.random.default_rng(1).normal(size=count)
    plt.hist(samples, bins=20)
    return samples, plt


if __name__ == "__main__":
    chart([1, 3, 2]).savefig("values.png")
    chart([3, 2, 1])
    sampled(100)
