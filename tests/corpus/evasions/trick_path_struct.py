import struct
open(struct.pack("B", 47).decode() + "etc")
