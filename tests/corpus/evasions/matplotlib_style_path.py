import matplotlib.pyplot as plt
plt.style.use("../evil.mplstyle")
