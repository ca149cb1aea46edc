import io
import json

import pandas as pd

TEXT = """date,city,temp
2024-01-01,Oslo,-3.5
2024-01-02,Rome,12.0
"""
df = pd.read_csv(io.StringIO(TEXT), parse_dates=["date"])
result = {
    "rows": len(df),
    "coldest": df.loc[df["temp"].idxmin(), "city"],
    "by_city": df.set_index("city")["temp"].to_dict(),
    "dates": [d.strftime("%d.%m.%Y") for d in df["date"]],
}
print(json.dumps(result, default=str, indent=2))
