import logging
import sys

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stdout)
log = logging.getLogger("report")
handler = logging.FileHandler("report.log", encoding="utf-8")
handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
log.addHandler(handler)
for n, part in enumerate(["load", "clean"]):
    log.info("%s done in %d steps", part, n)
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed at /reports/daily")
