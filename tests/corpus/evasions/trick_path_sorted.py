name = sorted("a/")[0] + "etc"
open(name)
