import matplotlib.pyplot as plt
plt.matplotlib.subprocess.run(["id"])
