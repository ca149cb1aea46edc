def name(parts):
    return chr(47).join(parts)
folders = ["a", "b"]
for one in (name for name in folders):
    print(one)
open(name(["", "etc"]))
