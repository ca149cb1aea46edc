vars = ["a", "b"]
license = "MIT"
for v in vars:
    print(v, license)
