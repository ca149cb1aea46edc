from pathlib import Path
print(Path.read_text(Path(chr(47) + "etc" + chr(47) + "passwd")))
