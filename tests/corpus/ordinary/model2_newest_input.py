from pathlib import Path

files = sorted(Path(".").glob("*.csv"), key=lambda p: p.stat().st_mtime, reverse=True)
if files:
    newest = files[0]
    backup = newest.with_name(newest.stem + "_copy" + newest.suffix)
    backup.write_bytes(newest.read_bytes())
    print(newest.name, backup.name, backup.stat().st_size)
    lines = newest.read_text().splitlines()
    Path(f"{newest.stem}.head.txt").write_text("\n".join(lines[:5]))
