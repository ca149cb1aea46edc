import hashlib
import base64
import binascii
import uuid
import hmac
import secrets
from pathlib import Path

def file_hash(p, algo="sha256", chunk=65536):
    h = hashlib.new(algo)
    with p.open("rb") as f:
        for block in iter(lambda: f.read(chunk), b""):
            h.update(block)
    return h.hexdigest()

seen = {}
dupes = []
for p in Path(".").glob("*.*"):
    if p.is_file():
        d = file_hash(p)
        if d in seen:
            dupes.append((p, seen[d]))
        else:
            seen[d] = p
print(len(seen), "unique,", len(dupes), "duplicates")
token = secrets.token_hex(8)
salted = {k: hmac.new(b"pepper", k.encode(), hashlib.sha256).hexdigest()[:12] for k in ("anna", "bob")}
thumb = base64.b64encode(Path("logo.png").read_bytes()).decode("ascii")
print(f"<img src='data:image/png;base64,{thumb[:40]}...'>", binascii.hexlify(b"abc"), uuid.uuid4().version, salted)
