import numpy as np
np.savetxt(fname="".join(["/", "tmp/evil.txt"]), X=[1])
print("REACHED")
