import logging

# ruleid: no-brace-logging
import logging.config

# ruleid: no-brace-logging
from logging.handlers import SocketHandler

# ruleid: no-brace-logging
f = logging.Formatter("{args[0].mean}", style="{")
# ruleid: no-brace-logging
g = logging.Formatter("{args[0].real}", None, "{")
text = open("format.txt").read()
# ruleid: no-brace-logging
logging.basicConfig(format=text, style="{")
# ruleid: no-brace-logging
logging.basicConfig(format="{message:{args[0].real}}", style="{")
# ok: no-brace-logging
logging.basicConfig(format="{asctime} {levelname:<8} {message}", style="{")
# ok: no-brace-logging
i = logging.Formatter("{levelname} - {message}", style="{")
# ruleid: no-brace-logging
logging.config.dictConfig({})

# ok: no-brace-logging
h = logging.Formatter("%(levelname)s %(message)s")
# ok: no-brace-logging
logging.basicConfig(level=logging.INFO)
# ok: no-brace-logging
import pandas as pd

# ok: no-brace-logging
pd.DataFrame({"a": [1]}).style.format("{:.1f}")
