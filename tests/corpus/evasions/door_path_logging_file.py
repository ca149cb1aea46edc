import logging
logging.basicConfig(filename="/tmp/evil.log", level=logging.INFO)
logging.info("REACHED")
print("REACHED")
