import matplotlib.pyplot as plt
plt.Figure.savefig(plt.figure(), chr(47) + "etc" + chr(47) + "passwd")
