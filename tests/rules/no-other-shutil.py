import shutil

# ruleid: no-other-shutil
from shutil import make_archive as pack

# ok: no-other-shutil
shutil.rmtree("data")
# ruleid: no-other-shutil
where = shutil.which("sh")
# ruleid: no-other-shutil
shutil.chown("a", user=0)
# ruleid: no-other-shutil
everything = shutil.make_archive
# ruleid: no-other-shutil
s = shutil

# ok: no-other-shutil
shutil.copy("a.csv", "b.csv")
# ok: no-other-shutil
shutil.move("a.csv", "c.csv")
# ok: no-other-shutil
from shutil import copyfile
# ok: no-other-shutil
shutil.copytree("a", "b")
