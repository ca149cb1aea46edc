import string
f = string.Formatter()
