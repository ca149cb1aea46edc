import zipfile, io
import pandas as pd
with zipfile.ZipFile("in.zip") as z:
    frames = [pd.read_csv(io.BytesIO(z.read(n))) for n in z.namelist() if n.endswith(".csv")]
print(pd.concat(frames, ignore_index=True).shape)
