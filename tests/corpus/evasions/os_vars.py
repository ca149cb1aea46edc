import os
print({k: v for k, v in vars(os).items()})
