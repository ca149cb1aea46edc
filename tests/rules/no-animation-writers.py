import matplotlib
import matplotlib.pyplot as plt
from PIL import Image

# ruleid: no-animation-writers
from matplotlib import animation

# ruleid: no-animation-writers
from matplotlib.animation import FuncAnimation

# ruleid: no-animation-writers
plt.rcParams["animation.ffmpeg_path"] = "./encoder"
# ruleid: no-animation-writers
plt.rc("animation", ffmpeg_path="./encoder")
# ruleid: no-animation-writers
matplotlib.rcParams.update({"animation.convert_path": "./x"})

# ok: no-animation-writers
plt.rc("font", size=12)
# ok: no-animation-writers
plt.rcParams["figure.dpi"] = 120
# ok: no-animation-writers
Image.new("RGB", (1, 1)).save("a.gif", save_all=True)
