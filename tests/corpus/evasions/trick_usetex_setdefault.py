import matplotlib as mpl
mpl.rcParams.setdefault("text.use" + "tex", True)
