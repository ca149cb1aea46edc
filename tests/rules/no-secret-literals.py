# ruleid: no-secret-literals
access = "AKIAIOSFODNN7EXAMPLE"
# ruleid: no-secret-literals
token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
# ruleid: no-secret-literals
model = {"key": "sk-proj-abcdefghijklmnopqrstuvwx0123"}
# ruleid: no-secret-literals
print("xoxb-123456789012-abcdef")
# ruleid: no-secret-literals
server = "postgresql://admin:hunter2@db.example.org/sales"
# ruleid: no-secret-literals
pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE"

# ok: no-secret-literals
sku = "sk-204"
# ok: no-secret-literals
digest = "d41d8cd98f00b204e9800998ecf8427e"
# ok: no-secret-literals
mail = "https://example.org/users/ann@example.org"
# ok: no-secret-literals
label = "password: EXAMPLE"
