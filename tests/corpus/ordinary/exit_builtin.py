rows = [1]
if not rows:
    exit(0)
print(len(rows))
