import matplotlib.pyplot as plt
plt.switch_backend("module://evil")
