from pathlib import Path
out = Path("output")
out.mkdir(parents=True, exist_ok=True)
(out / "summary.json").write_text('{"a": 1}', encoding="utf-8")
for f in out.iterdir():
    print(f.name, f.exists())
