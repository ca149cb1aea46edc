values = [1, "a", 2.5, None]
for v in values:
    print(type(v).__name__, v.__class__.__name__)
