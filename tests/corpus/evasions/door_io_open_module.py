import tempfile
with tempfile.TemporaryDirectory(dir=chr(47) + "tmp") as d:
    print("REACHED", d)
