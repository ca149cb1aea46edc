import string
open(string.punctuation[14] + "etc/passwd")
