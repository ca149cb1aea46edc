from pathlib import Path

import numpy as np
import pandas as pd

out = Path("output")
out.mkdir(exist_ok=True)
df = pd.DataFrame(np.arange(12).reshape(4, 3), columns=list("abc"))
WRITERS = {
    "csv": lambda d, p: d.to_csv(p, index=False),
    "json": lambda d, p: d.to_json(p, orient="records"),
    "html": lambda d, p: d.to_html(p),
    "tex": lambda d, p: p.write_text(d.to_string()),
}
for ext, write in WRITERS.items():
    write(df, out / f"table.{ext}")
np.savez_compressed(out / "arrays.npz", a=df["a"].to_numpy())
np.save(out / "b.npy", df["b"])
print(sorted(p.suffix for p in out.iterdir()), sum(p.stat().st_size for p in out.iterdir()) > 0)
