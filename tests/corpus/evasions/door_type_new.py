mark = "_" * 2
def hook(self, name): return "REACHED " + name
C = type.__new__(type, "C", (), {mark + "getattr" + mark: hook})
print(C().x)
