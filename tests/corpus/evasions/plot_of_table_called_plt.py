import json

import matplotlib.pyplot as plt
import pandas as pd

settings = json.load(open("settings.json"))
plt = pd.read_csv("a.csv")
plt.plot(**settings["style"])
