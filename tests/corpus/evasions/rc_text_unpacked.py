import json

import matplotlib.pyplot as plt

plt.rc("text", **json.load(open("settings.json")))
