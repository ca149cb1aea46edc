import string
class F(string.Formatter):
    pass
