from os import sep
open(sep + "etc")
