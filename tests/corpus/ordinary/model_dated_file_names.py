from datetime import date, datetime
from pathlib import Path

import pandas as pd

today = date.today()
df = pd.read_csv("visits.csv")
stamp = datetime.now().strftime("%Y-%m-%d")
target = Path("output") / f"visits_{today:%Y%m%d}.csv"
target.parent.mkdir(exist_ok=True)
df.to_csv(target, index=False)
df.to_csv("output/visits_" + stamp + ".csv", index=False)
df.to_csv("output/{}_{}.csv".format("visits", today.year), index=False)
df.to_csv("output/%s-%02d.csv" % ("visits", today.month), index=False)
print(target.name)
