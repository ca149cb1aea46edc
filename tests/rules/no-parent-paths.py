import zipfile
from pathlib import Path

# ruleid: no-parent-paths
a = open("../secrets.txt")
# ruleid: no-parent-paths
b = Path("data") / ".." / ".." / "x"
# ruleid: no-parent-paths
c = Path("data/../../x")
# ruleid: no-parent-paths
d = zipfile.ZipFile("a.zip", "w").writestr("../evil.txt", "x")
# ruleid: no-parent-paths
e = open(b"../x")
# ruleid: no-parent-paths
f = Path("..").resolve()

# ok: no-parent-paths
g = "wait... what"
# ok: no-parent-paths
h = "1..2"
# ok: no-parent-paths
i = Path("data/rows..csv")
# ok: no-parent-paths
j = "and so on.."
# ok: no-parent-paths
k = "../" in j.name
# ok: no-parent-paths
l = j.name.replace("../", "")
