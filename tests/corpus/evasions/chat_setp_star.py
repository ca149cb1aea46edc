import matplotlib.pyplot as plt
plt.setp(*[plt.title("x"), "usetex", True])
