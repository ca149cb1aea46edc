import matplotlib
import matplotlib.pyplot as plt
import pandas as pd

# ruleid: no-backend-modules
matplotlib.use("module://quietbackend")
# ruleid: no-backend-modules
matplotlib.use("TkAgg")
# ruleid: no-backend-modules
pd.set_option("plotting.backend", "quietplot")
# ruleid: no-backend-modules
pd.options.plotting.backend = "quietplot"
# ruleid: no-backend-modules
pd.DataFrame({"a": [1]}).plot(backend="quietplot")
# ruleid: no-backend-modules
plt.switch_backend("module://x")
# ruleid: no-backend-modules
plt.rcParams["backend"] = "module://x"

# ok: no-backend-modules
matplotlib.use("Agg")
# ok: no-backend-modules
pd.set_option("display.width", 120)
# ok: no-backend-modules
pd.DataFrame({"a": [1]}).plot(kind="bar")
# ok: no-backend-modules
plt.switch_backend("agg")
# ruleid: no-backend-modules
with pd.option_context("plotting.backend", "evil"):
    pass
