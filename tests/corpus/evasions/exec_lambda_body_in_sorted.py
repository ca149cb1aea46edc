print(sorted(["1"], key=lambda s: exec(s) or 1))
