import numpy as np


class View:
    def view(self, kind):
        return kind((64,), float, bytes(512))


print(View().view(np.ndarray))
