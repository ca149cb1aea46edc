import hashlib, base64, uuid
print(hashlib.sha256(open("data.csv", "rb").read()).hexdigest(), base64.b64encode(b"x").decode(), uuid.uuid4().hex[:0])
