import numpy as np
secret = np.eye(2)
print("REACHED", np.bmat("secret"))
