import logging, sys, time
from pathlib import Path
Path("output").mkdir(exist_ok=True)
logging.basicConfig(level=logging.INFO, handlers=[logging.FileHandler("output/run.log", mode="w"), logging.StreamHandler(sys.stdout)], format="%(asctime)s | %(levelname)s | %(message)s", force=True)
log = logging.getLogger(__name__)
class Timer:
    def __init__(self, name): self.name = name
    def __enter__(self):
        self.t0 = time.monotonic(); return self
    def __exit__(self, exc_type, exc, tb):
        self.elapsed = time.monotonic() - self.t0
        if exc_type is not None:
            log.error("%s failed: %s", self.name, exc)
        log.info("%s: %.2fs", self.name, self.elapsed)
        return False
with Timer("sum") as t:
    total = sum(i * i for i in range(10**6))
log.info("total=%d elapsed<1=%s", total, t.elapsed < 1)
try:
    with Timer("boom"):
        {}["missing"]
except KeyError:
    log.exception("caught")
finally:
    logging.shutdown()
