import matplotlib.pyplot as plt
try:
    plt.rcParams["ps.usedistiller"] = "ghostscript"
    plt.plot([1, 2]); plt.savefig("a.eps")
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:80])
