import matplotlib.pyplot as plt
plt.rcParams["".join(["text.", "usetex"])] = True
try:
    plt.title("x"); plt.savefig("a.png")
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:80])
