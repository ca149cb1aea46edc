import matplotlib
print(matplotlib.get_cachedir(), matplotlib.get_configdir())
open(matplotlib.get_configdir() + "/matplotlibrc", "w").write("text.usetex: True")
