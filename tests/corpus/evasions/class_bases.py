print(int.__bases__[0].__subclasses__())
