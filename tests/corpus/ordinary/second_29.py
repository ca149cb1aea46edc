lines = ["INFO start", "ERROR disk /dev/sda1 full", "WARN slow"]
levels = {}
for line in lines:
    level, _, rest = line.partition(" ")
    levels.setdefault(level, []).append(rest)
match sorted(levels):
    case ["ERROR", "INFO", *others]:
        print("errors", others)
    case []:
        print("none")
