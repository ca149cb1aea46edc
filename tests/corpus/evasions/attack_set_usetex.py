import matplotlib.pyplot as plt
plt.title("x").set_usetex(True)
