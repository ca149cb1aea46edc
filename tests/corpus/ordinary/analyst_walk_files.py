from pathlib import Path
base = Path(".")
for p in sorted(base.rglob("*.csv")):
    print(p.relative_to(base), p.stat().st_size, p.suffix, p.parent.name)
out = Path("output"); out.mkdir(parents=True, exist_ok=True)
(out / "summary.txt").write_text("done", encoding="utf-8")
