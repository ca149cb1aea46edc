import matplotlib.pyplot as plt

# ruleid: no-latex
plt.rcParams["text.usetex"] = True
# ruleid: no-latex
plt.rc("text", usetex=True)
# ruleid: no-latex
plt.rcParams.update({"text.latex.preamble": "x"})
# ruleid: no-latex
from matplotlib.texmanager import TexManager

# ok: no-latex
plt.title("$x^2$")
# ok: no-latex
plt.rc("text", usetex=False)
# ok: no-latex
plt.text(0, 0, "text.usetex is off")
