import random
class A:
    def __init__(self):
        self._os = 1
random._os.system("id")
