import matplotlib.pyplot as plt
plt.title("x", fontdict={"usetex": True})
