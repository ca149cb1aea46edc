import matplotlib.pyplot as plt
d = {}
d["text." + str("usetex")] = True
with plt.rc_context(d):
    plt.savefig("a.png")
