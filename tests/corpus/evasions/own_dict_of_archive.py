import zipfile


class Archive(zipfile.ZipFile):
    def inner(self):
        return dict(self.__dict__)["fp"]


print(Archive("a.zip").inner())
