import asyncio
import os
import os as o

# ruleid: no-shell
from os import system as run_model

# ruleid: no-shell
os.system("echo x")
# ruleid: no-shell
o.popen("ls")
# ruleid: no-shell
with os.popen("ls") as pipe:
    print(pipe.read())
# ruleid: no-shell
go = os.system
# ruleid: no-shell
fetch("echo x", shell=True)
# ruleid: no-shell
task = asyncio.create_subprocess_shell("ls")

# ok: no-shell
names = os.listdir(".")
# ok: no-shell
system = {"os.system": 1}
# ok: no-shell
launch("a", shell=False)
