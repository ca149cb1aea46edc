import zipfile
i = zipfile.ZipInfo(chr(47) + "etc" + chr(47) + "passwd")
print(open(i.filename).read())
