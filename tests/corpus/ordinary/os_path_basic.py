import os
os.makedirs("output", exist_ok=True)
target = os.path.join("output", "a.txt")
with open(target, "w") as fh:
    fh.write("x")
print(os.path.exists(target), os.path.basename(target), sorted(os.listdir("output")), os.path.getsize(target))
