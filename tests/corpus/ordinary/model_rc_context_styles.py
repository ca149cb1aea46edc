import matplotlib.pyplot as plt
import numpy as np

STYLE = {"lines.linewidth": 2, "axes.spines.top": False}
with plt.rc_context(STYLE):
    with plt.style.context("ggplot"):
        x = np.linspace(0, 10, 50)
        plt.plot(x, np.sin(x), label="sin")
        plt.legend()
        plt.savefig("sine.svg")
for fmt in ["png", "pdf"]:
    plt.savefig(f"sine.{fmt}", format=fmt)
