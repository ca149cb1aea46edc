import hashlib, base64, struct, uuid
header = struct.pack("<IHH", 1, 2, 3)
print(hashlib.md5(header).hexdigest(), base64.urlsafe_b64encode(header), struct.unpack("<IHH", header), uuid.uuid5(uuid.NAMESPACE_URL, "https://example.org/"))
