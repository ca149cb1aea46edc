import matplotlib.pyplot as plt
f = [plt.setp]
f[0](plt.title("x"), "use" + "tex", True)
