from pathlib import Path
p = Path("x")
p = p.joinpath("/etc", "passwd")
print(p.read_text())
