import shutil
import tarfile
import zipfile

# ruleid: no-tar-extract
tarfile.open("a.tar").extractall("out")
with tarfile.open("a.tar.gz") as archive:
    # ruleid: no-tar-extract
    archive.extractall()
    # ruleid: no-tar-extract
    archive.extractall("out", filter="fully_trusted")
    # ok: no-tar-extract
    archive.extractall("out", filter="data")
    # ok: no-tar-extract
    text = archive.extractfile("a.txt").read()
# ruleid: no-tar-extract
shutil.unpack_archive("a.tar", "out")

with zipfile.ZipFile("a.zip") as zf:
    # ok: no-tar-extract
    zf.extractall("out")
