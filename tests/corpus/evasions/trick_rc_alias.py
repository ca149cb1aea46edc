from matplotlib import rcParams as settings
key = "ps." + "".join(["usedistiller"])
settings[key] = "xpdf"
