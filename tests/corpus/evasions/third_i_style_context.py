import matplotlib.pyplot as plt
with plt.style.context("helper.x"):
    pass
