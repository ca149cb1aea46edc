def opener(path, flags):
    print("REACHED opener", path)
    return 1
options = {"opener": opener, "closefd": False}
open("x", "w", **options).write("y\n")
