from pathlib import Path
sep = str(Path("a") / "b")[1]
print(open(sep + "etc" + sep + "passwd").read())
