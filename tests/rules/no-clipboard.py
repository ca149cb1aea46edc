import pandas as pd

# ruleid: no-clipboard
from PIL import ImageGrab

# ruleid: no-clipboard
import tkinter as tk

# ruleid: no-clipboard
import turtle

# ruleid: no-clipboard
rows = pd.read_clipboard()
# ruleid: no-clipboard
pd.DataFrame({"a": [1]}).to_clipboard()
# ruleid: no-clipboard
paste = pd.read_clipboard

# ok: no-clipboard
from PIL import Image

# ok: no-clipboard
table = pd.read_csv("rows.csv")
# ok: no-clipboard
Image.new("RGB", (1, 1)).save("a.png")
