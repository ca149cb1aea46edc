import matplotlib.pyplot as plt
for part in ("usetex",):
    plt.rcParams["text." + part] = True
