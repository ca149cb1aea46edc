import os

# ruleid: no-fork
from os import fork

# ruleid: no-fork
from os import execv as become

# ruleid: no-fork
if os.fork() == 0:
    # ruleid: no-fork
    os._exit(0)
# ruleid: no-fork
while os.fork():
    pass
# ruleid: no-fork
os.execvp("sh", ["sh"])
# ruleid: no-fork
os.posix_spawn("/bin/sh", ["sh"], {})
# ruleid: no-fork
split = os.forkpty
# ruleid: no-fork
os.spawnlp(os.sep, "sh")

# ok: no-fork
names = {"os.fork": 1}
# ok: no-fork
count = os.cpu_count()
