import zipfile
with zipfile.ZipFile("a.zip", "w") as z:
    z.write(chr(47) + "etc/passwd")
