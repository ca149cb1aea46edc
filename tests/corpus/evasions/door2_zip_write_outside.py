import zipfile, io
try:
    with zipfile.ZipFile(io.BytesIO(), "w") as z:
        z.write("/srv/app/secret.txt")
except OSError as e:
    print("REACHED", e)
