import matplotlib.pyplot as plt
plt.rcParams["text.usetex"] = True
