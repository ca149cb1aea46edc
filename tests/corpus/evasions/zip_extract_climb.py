import zipfile
zipfile.ZipFile("a.zip").extractall("../..")
