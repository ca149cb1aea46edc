import os

# ruleid: no-special-files
os.mknod("zero", 0o666)
# ruleid: no-special-files
os.mkfifo("result.json")
# ruleid: no-special-files
device = os.makedev(1, 5)
# ruleid: no-special-files
from os import mkfifo

# ok: no-special-files
os.mkdir("output")
# ok: no-special-files
mknod = open("mknod.txt", "w")
