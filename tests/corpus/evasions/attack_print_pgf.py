import matplotlib.pyplot as plt
plt.gcf().canvas.print_figure("x.png", format="pgf")
