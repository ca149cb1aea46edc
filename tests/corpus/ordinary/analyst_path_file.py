from pathlib import Path
BASE_DIR = Path(__file__).resolve().parent
data = BASE_DIR / "data.csv"
print(data.name)
