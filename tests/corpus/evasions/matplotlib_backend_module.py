import matplotlib
matplotlib.use("module://evil")
