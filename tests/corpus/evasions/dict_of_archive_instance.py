import zipfile


class Archive(zipfile.ZipFile):
    pass


archive = Archive("a.zip")
print(archive.__dict__["fp"])
