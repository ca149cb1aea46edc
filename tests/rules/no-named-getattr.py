import pathlib

# ruleid: no-named-getattr
m = getattr(pathlib, "o" + "s")
# ruleid: no-named-getattr
getattr(m, "sys" + "tem")("echo x")
# ruleid: no-named-getattr
d = getattr(pathlib, "__dict__")
# ruleid: no-named-getattr
e = getattr(pathlib, "_private", None)
name = "popen"
# ruleid: no-named-getattr
f = getattr(pathlib, name)
# ruleid: no-named-getattr
g = hasattr(pathlib, "_x")

# ok: no-named-getattr
h = getattr(pathlib, "Path")
# ok: no-named-getattr
i = getattr(pathlib, "size", 0)
# ok: no-named-getattr
j = hasattr(pathlib, "system_name")
# ok: no-named-getattr
k = hasattr(pathlib, "__iter__")
# ruleid: no-named-getattr
l = getattr(pathlib, "query")
# ok: no-named-getattr
m = hasattr(pathlib, "__lt__")
# ruleid: no-named-getattr
n = hasattr(pathlib, "__globals__")
