import base64
import hashlib
import struct
import zlib

data = b"hello world" * 3
print(hashlib.sha256(data).hexdigest()[:16], base64.b64encode(data).decode()[:12], zlib.crc32(data))
packed = struct.pack(">IHb", 1, 2, -3)
print(struct.unpack(">IHb", packed), packed.hex(), int.from_bytes(packed[:4], "big"), (1024).to_bytes(2, "little"))
print(f"{0b1011:04b} {255:X} {3.14159:e}", int("ff", 16), bin(10).count("1"), ~5 & 0xFF, chr(8364), ord("A"))
print(zlib.decompress(zlib.compress(data)) == data, bytes(range(5)), bytearray(b"ab") + b"c")
