import struct
from collections import namedtuple
Rec = namedtuple("Rec", "id temp flags")
S = struct.Struct("<IfB")
recs = []
with open("log.bin", "rb") as f:
    magic = f.read(4)
    if magic != b"LOG1":
        raise ValueError(f"bad magic {magic!r}")
    while len(buf := f.read(S.size)) == S.size:
        recs.append(Rec._make(S.unpack(buf)))
hot = [r for r in recs if r.temp > 30 and r.flags & 0b1]
print(len(recs), len(hot), max(recs, key=lambda r: r.temp)._asdict() if recs else "none")
view = memoryview(bytearray(b"abcdef"))
view[1:3] = b"XY"
print(bytes(view), int.from_bytes(b"\x01\x00", "little"), (258).to_bytes(2, "big").hex(" "), list(struct.iter_unpack("<H", b"\1\0\2\0")))
