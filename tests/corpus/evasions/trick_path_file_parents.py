from pathlib import Path
print((Path(__file__).resolve().parents[2] / "etc").exists())
