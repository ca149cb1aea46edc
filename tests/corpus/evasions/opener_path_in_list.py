from pathlib import Path

makers = [Path]
print(makers[0](chr(47) + "etc/passwd").read_text())
