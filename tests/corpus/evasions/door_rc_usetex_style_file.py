import matplotlib.pyplot as plt
from pathlib import Path
Path("mine.mplstyle").write_text("text.use" + "tex: True\n")
plt.style.use("mine.mplstyle") if False else plt.style.use("./mine.mplstyle".lstrip("./"))
try:
    plt.title("x"); plt.savefig("a.png")
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:80])
