import zipfile, io
with zipfile.PyZipFile(io.BytesIO(), "w") as z:
    z.writepy("/usr/lib/python3/dist-packages") if False else z.write("/etc/passwd", "p")
    print("REACHED", z.namelist(), z.read("p")[:10])
