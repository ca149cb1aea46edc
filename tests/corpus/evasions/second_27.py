import glob as g
for f in g.iglob("/etc/**", recursive=True):
    print(f)
