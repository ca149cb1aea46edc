# ruleid: no-spelled-names
a = "".join(map(chr, (111, 115)))
# ruleid: no-spelled-names
b = chr(111) + chr(115)
# ruleid: no-spelled-names
c = chr(95) * 2
# ruleid: no-spelled-names
d = bytes([111, 115, 46, 115]).decode()

# ok: no-spelled-names
e = chr(65)
# ok: no-spelled-names
f = "".join(sorted("abc"))
# ok: no-spelled-names
g = [chr(97 + n) for n in range(26)]
