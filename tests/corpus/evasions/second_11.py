import matplotlib.pyplot as plt
plt.sys.modules
