kinds = {"a": type("x")}
V = kinds["a"]
match "x":
    case V(x, y):
        print(x, y)
