import matplotlib.pyplot as plt
plt.matplotlib.cbook
