import base64
import binascii

# ruleid: no-decoded-code
a = base64.b64decode("aW1wb3J0IG9zCm9zLnN5c3RlbSgiZWNobyBSRUFDSEVEIikKcHJpbnQoMSk=")
# ruleid: no-decoded-code
b = bytes.fromhex("7072696e74282752454143484544272929707269" + "6e742827524541434845442729")
# ruleid: no-decoded-code
c = binascii.unhexlify("7072696e742827524541434845442729297072696e742827524541434845442729")

# ok: no-decoded-code
d = base64.b64decode("aGVsbG8=")
# ok: no-decoded-code
e = base64.b64decode(open("a.b64").read())
# ok: no-decoded-code
f = bytes.fromhex("ff00ff")
