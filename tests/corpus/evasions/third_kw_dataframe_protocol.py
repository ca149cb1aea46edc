from types import SimpleNamespace
import pandas as pd
buffer = SimpleNamespace(ptr=4194304, bufsize=64)
fake = SimpleNamespace(__dataframe__=lambda **options: buffer)
print(pd.api.interchange.from_dataframe(fake))
