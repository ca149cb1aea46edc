import matplotlib.pyplot as plt
plt.plot([1, 2])
try:
    plt.savefig("chart.pgf")
except Exception as error:
    print("REACHED latex:", type(error).__name__, str(error)[:80])
