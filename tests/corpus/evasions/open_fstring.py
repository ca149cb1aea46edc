name = "passwd"
open(f"/etc/{name}")
