import base64, hashlib, hmac, secrets, uuid
print(base64.b64encode(b"x").decode(), hashlib.sha256(b"x").hexdigest()[:8], uuid.uuid4().version, len(secrets.token_hex(4)))
