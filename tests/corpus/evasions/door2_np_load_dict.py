import numpy as np
options = dict([("allow" + "_pickle", True)])
def read(name, load=np.load):
    return load(name)
print("REACHED")
