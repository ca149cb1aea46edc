import pandas as pd
with pd.option_context("plotting.backend", "evil"):
    pass
