import matplotlib.pyplot as plt
plt.style.use("helper.style")
