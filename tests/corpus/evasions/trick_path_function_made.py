def name(parts):
    return chr(47).join(parts)
open(name(["", "etc"]))
