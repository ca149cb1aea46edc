from pathlib import Path
def up(p):
    return p.parent.parent.parent.parent
print(list(up(Path.cwd()).iterdir()))
