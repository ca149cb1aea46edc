import matplotlib.pyplot as plt
plt.rcParams.update({"animation.convert_path": "./x"})
