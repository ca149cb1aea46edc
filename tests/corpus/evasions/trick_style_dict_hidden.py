import matplotlib.pyplot as plt
plt.style.use(dict([("text.usetex", True)]))
