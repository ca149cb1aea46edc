from pathlib import Path

# ruleid: no-system-files
roots = ["/root", "/proc/self"]
# ruleid: no-system-files
where = "/etc/shadow"
# ruleid: no-system-files
keys = Path("x") / ".ssh"
# ruleid: no-system-files
found = {"/dev/shm": 1}
# ruleid: no-system-files
name = ".aws/credentials"
# ruleid: no-system-files
socket = "data/docker.sock"
# ruleid: no-system-files
data = b"/proc/self/environ"

# ok: no-system-files
line = "open /etc/passwd denied"
# ok: no-system-files
word = "/developers"
# ok: no-system-files
unit = "m/sys"
# ok: no-system-files
env = "environment"
# ok: no-system-files
page = "/products/etc"
