import matplotlib.ticker as t
t.mpl.use("module://x")
