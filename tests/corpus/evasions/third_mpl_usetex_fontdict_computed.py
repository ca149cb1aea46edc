import matplotlib.pyplot as plt
style = {"use" + "tex": True}
plt.text(0, 0, "x", fontdict=style)
