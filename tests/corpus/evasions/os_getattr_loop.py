import os
for name in ["getcwd", "system"]:
    getattr(os, name)()
