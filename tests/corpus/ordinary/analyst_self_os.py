class Machine:
    def __init__(self, os, platform, types):
        self.os = os; self.platform = platform; self.types = types
m = Machine("linux", "x86", ["a"])
print(m.os, m.platform, m.types)
