import matplotlib.pyplot as plt
plt.gcf().canvas.print_pgf("x")
