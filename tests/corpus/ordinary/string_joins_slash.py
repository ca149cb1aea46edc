parts = ["a", "b"]
print("/".join(parts), "a/b".split("/"), "x".replace("/", "-"), 7 / 2)
sep = "/"
print(sep.join(parts) + sep)
