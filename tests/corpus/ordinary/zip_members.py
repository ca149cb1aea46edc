import io
import zipfile
buf = io.BytesIO()
with zipfile.ZipFile(buf, "w") as z:
    z.writestr("data/a.csv", "x\n1\n")
with zipfile.ZipFile(buf) as z:
    for info in z.infolist():
        print(info.filename, z.open(info).read())
