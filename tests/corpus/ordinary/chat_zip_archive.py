import csv, io, json, zipfile, hashlib, zlib, struct
from pathlib import PurePosixPath

digest = hashlib.sha256()
index = []
with zipfile.ZipFile("bundle.zip") as zf:
    if (bad := zf.testzip()) is not None:
        raise SystemExit(f"corrupt member {bad}")
    for info in zf.infolist():
        if info.is_dir() or PurePosixPath(info.filename).suffix != ".csv":
            continue
        with zf.open(info) as member:
            text = io.TextIOWrapper(member, encoding="utf-8", newline="")
            rows = list(csv.reader(text))
        data = zf.read(info.filename)
        digest.update(data)
        index.append({"name": info.filename, "rows": len(rows) - 1, "crc": f"{info.CRC:08x}", "ok": zlib.crc32(data) == info.CRC,
                      "ratio": round(info.compress_size / max(info.file_size, 1), 3), "date": "-".join(map(str, info.date_time[:3]))})
with zipfile.ZipFile("output/index.zip", "w", compression=zipfile.ZIP_DEFLATED, compresslevel=9) as out:
    out.writestr("index.json", json.dumps(index, indent=2, sort_keys=True))
    out.writestr("sha256.txt", digest.hexdigest() + "\n")
header = struct.pack("<4sHI", b"IDX1", 1, len(index))
magic, version, count = struct.unpack_from("<4sHI", header)
assert magic == b"IDX1" and struct.calcsize("<4sHI") == len(header)
print(version, count, zlib.decompress(zlib.compress(header, 6)) == header)
