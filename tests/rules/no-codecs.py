# ruleid: no-codecs
import codecs

# ruleid: no-codecs
from codecs import decode

# ruleid: no-codecs
import encodings.rot_13

data = b"abc"
# ruleid: no-codecs
a = data.decode("unicode_escape")
# ruleid: no-codecs
b = data.decode("utf-7")
# ruleid: no-codecs
c = str(data, "raw_unicode_escape")

# ok: no-codecs
d = data.decode("utf-8")
# ok: no-codecs
e = "x".encode("latin-1")
# ok: no-codecs
f = open("rows.csv", encoding="cp1252")
