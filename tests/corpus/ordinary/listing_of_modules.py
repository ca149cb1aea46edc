import os

for folder, folders, names in os.walk("."):
    folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
    for name in sorted(names):
        if name == "__init__.py" or not name.endswith((".py", ".ipynb")):
            continue
        print(os.path.join(folder, name))
