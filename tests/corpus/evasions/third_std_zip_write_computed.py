import zipfile
zipfile.ZipFile("a.zip", "w").write(chr(47) + "etc/passwd")
