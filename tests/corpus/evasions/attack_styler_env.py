import pandas as pd
pd.DataFrame({"a": [1]}).style.env.from_string("{{ x }}").render()
