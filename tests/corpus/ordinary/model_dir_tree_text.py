tree = {"src": {"app": {"main.txt": 120}, "lib": {}}, "readme.md": 30}


def show(node, indent="", path=""):
    for name, value in sorted(node.items()):
        full = f"{path}/{name}"
        if isinstance(value, dict):
            print(f"{indent}{name}/")
            show(value, indent + "  ", full)
        else:
            print(f"{indent}{name} ({value} bytes) {full}")


def size(node):
    return sum(size(value) if isinstance(value, dict) else value for value in node.values())


show(tree)
print(size(tree))
