import matplotlib.pyplot as plt
plt.style.use("x.mplstyle")
